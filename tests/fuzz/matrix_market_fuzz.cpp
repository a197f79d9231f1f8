// Sparse matrices as text. What was read is written in the plainest form, entry by entry, and read back.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "apps/common/matrix_market.hpp"
#include "fuzz.hpp"

namespace {

std::string plain_text(const app::triplets& matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(matrix.rows) + ' ' +
                     std::to_string(matrix.columns) + ' ' + std::to_string(matrix.values.size()) + '\n';
  for (std::size_t i = 0; i < matrix.values.size(); i++) {
    std::array<char, 32> number{};
    const char* const end = std::to_chars(number.begin(), number.end(), matrix.values[i]).ptr;
    text += std::to_string(matrix.row_indices[i] + 1LL) + ' ' + std::to_string(matrix.column_indices[i] + 1LL) + ' ';
    text.append(std::string_view(number.data(), end)).append(1, '\n');
  }
  return text;
}

}  // namespace

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
  std::string text = plain_text(matrix);
  const app::triplets again = app::parse_matrix_market(text);
  fuzz::check(again.rows == matrix.rows && again.columns == matrix.columns, "the size is kept");
  fuzz::check(again.row_indices == matrix.row_indices && again.column_indices == matrix.column_indices,
              "so are places");
  fuzz::check(again.values == matrix.values, "so are values");
  return 0;
}
