// spmv: a sparse matrix times a vector. The file's coordinates become compressed rows by a radix sort and a reduction
// by key; the product is one reduction of all rows, balanced over rows and non-zeros.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/csr_build.hpp>
#include <upsweep/spmv.hpp>

#include "../oracles/products.hpp"
#include "common/contenders.hpp"
#include "common/eigen_reference.hpp"
#include "common/file.hpp"
#include "common/generated_matrix.hpp"
#include "common/matrix_market.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/rounding.hpp"
#include "common/row_statistics.hpp"
#include "common/sparsity_picture.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"
#include "common/vector_file.hpp"
#if UPSWEEP_HAS_DEVICE && defined(UPSWEEP_WITH_CUSPARSE)
#include "common/cusparse_product.hpp"
#endif

namespace {

using upsweep::buffer;
using upsweep::index_t;

struct options {
  std::string file, shape = "rmat", type = "float", x, y, picture;
  int scale = 16, repeat = 20;
  bool plan = false, check = false;
};

template <class To, class From>
std::vector<To> converted(std::span<const From> from, To (*f)(From)) {
  std::vector<To> to(from.size());
  std::transform(from.begin(), from.end(), to.begin(), f);
  return to;
}

// ---------------------------------------------------------------- the matrix
app::triplets read(const options& asked) {
  if (!asked.file.empty())
    return app::about(asked.file, [&] {
      app::file_bytes file(asked.file);
      return app::parse_matrix_market({file.data(), static_cast<std::size_t>(file.size())});
    });
  std::fprintf(stderr, "spmv: no file is given: a generated matrix, --generate %s --scale %d\n", asked.shape.c_str(),
               asked.scale);
  const app::stage generating("generating a matrix");
  return app::generate_matrix(asked.shape, asked.scale);
}

//! Compressed rows where the executor works. What stands at one place is added in double.
template <class T>
upsweep::csr_matrix<T> compressed(upsweep::any_executor& exec, const app::triplets& from) {
  const app::stage compressing("compressing the rows");
  buffer<std::int32_t> rows, columns;
  buffer<double> values;
  auto exact = upsweep::coo_to_csr(exec, from.rows, from.columns, app::bring(exec, std::span(from.row_indices), rows),
                                   app::bring(exec, std::span(from.column_indices), columns),
                                   app::bring(exec, std::span(from.values), values));
  if constexpr (std::is_same_v<T, double>) {
    return exact;
  } else {
    upsweep::csr_matrix<T> matrix;
    matrix.rows = exact.rows;
    matrix.columns = exact.columns;
    matrix.offsets = std::move(exact.offsets);
    matrix.column_indices = std::move(exact.column_indices);
    matrix.values = buffer<T>(exec, exact.values.size());
    app::with_own_code(exec, [&](auto&& chosen) {
      app::round_numbers(chosen, app::all_of(exact.values), app::all_of(matrix.values));
    });
    exec.synchronize();
    return matrix;
  }
}

//! As many numbers as the matrix has columns.
template <class T>
std::vector<T> vector_for(index_t columns, const std::string& file) {
  const std::vector<double> numbers = file.empty() ? app::random_numbers(columns, 3) : app::read_vector(file);
  if (std::ssize(numbers) != columns)
    throw std::runtime_error(file + ": has " + app::grouped(std::ssize(numbers)) + " numbers, the matrix " +
                             app::grouped(columns) + " columns");
  for (std::size_t i = 0; i < numbers.size(); i++)
    if (std::isfinite(numbers[i]) && std::abs(numbers[i]) > static_cast<double>(std::numeric_limits<T>::max()))
      throw std::runtime_error(file + ": number " + app::grouped(static_cast<index_t>(i + 1)) +
                               " is out of the range of its type (--type)");
  return converted<T, double>(numbers, [](double value) { return static_cast<T>(value); });
}

//! The matrix in host memory.
template <class T>
struct fetched {
  buffer<std::int32_t> offsets, column_indices;
  buffer<T> values;
  app::host_rows<T> rows;
  fetched(upsweep::any_executor& exec, const upsweep::csr_view<T>& a)
      : rows{a.rows, a.columns, app::fetch(exec, a.offsets, offsets),
             app::fetch(exec, a.column_indices, column_indices), app::fetch(exec, a.values, values)} {
    if (!std::ranges::all_of(rows.values, [](T value) { return std::isfinite(value); }))
      throw std::runtime_error("a value is out of the range of its type (--type)");
  }
};

//! Each value, column, offset, item of x and item of y once.
template <class T>
std::int64_t least_bytes(const app::host_rows<T>& a) {
  const std::int64_t items = std::ssize(a.values) + a.rows + a.columns;
  const std::int64_t indices = std::ssize(a.values) + std::ssize(a.offsets);
  return items * static_cast<std::int64_t>(sizeof(T)) + indices * static_cast<std::int64_t>(sizeof(std::int32_t));
}

// ---------------------------------------------------------------- the same by Eigen, in double
//! Of a sum of n products in T; Eigen's error in double comes on top.
template <class T>
double error_bound(std::int32_t n, double sum_of_sizes) {
  return oracle::bound_of_sum<T>(n, sum_of_sizes) + oracle::bound_of_sum<double>(n, sum_of_sizes);
}

template <class T>
void verify(const app::host_rows<T>& a, std::span<const T> x, std::span<const T> y) {
  const app::stage verifying("verifying");
  const auto as_double = [](T value) { return static_cast<double>(value); };
  const auto size = [](double value) { return std::abs(value); };
  std::vector<double> values = converted<double, T>(a.values, as_double), from = converted<double, T>(x, as_double);
  std::vector<double> expected(y.size()), sizes(y.size());
  const auto multiply = [&](std::vector<double>& to) {
    app::eigen_multiply<double>({a.rows, a.columns, a.offsets, a.column_indices, values}, from, to);
  };
  multiply(expected);
  std::ranges::transform(values, values.begin(), size);
  std::ranges::transform(from, from.begin(), size);
  multiply(sizes);
  for (std::size_t r = 0; r < y.size(); r++) {
    const double bound = error_bound<T>(a.offsets[r + 1] - a.offsets[r], sizes[r]);
    // Where the sizes add up to more than T holds, or are not finite, a sum is not finite in one order or another.
    const bool may_overflow = !(sizes[r] + bound <= static_cast<double>(std::numeric_limits<T>::max()));
    if (may_overflow && !std::isfinite(y[r])) continue;
    if (std::isfinite(expected[r]) && std::abs(static_cast<double>(y[r]) - expected[r]) <= bound) continue;
    char text[160];
    std::snprintf(text, sizeof text, "row %zu is %.9g, by Eigen in double %.17g, and may differ by %.2g", r + 1,
                  static_cast<double>(y[r]), expected[r], bound);
    throw std::runtime_error(text);
  }
}

// ---------------------------------------------------------------- all of it
template <class T>
std::string describe(const app::host_rows<T>& a, const std::string& kind, const options& asked) {
  return (asked.file.empty() ? "generated" : asked.file) + ": " + kind + ", " + app::grouped(a.rows) + " x " +
         app::grouped(a.columns) + ", " + app::grouped(std::ssize(a.values)) + " non-zeros as " + asked.type + "\n" +
         app::row_statistics(a.offsets).text();
}

//! Both files and what is printed, or none of them.
template <class T>
void write_files(const app::host_rows<T>& a, std::span<const T> y, const options& asked, const std::string& printed) {
  const app::stage writing("writing files");
  app::output_files files;
  if (!asked.picture.empty()) files.open(asked.picture).write(app::draw_sparsity(a).png());
  if (!asked.y.empty()) app::write_vector(files.open(asked.y), y);
  files.open("-").write(printed);
  files.commit();
}

//! cuSPARSE's product into `y`, where the executor is a GPU and cuSPARSE was found. Is there one?
template <class T>
bool add_cusparse([[maybe_unused]] std::vector<app::contender>& field, upsweep::any_executor& exec,
                  [[maybe_unused]] const upsweep::csr_view<T>& a, [[maybe_unused]] std::span<const T> x,
                  [[maybe_unused]] std::span<T> y) {
#if UPSWEEP_HAS_DEVICE && defined(UPSWEEP_WITH_CUSPARSE)
  return exec.visit([&](auto& chosen) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(chosen)>, upsweep::device>) {
      if (a.nonzeros() == 0) return false;  // which it refuses
      const auto product = std::make_shared<app::cusparse_product<T>>(chosen, a, x, y);
      field.push_back({"cuSPARSE", [product, &chosen] {
                         (*product)();
                         chosen.synchronize();
                       }});
      return true;
    } else {
      return false;
    }
  });
