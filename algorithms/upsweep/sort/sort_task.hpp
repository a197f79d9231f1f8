// What both backends of radix sort take: keys as unsigned integers, and one description of a sort.
//   radix_key<T>   the unsigned integer whose ascending order is that of T's keys; specialize it for your own types
//   sort_task      one sort
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#if UPSWEEP_HAS_CUDA
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <std::size_t Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class U>
inline constexpr U sign_bit = static_cast<U>(U{1} << (8 * sizeof(U) - 1));

// Negative floats run backwards: all their bits are flipped. Of the others only the sign.
template <class T>
struct float_key {
  using bits_type = unsigned_of<sizeof(T)>;
  static constexpr int width = 8 * sizeof(T);
  UPSWEEP_HD static bits_type image(const T& key) {
    const auto bits = __builtin_bit_cast(bits_type, key);
    const auto all_if_negative = static_cast<bits_type>(bits_type{} - static_cast<bits_type>(bits >> (width - 1)));
    return static_cast<bits_type>(bits ^ (all_if_negative | sign_bit<bits_type>));
  }
  UPSWEEP_HD static T key(bits_type image) {
    const auto all_if_negative = static_cast<bits_type>(static_cast<bits_type>(image >> (width - 1)) - 1);
    return __builtin_bit_cast(T, static_cast<bits_type>(image ^ (all_if_negative | sign_bit<bits_type>)));
  }
};
}  // namespace detail

//! How keys of a type are sorted: image(key), an unsigned integer of which the lowest `width` bits count, and
//! key(image), the way back, where there is one (it saves a device from sorting indices). Defined for
//! integers of 8 to 64 bits, bool, float, double and, under nvcc, __half and __nv_bfloat16. Floats are ordered by their
//! bits: NaNs of negative sign < −inf < … < −0 < +0 < … < +inf < NaNs of positive sign.
template <class T>
struct radix_key;

template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= 8)
struct radix_key<T> {
  using bits_type = detail::unsigned_of<sizeof(T)>;
  static constexpr int width = 8 * sizeof(T);
  UPSWEEP_HD static bits_type image(T key) {
    const auto bits = static_cast<bits_type>(key);
    return std::is_signed_v<T> ? static_cast<bits_type>(bits ^ detail::sign_bit<bits_type>) : bits;
  }
  UPSWEEP_HD static T key(bits_type image) {
    return static_cast<T>(std::is_signed_v<T> ? static_cast<bits_type>(image ^ detail::sign_bit<bits_type>) : image);
  }
};
template <>
struct radix_key<bool> {
  using bits_type = std::uint8_t;
  static constexpr int width = 1;
  UPSWEEP_HD static bits_type image(bool key) { return key ? 1 : 0; }
  UPSWEEP_HD static bool key(bits_type image) { return image != 0; }
};
template <>
struct radix_key<float> : detail::float_key<float> {};
template <>
struct radix_key<double> : detail::float_key<double> {};
#if UPSWEEP_HAS_CUDA
template <>
struct radix_key<__half> : detail::float_key<__half> {};
template <>
struct radix_key<__nv_bfloat16> : detail::float_key<__nv_bfloat16> {};
#endif

//! A type with a radix_key.
template <class T>
concept radix_sortable = requires { typename radix_key<T>::bits_type; };

namespace detail {
//! One sort, as both backends take it: stable, by bits [begin_bit, end_bit) of bits(item), ascending. `in` may be
//! exactly `out`, and values_in may read exactly values_out; all else is disjoint.
template <class Item, class Bits, class ValuesIn, class Value>
struct sort_task {
  using item_type = Item;
  using bits_type = typename Bits::bits_type;
  using value_type = Value;
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;

  const Item* in;
  Item* out;           // null: the sorted keys are not wanted
  ValuesIn values_in;  // values_in(i) -> Value, for i in [0, n)
  Value* values_out;   // null when there are no values
  index_t n;
  Bits bits;
  int begin_bit, end_bit;  // begin_bit < end_bit
};

template <class U>
UPSWEEP_HD constexpr U lowest_bits(int count) {
  return count == 8 * static_cast<int>(sizeof(U)) ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << count) - 1);
}

//! Bits whose ascending order is the one that is wanted. `flip` is all ones for a descending sort; `mask` is zero when
//! keys count for nothing.
template <class Image, class U>
struct ordered_bits {
  using bits_type = U;
  Image image;
  U flip, mask;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD U operator()(const Item& item) const {
    return static_cast<U>(unmasked(item) & mask);
  }
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD U unmasked(const Item& item) const {
    return static_cast<U>(image(item) ^ flip);
  }

  //! Do all bits, with no mask, tell the item?
  static constexpr bool invertible = requires(U bits) { Image::item(bits); };
  UPSWEEP_HD auto item(U bits) const {
    return Image::item(static_cast<U>((bits ^ flip) & lowest_bits<U>(Image::width)));
  }
  //! Do bits [begin, end) tell all of the item?
  bool is_whole(int begin, int end) const { return begin == 0 && end == Image::width && mask == static_cast<U>(~U{0}); }
  //! Are both zeros of floats one to the order, though their bits differ?
  static constexpr bool one_zero = requires { Image::one_zero; };
  //! Are the bits the item as it stands?
  bool is_plain() const { return Image::plain && flip == 0; }
};
template <class Key>
struct key_image {
  using U = typename radix_key<Key>::bits_type;
  static constexpr int width = radix_key<Key>::width;
  static constexpr bool plain = std::is_unsigned_v<Key>;
  UPSWEEP_HD U operator()(const Key& key) const { return radix_key<Key>::image(key); }
  UPSWEEP_HD static Key item(U bits)
    requires(requires(U image) { radix_key<Key>::key(image); } && sizeof(U) == sizeof(Key))
  {
    return radix_key<Key>::key(bits);
  }
};

struct no_values {
  UPSWEEP_HD nothing operator()(index_t) const { return {}; }
};
template <class T>
struct values_of {  // values that lie in memory
  const T* values;
  UPSWEEP_HD const T& operator()(index_t i) const { return values[i]; }
};
template <class T>
struct own_index {  // each item's value is where it stood
  UPSWEEP_HD T operator()(index_t i) const { return static_cast<T>(i); }
};
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
