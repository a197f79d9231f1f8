// The instances of lines of sight.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/line_of_sight.hpp>

#include "line_of_sight.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! One row is all of them: its length does not change the code.
template <class T>
void look_along(device& executor, const upsweep_input& heights, double eye, const upsweep_output& visible,
                const upsweep_along& along) {
  const auto from = items_of<T>(heights);
  const auto to = items_of<std::uint8_t>(visible);
  const index_t length = along.row_length ? along.row_length : heights.size > 0 ? heights.size : 1;
  if (along.reversed) line_of_sight(executor, from, eye, to, reversed_rows(length));
  else line_of_sight(executor, from, eye, to, rows(length));
}
template <class T>
void look_around(device& executor, const upsweep_image_input& heights, const upsweep_viewpoint& from,
                 const upsweep_image_output& visible) {
  const viewpoint viewer{.row = from.row, .column = from.column, .eye = from.eye};
  line_of_sight(executor, image_of<T>(heights), viewer, image_of<std::uint8_t>(visible));
}

}  // namespace UPSWEEP_NAMESPACE::compiled
