// The lines of sight that are compiled into upsweep::cuda.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/c/line_of_sight.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/image.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/sight/library/heights.hpp>
#include <upsweep/sight/slopes.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class T>
constexpr bool is_height() {
#define UPSWEEP_ROW(type, name) \
  if (is_same_number<T, type>) return true;
  UPSWEEP_LIBRARY_HEIGHTS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}
template <class Flag>
upsweep_output flags_to(Flag* data, index_t n) {
  return {.data = data, .size = n, .type = UPSWEEP_UINT8};
}
template <class T>
upsweep_image_layout map_of(const detail::pixels<T>& p) {
  return {.width = p.width, .height = p.height, .pitch = p.pitch, .count = 1, .image_pitch = p.image_pitch};
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class Load, class T, class Flag, class D>
void sweep(device& executor, index_t n, const Load&, const lift_slope<T>& lift, const segmented<maximum<double>>&,
           const dense_store<Flag, is_in_sight<T, Flag>>& store, const no_total_t&, D) {
  static_assert(library::is_height<T>() && library::byte_flag<Flag>,
                UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_SIGHT));
  const auto& [heights, length, eye, reversed] = lift.slopes;
  library::check(upsweep_line_of_sight(executor.handle(), library::input_of(heights, n), eye,
                                       library::flags_to(store.range.data, n),
                                       {.row_length = length, .reversed = reversed}));
}

template <class T, class Flag>
void look_around(device& executor, const sight_task<T, Flag>& task) {
  static_assert(library::is_height<T>() && library::byte_flag<Flag>,
                UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_SIGHT));
  const upsweep_image_input heights{.pixels = library::input_of(task.heights.data, task.heights.extent()),
                                    .layout = library::map_of(task.heights)};
  const upsweep_image_output visible{.pixels = library::flags_to(task.visible.data, task.visible.extent()),
                                     .layout = library::map_of(task.visible)};
  const upsweep_viewpoint from{.row = task.rays.row, .column = task.rays.column, .eye = task.eye_above_ground};
  library::check(upsweep_view_of_map(executor.handle(), heights, from, visible));
}

}  // namespace UPSWEEP_NAMESPACE::detail
