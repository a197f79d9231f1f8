// The equalization and the tables of levels that are compiled into upsweep::cuda: a backend beside those of host/ and
// cuda/. Images of 8 and of 16 bits are all that these calls take.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/images/library/pixels.hpp>
#include <upsweep/images/library/table_entries.hpp>

namespace UPSWEEP_NAMESPACE::library {
template <class U>
constexpr int code_of_entry() {
#define UPSWEEP_ROW(type, bytes) \
  if (sizeof(U) == sizeof(type) && alignof(U) == alignof(type)) return item_code<type>;
  UPSWEEP_LIBRARY_TABLE_ENTRIES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return 0;
}
}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
void equalize(device& executor, const pixels<const T>& in, const pixels<T>& out, equalize_mode mode) {
  library::check(upsweep_equalize_histogram(executor.handle(), library::image_of(in), library::image_to(out),
                                            static_cast<int>(mode)));
}
template <class T>
void equalization_tables(device& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask,
                         equalize_mode mode, T* tables) {
  const library::mask_image flags(mask);
  library::check(upsweep_equalization_table(executor.handle(), library::image_of(in), flags.pointer,
                                            library::output_of(tables, in.count * index_t{levels_of<T>}),
                                            static_cast<int>(mode)));
}
template <class T, class U>
  requires(library::code_of_entry<U>() != 0)
void apply_tables(device& executor, const pixels<const T>& in, const U* tables, index_t stride, const pixels<U>& out) {
  constexpr int type = library::code_of_entry<U>();
  const index_t entries = stride == 0 ? index_t{levels_of<T>} : stride * in.count;
  library::check(upsweep_apply_table(
      executor.handle(), library::image_of(in), {.data = tables, .size = entries, .type = type},
      {.pixels = {.data = out.data, .size = out.extent(), .type = type}, .layout = library::layout_of(out)}));
}
UPSWEEP_NOT_IN_LIBRARY(apply_tables, UPSWEEP_LIBRARY_HAS_TABLES)
template <class T>
void match(device& executor, const pixels<const T>& in, const pixels<const T>& reference, const pixels<T>& out) {
  library::check(upsweep_match_histogram(executor.handle(), library::image_of(in), library::image_of(reference),
                                         library::image_to(out)));
}

}  // namespace UPSWEEP_NAMESPACE::detail
