// Lines of sight as their definition has them, every cell by itself.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "oracle.hpp"

namespace oracle {

//! x / d to the nearest integer, halves away from 0.
inline index_t rounded_quotient(index_t x, index_t d) {
  const index_t quotient = (2 * std::abs(x) + d) / (2 * d);
  return x < 0 ? -quotient : quotient;
}
//! Is the cell that is (down, right) from a viewer seen, of a map of integers? The ray ends where the straight line to
//! the cell leaves the map; slopes are compared as fractions.
template <class T>
bool sees(const std::vector<T>& map, index_t width, index_t height, index_t row, index_t column, index_t eye,
          index_t down, index_t right) {
  if (down == 0 && right == 0) return true;
  const index_t most_down = down < 0 ? row : height - 1 - row, most_right = right < 0 ? column : width - 1 - column;
  // Leaves by a column when it gets there first: most_right / |right| <= most_down / |down|
  const bool sideways = right != 0 && most_right * std::abs(down) <= most_down * std::abs(right);
  const index_t end_down =
      sideways ? rounded_quotient(down * most_right, std::abs(right)) : (down < 0 ? -most_down : most_down);
  const index_t end_right =
      sideways ? (right < 0 ? -most_right : most_right) : rounded_quotient(right * most_down, std::abs(down));
  const index_t steps = std::max(std::abs(end_down), std::abs(end_right)),
                own = std::max(std::abs(down), std::abs(right));
  const auto height_at = [&](index_t k) {
    const index_t r = row + rounded_quotient(end_down * k, steps), c = column + rounded_quotient(end_right * k, steps);
    return static_cast<index_t>(map[at(r * width + c)]);
  };
  const index_t eyes = static_cast<index_t>(map[at(row * width + column)]) + eye;
  for (index_t k = 1; k < own; k++)
    if ((height_at(k) - eyes) * own > (height_at(own) - eyes) * k) return false;
  return true;
}
template <class T>
std::vector<std::uint8_t> visible_cells(const std::vector<T>& map, index_t width, index_t height, index_t row,
                                        index_t column, index_t eye) {
  std::vector<std::uint8_t> visible(map.size());
  for (index_t r = 0; r < height; r++)
    for (index_t c = 0; c < width; c++)
      visible[at(r * width + c)] = sees(map, width, height, row, column, eye, r - row, c - column) ? 1 : 0;
  return visible;
}
//! Along rows, from the first item of each.
template <class T>
std::vector<std::uint8_t> visible_in_rows(const std::vector<T>& heights, index_t length, index_t eye) {
  std::vector<std::uint8_t> visible(heights.size(), 1);
  for (index_t begin = 0; begin < size(heights); begin += length) {
    const index_t eyes = static_cast<index_t>(heights[at(begin)]) + eye;
    index_t highest = 1;  // so far, as the step that it stands at
    for (index_t k = 2; k < length; k++) {
      const index_t here = static_cast<index_t>(heights[at(begin + k)]) - eyes;
      const index_t there = static_cast<index_t>(heights[at(begin + highest)]) - eyes;
      visible[at(begin + k)] = here * highest >= there * k ? 1 : 0;
      if (here * highest > there * k) highest = k;
    }
  }
  return visible;
}

}  // namespace oracle
