// Sparse matrices in the Matrix Market format (Boisvert, Pozo and Remington 1996): coordinates of real, integer and
// pattern matrices; general, symmetric and skew-symmetric ones. The C++ compiler's alone: see CMakeLists.txt.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace app {

//! A matrix as its entries, in host memory. Indices begin with 0; places may stand there more than once.
struct triplets {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int32_t> row_indices, column_indices;
  std::vector<double> values;  // 1 in a pattern
  std::string kind;            // real, symmetric
};

//! The matrix of a file with this text, which is overwritten; the other half of a symmetric matrix behind the half that
//! is stored. Throws std::runtime_error "line 7: …" for what is wrong.
triplets parse_matrix_market(std::span<char> text);

}  // namespace app
