#include "generated_matrix.hpp"

#include <array>

#include "random_bits.hpp"

namespace app {
namespace {

//! Places of an R-MAT graph (Chakrabarti et al. 2004; .57, .19, .19, .05): a bit of row and column is drawn after the
//! other.
struct rmat {
  std::uint64_t seed;
  int bits;
  bool column;
  int operator()(std::int64_t i) const {
    int place = 0;
    for (int k = 0; k < bits; k++) {
      const auto percent = random_bits(seed + static_cast<std::uint64_t>(k), i) % 100;
      const bool bit = column ? (percent >= 57 && percent < 76) || percent >= 95 : percent >= 76;
      place = 2 * place + bit;
    }
    return place;
  }
};

triplets rmat_matrix(int scale) {
  constexpr std::uint64_t seed = 1;
  const std::int64_t size = std::int64_t{1} << scale, places = 16 * size;
  triplets matrix{size, size, {}, {}, {}, "R-MAT"};
  matrix.row_indices.resize(static_cast<std::size_t>(places));
  matrix.column_indices.resize(static_cast<std::size_t>(places));
  const rmat row_of{seed, scale, false}, column_of{seed, scale, true};
#pragma omp parallel for
  for (std::int64_t i = 0; i < places; i++) {
    matrix.row_indices[static_cast<std::size_t>(i)] = row_of(i);
    matrix.column_indices[static_cast<std::size_t>(i)] = column_of(i);
  }
  return matrix;
}

triplets lattice_matrix(int scale) {
  const std::int64_t width = std::int64_t{1} << (scale + 1) / 2, height = std::int64_t{1} << scale / 2;
  triplets matrix{width * height, width * height, {}, {}, {}, "2-D lattice"};
  constexpr std::array<std::array<int, 2>, 5> steps = {{{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}}};
  for (std::int64_t y = 0; y < height; y++)
    for (std::int64_t x = 0; x < width; x++)
      for (const auto [right, down] : steps) {
        const std::int64_t to_x = x + right, to_y = y + down;
        if (to_x < 0 || to_x >= width || to_y < 0 || to_y >= height) continue;
        matrix.row_indices.push_back(static_cast<std::int32_t>(y * width + x));
        matrix.column_indices.push_back(static_cast<std::int32_t>(to_y * width + to_x));
      }
  return matrix;
}

}  // namespace

std::vector<double> random_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<double> numbers(static_cast<std::size_t>(n));
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; i++)  // odd multiples of 2^−53
    numbers[static_cast<std::size_t>(i)] = static_cast<double>(random_bits(seed, i) >> 11 | 1) * 0x1p-52 - 1;
  return numbers;
}

triplets generate_matrix(const std::string& shape, int scale) {
  triplets matrix = shape == "rmat" ? rmat_matrix(scale) : lattice_matrix(scale);
  matrix.values = random_numbers(static_cast<std::int64_t>(matrix.row_indices.size()), 2);
  return matrix;
}

}  // namespace app
