// Sparse matrices as text.
#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/common/matrix_market.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<char> file(data, data + size);  // it is overwritten
  app::triplets matrix;
  if (!fuzz::reads([&] { matrix = app::parse_matrix_market(file); })) return 0;
  fuzz::check(matrix.row_indices.size() == matrix.values.size(), "a row of every entry");
  fuzz::check(matrix.column_indices.size() == matrix.values.size(), "a column of every entry");
  fuzz::check(matrix.values.size() <= 2 * size, "the file has held them, or one half of them");
  const auto within = [](std::int64_t end) { return [end](std::int32_t i) { return 0 <= i && i < end; }; };
  fuzz::check(std::ranges::all_of(matrix.row_indices, within(matrix.rows)), "rows of the matrix");
  fuzz::check(std::ranges::all_of(matrix.column_indices, within(matrix.columns)), "columns of the matrix");
  fuzz::check(std::ranges::all_of(matrix.values, [](double x) { return std::isfinite(x); }), "numbers");
  return 0;
}
