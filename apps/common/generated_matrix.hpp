// Matrices for programs that are given no file, the same in every run. The C++ compiler's alone: see CMakeLists.txt.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "matrix_market.hpp"

namespace app {

//! A matrix of 2^scale rows and columns; its values are random in (−1, 1).
//!   rmat      16 places a row on average, as an R-MAT graph has them: many rows are short, few are long
//!   lattice   a point of a grid in the plane and its four neighbours
triplets generate_matrix(const std::string& shape, int scale);

//! Random numbers in (−1, 1).
std::vector<double> random_numbers(std::int64_t n, std::uint64_t seed);

}  // namespace app
