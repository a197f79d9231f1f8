// The serial oracle of what is seen of a map: a sweep along each ray from the viewer to the border, by the steps of a
// line on a raster (Bresenham 1965). Heights T in rows without gaps.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace oracle {

template <class T>
class sight_sweep {
 public:
  sight_sweep(std::span<const T> heights, std::int64_t width, std::int64_t height, std::int64_t row,
              std::int64_t column, double eye)
      : heights_(heights), width_(width), height_(height), row_(row), column_(column), seen_(heights.size()) {
    eyes_ = static_cast<double>(heights_[index(row, column)]) + eye;
  }

  //! 1 for each cell that is seen.
  std::vector<std::uint8_t> seen() {
    seen_[index(row_, column_)] = 1;
    for (std::int64_t r = 0; r < height_; r++)
      for (std::int64_t c = 0; c < width_; c++)
        if (r == 0 || r == height_ - 1 || c == 0 || c == width_ - 1) walk_to(r, c);
    return seen_;
  }

 private:
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * width_ + column);
  }
  void walk_to(std::int64_t end_row, std::int64_t end_column) {
    const std::int64_t down = end_row - row_, right = end_column - column_;
    const std::int64_t steps = std::max(std::abs(down), std::abs(right));
    std::int64_t row = row_, column = column_, rest_down = steps, rest_right = steps;
    const auto move = [steps](std::int64_t& at, std::int64_t& rest, std::int64_t way) {
      rest += 2 * std::abs(way);
      if (rest < 2 * steps) return;
      rest -= 2 * steps;
      at += way < 0 ? -1 : 1;
    };
    bool is_first = true;
    double highest = 0;
    for (std::int64_t k = 1; k <= steps; k++, is_first = false) {
      move(row, rest_down, down);
      move(column, rest_right, right);
      const double slope = (static_cast<double>(heights_[index(row, column)]) - eyes_) / static_cast<double>(k);
      if (is_end_of(row - row_, column - column_, down, right))
        seen_[index(row, column)] = is_first || slope >= highest ? 1 : 0;
      highest = is_first ? slope : std::max(highest, slope);
    }
  }
  //! Is the end of a ray the nearest cell of the border to where the line through a cell leaves the map?
  bool is_end_of(std::int64_t down, std::int64_t right, std::int64_t end_down, std::int64_t end_right) const {
    const std::int64_t lowest = down < 0 ? row_ : height_ - 1 - row_;
    const std::int64_t outermost = right < 0 ? column_ : width_ - 1 - column_;
    const auto nearest = [](std::int64_t product, std::int64_t by) { return (2 * product + by) / (2 * by); };
    if (right != 0 && outermost * std::abs(down) <= lowest * std::abs(right))
      return std::abs(end_right) == outermost &&
             std::abs(end_down) == nearest(std::abs(down) * outermost, std::abs(right));
    return std::abs(end_down) == lowest && std::abs(end_right) == nearest(std::abs(right) * lowest, std::abs(down));
  }

  std::span<const T> heights_;
  std::int64_t width_, height_, row_, column_;
  double eyes_ = 0;
  std::vector<std::uint8_t> seen_;
};

}  // namespace oracle
