// What upsweep::cuda only moves, whatever it means, and flags.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/library/table.hpp>

//! ROW(type, its bytes, C's name): for all types of its size and alignment. (More is aligned well, too.) Words move
//! with what they belong to; larger values follow at the end.
#define UPSWEEP_LIBRARY_WORDS(ROW) ROW(std::uint32_t, "4", UPSWEEP_UINT32) ROW(std::uint64_t, "8", UPSWEEP_UINT64)
#define UPSWEEP_LIBRARY_LARGE_VALUES(ROW) ROW(upsweep::library::bytes_16, "16", UPSWEEP_16_BYTES)
#define UPSWEEP_LIBRARY_VALUES(ROW) UPSWEEP_LIBRARY_WORDS(ROW) UPSWEEP_LIBRARY_LARGE_VALUES(ROW)
#define UPSWEEP_LIBRARY_VALUE_BYTES(type, bytes, code) " " bytes

namespace UPSWEEP_NAMESPACE::library {

struct bytes_16 {
  std::uint64_t words[2];
};

//! The type whose bytes stand for those of a value. 0: there is none.
template <class V>
constexpr int code_of_bytes() {
#define UPSWEEP_ROW(type, bytes, code) \
  if (sizeof(V) == sizeof(type) && alignof(V) >= alignof(type)) return code;
  UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return 0;
}
template <class V>
concept moved_as_bytes = code_of_bytes<V>() != 0;

template <class V>
upsweep_input bytes_of(const V* data, index_t n) {
  return {.data = data, .size = n, .type = code_of_bytes<V>()};
}
template <class V>
upsweep_output bytes_to(V* data, index_t n) {
  return {.data = data, .size = n, .type = code_of_bytes<V>()};
}
template <byte_flag F>
upsweep_input flags_of(const F* data, index_t n) {
  return {.data = data, .size = n, .type = UPSWEEP_UINT8};
}
//! (Of any type: callers tell in one message what flags there are.)
template <class F>
upsweep_output flags_to(F* data, index_t n) {
  return {.data = data, .size = n, .type = UPSWEEP_UINT8};
}

}  // namespace UPSWEEP_NAMESPACE::library
