// The library fast_matrix_market reads the entries, on all threads. It lets things pass that are wrong ("1.5x" is 1.5,
// and "2 1.5" the entry .5 at (2, 1)), and knows no comments between entries. So its text is prepared, and the numbers
// are looked at as they come.
#include "matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <istream>
#include <limits>
#include <stdexcept>
#include <streambuf>
#include <string_view>

#include <fast_matrix_market/app/triplet.hpp>
#include <fast_matrix_market/fast_matrix_market.hpp>

#include "report.hpp"
#include "stage.hpp"

namespace app {
namespace {

namespace fmm = fast_matrix_market;
constexpr std::string_view blanks = " \t\r";  // with \r: lines may end as Windows' do

[[noreturn]] void refuse(std::int64_t line, const std::string& what) {
  throw std::runtime_error("line " + std::to_string(line) + ": " + what);
}
//! Tells an error of the library's, which begins with its line, "Line 7: ", in most cases.
[[noreturn]] void retell(const fmm::fmm_error& error, std::int64_t line) {
  const std::string_view what = error.what();
  if (!what.starts_with("Line ")) refuse(line, std::string(what));
  throw std::runtime_error('l' + std::string(what.substr(1)));
}

//! A text as a stream, without a copy.
class text_buffer : public std::streambuf {
 public:
  explicit text_buffer(std::span<char> text) : parsing_("parsing the matrix", static_cast<std::int64_t>(text.size())) {
    setg(text.data(), text.data(), text.data() + text.size());
  }
  std::size_t taken() const { return static_cast<std::size_t>(gptr() - eback()); }

 protected:
  std::streamsize xsgetn(char* to, std::streamsize most) override {
    parsing_.at(gptr() - eback());
    return std::streambuf::xsgetn(to, most);
  }

 private:
  stage parsing_;
};

// ---------------------------------------------------------------- the header
std::string name_of(const fmm::matrix_market_header& header) {
  return fmm::field_map.at(header.field) + ", " + fmm::symmetry_map.at(header.symmetry);
}

void check(const fmm::matrix_market_header& header) {
  if (header.object != fmm::matrix) refuse(1, "a vector, must be a matrix");
  if (header.format != fmm::coordinate) refuse(1, "an array of all items, must be coordinates");
  if (header.field == fmm::complex || header.symmetry == fmm::hermitian)
    refuse(1, "the matrix is " + name_of(header) + "; it must be real, integer or pattern, and not hermitian");
  const std::int64_t line = header.header_line_count;
  if (std::max(header.nrows, header.ncols) > std::numeric_limits<std::int32_t>::max())
    refuse(line, grouped(header.nrows) + " rows and " + grouped(header.ncols) + " columns, at most 2,147,483,647 fit");
  if (header.symmetry != fmm::general && header.nrows != header.ncols)
    refuse(line, grouped(header.nrows) + " rows and " + grouped(header.ncols) + " columns cannot be " +
                     fmm::symmetry_map.at(header.symmetry));
  // Offsets and vectors are as long as the matrix has rows and columns, whether anything stands in them. So the memory
  // is in proportion to the entries, whose number the file proves (see prepare()); what is small may be empty.
  constexpr std::int64_t small = std::int64_t{1} << 22, most_an_entry = 64;
  if (header.nrows + header.ncols > std::max(small, most_an_entry * std::min(header.nnz, std::int64_t{1} << 40)))
    refuse(line, grouped(header.nrows) + " rows and " + grouped(header.ncols) + " columns are too many for " +
                     grouped(header.nnz) + " entries: together at most " + grouped(most_an_entry) + " an entry, or " +
                     grouped(small));
}

fmm::matrix_market_header read_header(std::istream& stream, std::span<const char> text, const text_buffer& buffer) {
  fmm::matrix_market_header header;
  try {
    fmm::read_header(stream, header);
  } catch (const fmm::fmm_error& error) {  // about the line that was read last
    const auto read = text.first(buffer.taken());
    retell(error, std::count(read.begin(), read.end(), '\n') + (read.empty() || read.back() != '\n'));
  }
  check(header);
  return header;
}

// ---------------------------------------------------------------- the entries
//! Makes comments blank, and refuses another number of entries than the header announces. So the memory that the header
//! asks for is in proportion to the file.
void prepare(std::span<char> body, const fmm::matrix_market_header& header) {
  std::int64_t line = header.header_line_count, entries = 0;
  char* const end = body.data() + body.size();
  for (char* at = body.data(); at != end;) {
    line++;
    auto* stop = static_cast<char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (!stop) stop = end;
    char* const first = std::find_if(at, stop, [](char c) { return blanks.find(c) == blanks.npos; });
    if (first != stop && *first == '%') {
      std::fill(first, stop, ' ');
    } else if (first != stop && ++entries > header.nnz) {
      refuse(line, "an entry more than the " + grouped(header.nnz) + " of the header");
    }
    at = stop + (stop != end);
  }
  if (entries < header.nnz)
    refuse(line, "the file ends after " + grouped(entries) + " of " + grouped(header.nnz) + " entries");
}

//! Where the line ends, if nothing else is to come.
const char* end_of_line(const char* at, const char* end) {
  at = std::find_if(at, end, [](char c) { return blanks.find(c) == blanks.npos; });
  if (at == end || *at == '\n') return at;
  const char* const stop = std::find(at, end, '\n');
  throw fmm::invalid_mm("what is " + in_quotes({at, static_cast<std::size_t>(stop - at)}) + " behind the entry?");
}

//! What stands behind an entry's place, to the end of its line: a number, or nothing in a pattern. The library finds
//! read_value by its argument's type. (It wants a minus too, for the other half of a matrix, which it is not asked
//! for.)
struct real {
  double value = 0;
  real operator-() const { return {-value}; }
};
struct integer {
  double value = 0;
  integer operator-() const { return {-value}; }
};
struct implied {
  static constexpr double value = 1;
  implied operator-() const { return {}; }
};

const char* read_number(const char* at, const char* end, double& value, const fmm::read_options& options) {
  // The library reads "2 1.5" as 2, 1 and .5: the column has not ended where the value begins.
  const auto is_blank = [](char c) { return c == '\n' || blanks.find(c) != blanks.npos; };
  if (at != end && !is_blank(*at) && !is_blank(at[-1]))
    throw fmm::invalid_mm("there is no blank between the column and the value");
  if (end - at > 1 && *at == '+' && at[1] != '-') at++;  // which from_chars does not take
  at = fmm::read_float(at, end, value, options.float_out_of_range_behavior);
  if (!std::isfinite(value)) throw fmm::invalid_mm("the value is not finite");
  return at;
}
const char* read_value(const char* at, const char* end, real& number, const fmm::read_options& options) {
  return end_of_line(read_number(at, end, number.value, options), end);
}
const char* read_value(const char* at, const char* end, integer& number, const fmm::read_options& options) {
  const char* const stop = read_number(at, end, number.value, options);
  if (std::find_if(at, stop, [](char c) { return c == '.' || c == 'e' || c == 'E'; }) != stop)
    throw fmm::invalid_mm("the value " + in_quotes({at, static_cast<std::size_t>(stop - at)}) + " is no integer");
  return end_of_line(stop, end);
}
const char* read_value(const char* at, const char* end, implied&, const fmm::read_options&) {
  return end_of_line(at, end);
}

//! Takes entries, from several threads: each has a part of its own.
template <class Value>
class taker {
 public:
  using coordinate_type = std::int64_t;
  using value_type = Value;
  static constexpr int flags = fmm::kParallelOk;

