// Lines of sight: algorithms/upsweep/sight/library/heights.hpp. Rows are held to a plain loop, maps to the host, which
// gives the same flags.
#include <upsweep/line_of_sight.hpp>
#include <upsweep/sight/library/heights.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;
using flags = std::vector<std::uint8_t>;

//! Small heights: slopes of many items are the same.
template <class T>
std::vector<T> hills(index_t n) {
  std::vector<T> heights;
  for (const std::uint32_t x : items<std::uint32_t>(n, false)) heights.push_back(static_cast<T>(x % 97));
  return heights;
}

//! Of rows, from the first item of each, or from the last one back.
template <class T>
flags seen_along(const std::vector<T>& heights, double eye, index_t length, bool reversed) {
  flags seen(heights.size());
  double eyes = 0, highest = 0;
  for (std::size_t i = 0; i < seen.size(); i++) {
    const std::size_t at = reversed ? seen.size() - 1 - i : i;
    const index_t away = static_cast<index_t>(i) % length;
    if (away == 0) {
      eyes = static_cast<double>(heights[at]) + eye;
      highest = -std::numeric_limits<double>::infinity();
      seen[at] = 1;
      continue;
    }
    const double slope = (static_cast<double>(heights[at]) - eyes) / static_cast<double>(away);
    seen[at] = slope >= highest;
    highest = slope > highest ? slope : highest;
  }
  return seen;
}

template <class T>
void check_rows(tested& exec, index_t n, const std::string& of) {
  const std::vector<T> heights = hills<T>(n);
  const upsweep::buffer<T> from(exec, heights);
  upsweep::buffer<std::uint8_t> visible(exec, n);
  const auto along = [&](const std::string& name, index_t length, bool reversed, const auto& direction) {
    upsweep::line_of_sight(exec, from, 1.5, visible, direction);
    check(visible.to_vector(exec) == seen_along(heights, 1.5, length, reversed), "line_of_sight, " + name + ", " + of);
  };
  along("forward", n, false, upsweep::forward);
  along("reversed", n, true, upsweep::reversed);
  along("rows", row, false, upsweep::rows(row));
  along("reversed rows", row, true, upsweep::reversed_rows(row));
}

template <class T>
void check_map(tested& exec, index_t n, const std::string& of) {
  if (n == 0) return;  // there is no cell to stand on
  const std::vector<T> heights = hills<T>(n);
  flags expected(heights.size(), 7);
  const upsweep::image_layout map{.width = n / row, .height = row};
  const upsweep::viewpoint viewer{.row = 2, .column = n / row / 3, .eye = 3.5};
  upsweep::host plain;
  upsweep::line_of_sight(plain, upsweep::image(heights, map), viewer, upsweep::image(expected, map));
  const upsweep::buffer<T> from(exec, heights);
  upsweep::buffer<std::uint8_t> visible(exec, flags(heights.size(), 7));
  upsweep::line_of_sight(exec, upsweep::image(from, map), viewer, upsweep::image(visible, map));
  check(visible.to_vector(exec) == expected, "line_of_sight of a map, " + of);
}

}  // namespace

void check_sight(tested& exec, index_t n) {
#define UPSWEEP_ROW(type, name)                \
  check_rows<type>(exec, n, counted(name, n)); \
  check_map<type>(exec, n, counted(name, n));
  UPSWEEP_LIBRARY_HEIGHTS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}
