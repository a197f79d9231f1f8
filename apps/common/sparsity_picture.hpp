// A picture of where a sparse matrix has its non-zeros.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "eigen_reference.hpp"
#include "picture.hpp"

namespace app {

//! Row 0 is at the top. The longer side has 800 pixels, or nearly so many when a matrix has fewer rows or columns than
//! it has pixels: every place is then a square of them. Black is empty; else the colour tells how many non-zeros are
//! where the pixel is, by their logarithm: bright is the most.
template <class T>
picture draw_sparsity(const host_rows<T>& matrix) {
  constexpr std::int64_t longest = 800;
  const auto longer = std::max<std::int64_t>({matrix.rows, matrix.columns, 1});
  const auto cells_of = [&](std::int64_t size) {  // what is thin shows nevertheless
    return longer <= longest ? std::max<std::int64_t>(size, 1)
                             : std::clamp<std::int64_t>(size * longest / longer, 1, longest);
  };
  const std::int64_t width = cells_of(matrix.columns), height = cells_of(matrix.rows);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(width * height));
  for (std::int64_t row = 0; row < matrix.rows; row++) {
    const std::int64_t line = row * height / matrix.rows * width;
    const auto at = static_cast<std::size_t>(row);
    for (auto k = matrix.offsets[at]; k < matrix.offsets[at + 1]; k++)
      counts[static_cast<std::size_t>(line +
                                      matrix.column_indices[static_cast<std::size_t>(k)] * width / matrix.columns)]++;
  }

  const auto weight = [](std::int64_t count) { return 1 + std::log2(static_cast<double>(count)); };
  const double most = weight(std::max<std::int64_t>(*std::ranges::max_element(counts), 1));
  const int side = static_cast<int>(std::max<std::int64_t>(longest / std::max(width, height), 1));
  picture pixels(static_cast<int>(width) * side, static_cast<int>(height) * side);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (const auto count = counts[static_cast<std::size_t>(y * width + x)]; count > 0)
        pixels.fill(x * side, y * side, side, side, colour_scale(weight(count) / most));
  return pixels;
}

}  // namespace app