#else
  static_cast<void>(exec);
  return false;
#endif
}

template <class T>
int run(upsweep::any_executor& exec, const options& asked) {
  std::string said;  // of times, in the end
  app::stopwatch watch;
  const auto took = [&](const std::string& what) {
    said += (said.empty() ? "" : ", ") + app::duration(watch.lap()) + what;
  };
  const app::triplets entries = read(asked);
  took(" read");
  const upsweep::csr_matrix<T> matrix = compressed<T>(exec, entries);
  took(" to compress the rows");
  const upsweep::csr_view a = matrix.view();
  const fetched<T> here(exec, a);
  const std::vector<T> x = vector_for<T>(a.columns, asked.x);
  std::vector<T> eigens_y(static_cast<std::size_t>(a.rows));
  buffer<T> x_copy, y_copy, y(exec, a.rows), planned_y(exec, a.rows);
  const std::span<const T> x_there = app::bring(exec, std::span(x), x_copy);
  std::optional<upsweep::spmv_plan<T, std::int32_t, std::int32_t>> plan;
  watch.lap();
  if (asked.plan) {
    plan.emplace(exec, a);
    took(" to plan");
  }

  const std::string ours = std::string("upsweep on ") + exec.name();
  std::vector<app::contender> field{{ours, [&] {
                                       upsweep::spmv(exec, a, x_there, y);
                                       exec.synchronize();
                                     }}};
  if (plan)
    field.push_back({ours + ", planned", [&] {
                       upsweep::spmv(exec, *plan, x_there, planned_y);
                       exec.synchronize();
                     }});
  buffer<T> cusparses_y(exec, a.rows);
  const bool has_cusparse = add_cusparse<T>(field, exec, a, x_there, std::span(cusparses_y.data(), eigens_y.size()));
  field.push_back({app::eigen_name(), [&] { app::eigen_multiply<T>(here.rows, x, eigens_y); }});
  {
    const app::stage multiplying("multiplying");
    app::race(field, asked.repeat);
  }

  const auto fetch = [&](const buffer<T>& product) {
    return app::fetch(exec, std::span<const T>(product.data(), eigens_y.size()), y_copy);
  };
  watch.lap();
  if (asked.check) {
    const auto check = [&](const std::string& whose, const buffer<T>& product) {
      app::about(whose, [&] { verify<T>(here.rows, x, fetch(product)); });
    };
    check(ours, y);
    if (plan) check(ours + ", planned", planned_y);
    if (has_cusparse) check("cuSPARSE", cusparses_y);
    took(" to verify");
  }
  write_files(here.rows, fetch(y), asked,
              describe(here.rows, entries.kind, asked) + app::table(field, 2 * a.nonzeros(), least_bytes(here.rows)));
  std::fprintf(stderr, "spmv: %s\n", said.c_str());
  if (asked.check)
    std::fprintf(stderr, "spmv: verified against Eigen in double%s\n", has_cusparse ? ", and so is cuSPARSE" : "");
  if (!asked.picture.empty()) std::fprintf(stderr, "spmv: %s shows the non-zeros\n", asked.picture.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Multiplies a sparse matrix by a vector, and tells how fast.", "spmv");
  cli.footer(R"(FILE is a matrix in the Matrix Market format: coordinates of a real, integer or pattern matrix that is
general, symmetric or skew-symmetric; of rows and columns together at most 64 an entry, or 4,194,304.
Entries of one place are added. Without a file one is generated, the same each time, and the program
says so: --generate rmat has 16 entries a row on average, few rows with many and many with few, as the
graph of the web; --generate lattice is a grid in the plane, every point with its four neighbours.
The vector is random numbers in (-1, 1), or what --x names; --y takes the product. Both are NumPy arrays
when their names end in .npy, else text, one number a line.

The table says what a product takes, one at a time (the median of --repeat ones, upsweep and Eigen in
turns; Eigen is always on the host, on a GPU there is cuSPARSE too), the multiplications and additions
of the non-zeros, and the least bytes: each value, column, offset of a row, item of x and item of y once.

--check compares upsweep's products, and cuSPARSE's, with Eigen's in double: row by row, by how much sums
of so many products may differ. --picture draws where the non-zeros are: black is empty, brighter is
denser. Files are written whole or not at all: when something fails an old one stays. Other times are on
standard error.)");
  options asked;
  std::string backend;
  cli.add_option("--type", asked.type, "Of values and vectors").shows_default().one_of({"float", "double"});
  app::option shape = cli.add_option("--generate", asked.shape, "Instead of a file: rmat or lattice")
                          .shows_default()
                          .one_of({"rmat", "lattice"});
  app::option scale =
      cli.add_option("--scale", asked.scale, "The generated matrix has 2^scale rows").shows_default().range(0, 26);
  cli.add_option("--repeat", asked.repeat, "How many products are timed").shows_default().range(1, 1000000);
  cli.add_flag("--plan", asked.plan, "Time products by a plan of the matrix too");
  cli.add_flag("--check", asked.check, "Compare the products with Eigen's; a difference is an error");
  cli.add_file("--x", asked.x, "A file: the vector");
  cli.add_file("--y", asked.y, "A file: write the product");
  cli.add_file("--picture", asked.picture, "A PNG file: draw where the non-zeros are");
  app::add_backend(cli, backend);
  cli.add_file("FILE", asked.file, "A matrix; - is standard input").excludes(shape).excludes(scale);
  const auto body = [&] {
    app::check_files({{"FILE", asked.file}, {"--x", asked.x}}, {{"--picture", asked.picture}, {"--y", asked.y}});
    auto exec = app::executor_of(backend);
    return asked.type == "float" ? run<float>(exec, asked) : run<double>(exec, asked);
  };
  return app::run(cli, argc, argv, body);
}
