// radix_sort_by_key of keys and payloads of unlike widths.
#include "sort_pairs.hpp"

namespace bench {
namespace {

template <class Key, class Value>
maker pairs(keys_like like) {
  return [=](bed& b, index_t n, std::uint64_t seed) {
    return sort_pairs<Key, Value>(b, n, seed, {"", like}, uniform<Value>{~seed});
  };
}

constexpr int most = 27;

const bool rows =
    more("radix_sort_by_key/uint8_uint32", pairs<std::uint8_t, std::uint32_t>(random_kind.like), most) &&
    more("radix_sort_by_key/uint16_uint32", pairs<std::uint16_t, std::uint32_t>(random_kind.like), most) &&
    more("radix_sort_by_key/uint16_uint64", pairs<std::uint16_t, std::uint64_t>(random_kind.like), most) &&
    more("radix_sort_by_key/uint32_uint64", pairs<std::uint32_t, std::uint64_t>(random_kind.like), most) &&
    more("radix_sort_by_key/uint32_uint64_zipf", pairs<std::uint32_t, std::uint64_t>(keys_like::zipf), most) &&
    more("radix_sort_by_key/float32_uint32_normal", pairs<float, std::uint32_t>(keys_like::normal), most) &&
    more("radix_sort_by_key/float32_uint32_normal", pairs<float, std::uint32_t>(keys_like::normal), 20) &&
    more("radix_sort_by_key/float32_uint32_normal", pairs<float, std::uint32_t>(keys_like::normal), 16);

}  // namespace
}  // namespace bench
