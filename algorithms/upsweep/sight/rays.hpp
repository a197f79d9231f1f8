// Lines of sight over a map: the rays from a viewer to every cell of the border, and which of them decides on a cell.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! From the viewer: rows down, columns to the right.
struct map_step {
  index_t down, right;
};
UPSWEEP_HD constexpr index_t length_of(index_t x) { return x < 0 ? -x : x; }
UPSWEEP_HD constexpr index_t larger(index_t a, index_t b) { return a < b ? b : a; }

inline constexpr double nothing_seen = smallest<double>;  // −∞
//! How far the eye looks up or down to a height that is so many steps away. What is no number is lower than everything.
template <class T>
UPSWEEP_HD double slope_to(const T& height, double eye, index_t distance) {
  const double slope = (static_cast<double>(height) - eye) / static_cast<double>(distance);
  if (slope != slope) return nothing_seen;
  return slope;
}

//! A ray makes as many steps as its end is away in rows or in columns, whichever is more. Each leads to the next of
//! these, and to the nearest of the others (of two the farther one).
struct ray {
  map_step end;

  UPSWEEP_HD index_t steps() const { return larger(length_of(end.down), length_of(end.right)); }
  //! Where step 1 … steps() leads.
  UPSWEEP_HD map_step step(index_t k) const { return {part(end.down, k), part(end.right, k)}; }

 private:
  //! x·k / steps, rounded.
  UPSWEEP_HD index_t part(index_t x, index_t k) const {
    const index_t all = steps();
    if (length_of(x) == all) return x < 0 ? -k : k;
    const auto twice = static_cast<std::uint64_t>(2 * length_of(x) * k + all);
    const auto divisor = static_cast<std::uint64_t>(2 * all);
    const bool short_numbers = twice <= 0xFFFFFFFFu;  // which a GPU divides several times as fast
    const auto rounded = static_cast<index_t>(
        short_numbers ? static_cast<std::uint32_t>(twice) / static_cast<std::uint32_t>(divisor) : twice / divisor);
    return x < 0 ? -rounded : rounded;
  }
};

//! All rays of a map with a viewer in it.
struct map_rays {
  index_t width, height, row, column;  // of the map; of the viewer

  //! A ray to each cell of the border: the upper row, the lower one, the columns between them.
  UPSWEEP_HD index_t count() const {
    const index_t sides = width > 1 ? 2 : 1, between = height > 2 ? height - 2 : 0;
    return (height > 1 ? 2 : 1) * width + sides * between;
  }
  UPSWEEP_HD index_t longest() const {
    return larger(larger(row, height - 1 - row), larger(column, width - 1 - column));
  }
  UPSWEEP_HD ray operator[](index_t number) const {
    if (number < width) return {{-row, number - column}};
    number -= width;
    if (height > 1 && number < width) return {{height - 1 - row, number - column}};
    if (height > 1) number -= width;
    const index_t between = height - 2, down = 1 + number % between - row;
    return {{down, number < between ? -column : width - 1 - column}};
  }
  //! Each cell but the viewer's is decided by one ray that leads to it: the one whose end is nearest to where a
  //! straight line through the cell leaves the map (of two the farther one from the viewer's row or column).
  UPSWEEP_HD bool decides(const ray& r, const map_step& at) const {
    const index_t down = length_of(at.down), right = length_of(at.right);
    const index_t lowest = at.down < 0 ? row : height - 1 - row, rightmost = at.right < 0 ? column : width - 1 - column;
    const index_t end_down = length_of(r.end.down), end_right = length_of(r.end.right);
    const bool leaves_sideways = right > 0 && (down == 0 || rightmost * down <= lowest * right);
    return leaves_sideways ? end_right == rightmost && is_rounded(down * rightmost, right, end_down)
                           : end_down == lowest && is_rounded(right * lowest, down, end_right);
  }

 private:
  //! Is x / d, rounded, this one?
  UPSWEEP_HD static bool is_rounded(index_t x, index_t d, index_t quotient) {
    const index_t twice = 2 * x + d;
    return 2 * d * quotient <= twice && twice < 2 * d * (quotient + 1);
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