  taker(triplets& to, fmm::symmetry_type symmetry) : to_(&to), symmetry_(symmetry) {}
  void handle(std::int64_t row, std::int64_t column, const Value& number) {
    if (symmetry_ != fmm::general && column > row)
      throw fmm::invalid_mm("an entry above the diagonal, of which the half below is stored");
    if (symmetry_ == fmm::skew_symmetric && column == row)
      throw fmm::invalid_mm("an entry on the diagonal of a skew-symmetric matrix");
    to_->row_indices[at_] = static_cast<std::int32_t>(row);
    to_->column_indices[at_] = static_cast<std::int32_t>(column);
    to_->values[at_++] = number.value;
  }
  taker get_chunk_handler(std::int64_t first) const {
    taker part = *this;
    part.at_ = static_cast<std::size_t>(first);
    return part;
  }

 private:
  triplets* to_;
  fmm::symmetry_type symmetry_;
  std::size_t at_ = 0;
};

template <class Value>
void read_entries(std::istream& stream, fmm::matrix_market_header header, triplets& to) {
  header.field = fmm::real;  // the library shall call read_value in any case
  taker<Value> handler(to, header.symmetry);
  fmm::read_options options;
  options.generalize_symmetry = false;
  fmm::read_matrix_market_body<taker<Value>, fmm::compile_coordinate_only>(stream, header, handler, Value{}, options);
}

}  // namespace

triplets parse_matrix_market(std::span<char> text) {
  text_buffer buffer(text);
  std::istream stream(&buffer);
  const fmm::matrix_market_header header = read_header(stream, text, buffer);
  prepare(text.subspan(buffer.taken()), header);

  triplets matrix{header.nrows, header.ncols, {}, {}, {}, name_of(header)};
  const auto entries = static_cast<std::size_t>(header.nnz);
  matrix.row_indices.resize(entries);
  matrix.column_indices.resize(entries);
  matrix.values.resize(entries);
  try {
    if (header.field == fmm::pattern) read_entries<implied>(stream, header, matrix);
    else if (header.field == fmm::integer) read_entries<integer>(stream, header, matrix);
    else read_entries<real>(stream, header, matrix);
  } catch (const fmm::fmm_error& error) {
    retell(error, header.header_line_count);
  }
  fmm::generalize_symmetry_triplet(matrix.row_indices, matrix.column_indices, matrix.values, header.symmetry);
  return matrix;
}

}  // namespace app
