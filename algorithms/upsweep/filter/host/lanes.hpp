// Eight numbers side by side, in vectors of any size: what filters on the host compute with.
#pragma once
#include <cstring>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr int filter_lanes = 8;

//! Numbers side by side: two of something smaller. (GCC keeps vectors that are wider than the processor's in memory; as
//! halves they are registers.)
template <class Half>
struct two_halves {
  Half low, high;
  UPSWEEP_HD UPSWEEP_INLINE friend two_halves operator+(const two_halves& a, const two_halves& b) {
    return {a.low + b.low, a.high + b.high};
  }
  UPSWEEP_HD UPSWEEP_INLINE friend two_halves operator-(const two_halves& a, const two_halves& b) {
    return {a.low - b.low, a.high - b.high};
  }
  UPSWEEP_HD UPSWEEP_INLINE friend two_halves operator*(double a, const two_halves& b) {
    return {a * b.low, a * b.high};
  }
  UPSWEEP_HD UPSWEEP_INLINE friend two_halves operator*(const two_halves& a, const two_halves& b) {
    return {a.low * b.low, a.high * b.high};
  }
};

//! Eight doubles, by vectors of so many bytes.
template <int VectorBytes>
struct eight_doubles {
  using type = two_halves<two_halves<two_halves<double>>>;
};
#if defined(__GNUC__) && !defined(__CUDACC__)
typedef double doubles2 __attribute__((vector_size(16)));
typedef double doubles4 __attribute__((vector_size(32)));
typedef double doubles8 __attribute__((vector_size(64)));
template <>
struct eight_doubles<16> {
  using type = two_halves<two_halves<doubles2>>;
};
template <>
struct eight_doubles<32> {
  using type = two_halves<doubles4>;
};
template <>
struct eight_doubles<64> {
  using type = doubles8;
};
#endif
template <class VectorBytes>  // a std::integral_constant, as with_vectors calls its loop with
using lanes_by = typename eight_doubles<VectorBytes::value>::type;

//! Numbers from memory, and to it: vector by vector, or the compiler would keep them there.
template <class Vector>
UPSWEEP_INLINE void load_lanes(Vector& to, const double* from) {
  std::memcpy(&to, from, sizeof(to));
}
template <class Half>
UPSWEEP_INLINE void load_lanes(two_halves<Half>& to, const double* from) {
  load_lanes(to.low, from);
  load_lanes(to.high, from + sizeof(Half) / sizeof(double));
}
template <class Vector>
UPSWEEP_INLINE void store_lanes(double* to, const Vector& from) {
  std::memcpy(to, &from, sizeof(from));
}
template <class Half>
UPSWEEP_INLINE void store_lanes(double* to, const two_halves<Half>& from) {
  store_lanes(to, from.low);
  store_lanes(to + sizeof(Half) / sizeof(double), from.high);
}

}  // namespace UPSWEEP_NAMESPACE::detail
