// What Eigen makes of sparse matrices, to compare with. The C++ compiler's alone, for nvcc warns of Eigen: see
// CMakeLists.txt.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "matrix_market.hpp"

namespace app {

//! Compressed rows in host memory. (upsweep's own view is another type to nvcc than to the C++ compiler.)
template <class T>
struct host_rows {
  std::int64_t rows, columns;
  std::span<const std::int32_t> offsets, column_indices;
  std::span<const T> values;
};

//! y = A·x on all of OpenMP's threads. T is float or double.
template <class T>
void eigen_multiply(const host_rows<T>& matrix, std::span<const T> x, std::span<T> y);

//! The ranks of a graph's vertices after so many iterations of the power method from equal ranks.
std::vector<double> eigen_pagerank(const triplets& edges, double damping, int iterations);

//! Eigen 3.4, 2 threads
std::string eigen_name();

}  // namespace app
