// The lines of sight that are compiled into upsweep::cuda.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/c/line_of_sight.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/images/library/pixels.hpp>
#include <upsweep/library/bytes.hpp>
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
  const upsweep_image_output visible{.pixels = library::flags_to(task.visible.data, task.visible.extent()),
                                     .layout = library::layout_of(task.visible)};
  const upsweep_viewpoint from{.row = task.rays.row, .column = task.rays.column, .eye = task.eye_above_ground};
  library::check(upsweep_view_of_map(executor.handle(), library::image_of(task.heights), from, visible));
}

}  // namespace UPSWEEP_NAMESPACE::detail
