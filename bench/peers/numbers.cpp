// Sums of limbs, sums of floats, polynomials.
#include "peers.hpp"

#if defined(PEERS_HAVE_GMP)
#include <gmp.h>
#endif

namespace bench::peers {

bool add_limbs(input<std::uint64_t> a, input<std::uint64_t> b, output<std::uint64_t> out) {
#if defined(__x86_64__) && defined(__GNUC__)
  unsigned char carried = 0;
  for (std::size_t i = 0; i < a.size(); i++)
    carried = __builtin_ia32_addcarryx_u64(carried, a[i], b[i], reinterpret_cast<unsigned long long*>(&out[i]));
  return carried != 0;
#else
  bool carried = false;
  for (std::size_t i = 0; i < a.size(); i++) {
    const std::uint64_t sum = a[i] + b[i];
    out[i] = sum + carried;
    carried = sum < a[i] || out[i] < sum;
  }
  return carried;
#endif
}

#if defined(PEERS_HAVE_GMP)
bool has_gmp() { return true; }
bool add_limbs_by_gmp(input<std::uint64_t> a, input<std::uint64_t> b, output<std::uint64_t> out) {
  static_assert(sizeof(mp_limb_t) == sizeof(std::uint64_t));
  return mpn_add_n(out.data(), a.data(), b.data(), static_cast<mp_size_t>(a.size())) != 0;
}
#else
bool has_gmp() { return false; }
bool add_limbs_by_gmp(input<std::uint64_t>, input<std::uint64_t>, output<std::uint64_t>) { return false; }
#endif

namespace {
//! Kahan's, as it stands in textbooks.
template <class T>
T kahan(std::span<const T> in) {
  T sum = 0, lost = 0;
  for (const T x : in) {
    const T mended = x - lost, next = sum + mended;
    lost = (next - sum) - mended;
    sum = next;
  }
  return sum;
}
}  // namespace
float compensated_sum(input<float> in) { return kahan(in); }
double compensated_sum(input<double> in) { return kahan(in); }

float horner(input<float> coefficients, float x) {
  float y = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) y = y * x + coefficients[i];
  return y;
}

}  // namespace bench::peers
