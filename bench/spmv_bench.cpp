// spmv: a band, an R-MAT graph, one giant row among short ones, random columns, a few long rows, mostly empty rows; a
// matrix so small that a call is a launch; and the suite. n is the number of non-zeros, about (in the suite: at most).
// Bytes are the least: each value, column, offset, item of x and item of y once.
#include <upsweep/spmv.hpp>

#include "suite.hpp"
#if !UPSWEEP_HAS_CUDA || defined(UPSWEEP_WITH_CUSPARSE)
#include <algorithm>
#include <bit>
#include <utility>
#if UPSWEEP_HAS_CUDA
#include "cusparse.hpp"
#elif __has_include(<Eigen/SparseCore>)
#include <Eigen/SparseCore>
#endif

namespace bench {
namespace {

template <class T>
std::vector<contender> peers_of(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
#if UPSWEEP_HAS_CUDA
  return cusparse_products(b, a, x, y);
#elif __has_include(<Eigen/SparseCore>)
  using matrix = Eigen::SparseMatrix<T, Eigen::RowMajor>;
  const auto multiply = [=, threads = b.exec.threads()] {
    const Eigen::Map<const matrix> by(a.rows, a.columns, a.nonzeros(), a.offsets.data(), a.column_indices.data(),
                                      a.values.data());
    const Eigen::Map<const Eigen::VectorX<T>> from(x.data(), a.columns);
    Eigen::Map<Eigen::VectorX<T>> to(y.data(), a.rows);
    Eigen::setNbThreads(threads);
    to.noalias() = by * from;
  };
  return {{"Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION), multiply}};
#else
  static_cast<void>(b);
  return {{"a serial loop", [=] {
             for (std::size_t r = 0; r < y.size(); r++) {
               T sum{};
               for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]);
                    k++)
                 sum += a.values[k] * x[static_cast<std::size_t>(a.column_indices[k])];
               y[r] = sum;
             }
           }}};
#endif
}

template <class T>
trial multiply(bed& b, const shape& s, std::uint64_t shape_seed, std::uint64_t seed) {
  const auto a = filled_matrix<T>(b, s, shape_seed, seed);
  const std::span<const T> x = b.filled<T>(a.columns, uniform<T>{seed + 1});
  const auto y = b.room<T>(a.rows), expected = b.room<T>(a.rows);
  const auto bytes = static_cast<double>(a.values.size_bytes() + a.column_indices.size_bytes() +
                                         a.offsets.size_bytes() + x.size_bytes() + y.size_bytes());
  return {.ours = [=, &b] { upsweep::spmv(b.exec, a, x, y); },
          .peers = peers_of<T>(b, a, x, expected),
          .bytes = [=] { return bytes; },
          .check = [=, &b] { return compare(b, y, expected, a.rows, 0.01); }};
}

//! Rows of `length`, spread over a window around the diagonal or (0) over all columns.
shape even(index_t rows, index_t columns, index_t length, index_t window) {
  return {.name = "",
          .rows = rows,
          .columns = columns,
          .nonzeros = static_cast<double>(rows * length),
          .lengths = law::between,
          .least = static_cast<double>(length),
          .scale = 0,
          .exponent = 0,
          .empty = 0,
          .most = length,
          .hubs = 0,
          .block = 1,
          .where = place::spread,
          .window = window,
          .far = 0};
}
template <class T, int PerRow>
trial banded(bed& b, index_t n, std::uint64_t seed) {
  const index_t rows = std::max<index_t>(n / PerRow, PerRow);
  return multiply<T>(b, even(rows, rows, PerRow, PerRow), seed, seed);
}
template <class T>
trial random_64(bed& b, index_t n, std::uint64_t seed) {
  return multiply<T>(b, even(n / 64, n / 64, 64, 0), seed, seed);
}
//! 64 rows of as many each as there are, and twice as many columns.
template <class T>
trial long_rows(bed& b, index_t n, std::uint64_t seed) {
  return multiply<T>(b, even(64, n / 32, n / 64, 0), seed, seed);
}
//! Rows of four, and in their midst one of a sixteenth of all; columns are random.
template <class T>
trial giant(bed& b, index_t n, std::uint64_t seed) {
  shape s = even((n - n / 16) / 4 + 1, (n - n / 16) / 4 + 1, 4, 0);
  s.most = n / 16;
  s.hubs = 1;
  return multiply<T>(b, s, seed, seed);
}
//! Seven of eight rows are empty, the others have 16.
template <class T>
trial mostly_empty(bed& b, index_t n, std::uint64_t seed) {
  shape s = even(n / 2, n / 2, 16, 64);
  s.empty = .875;
  return multiply<T>(b, s, seed, seed);
}
//! An R-MAT graph of 16 edges a row on average.
template <class T>
trial power_law(bed& b, index_t n, std::uint64_t seed) {
  const index_t rows = static_cast<index_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<index_t>(n / 16, 2))));
  shape s = even(rows, rows, 0, 0);
  s.lengths = law::rmat;
  s.scale = static_cast<double>(n);
  s.most = n;
  s.where = place::rmat;
  return multiply<T>(b, s, seed, seed);
}
//! 2,000 rows of 21,000 non-zeros, whatever n is.
template <class T>
trial rows_2000(bed& b, index_t, std::uint64_t seed) {
  shape s = even(2000, 2000, 0, 200);
  s.least = 4;
  s.scale = 13;
  s.most = 18;
  return multiply<T>(b, s, seed, seed);
}

constexpr int most = 26;  // 2^24 non-zeros on a CPU

const bool rows =
    large("spmv/float32_banded_27", banded<float, 27>, most) &&
    large("spmv/float32_power_law", power_law<float>, most) && large("spmv/float32_giant_row", giant<float>, most) &&
    more("spmv/float64_banded_27", banded<double, 27>, most) &&
    more("spmv/float64_power_law", power_law<double>, most) && more("spmv/float64_giant_row", giant<double>, most) &&
    more("spmv/float32_banded_5", banded<float, 5>, most) &&
    more("spmv/float32_mostly_empty", mostly_empty<float>, most) &&
    more("spmv/float32_random_64", random_64<float>, most) && more("spmv/float64_random_64", random_64<double>, most) &&
    more("spmv/float32_64_long_rows", long_rows<float>, most - 1) &&
    more("spmv/float64_64_long_rows", long_rows<double>, most - 1) &&
    small("spmv/float32_2000_rows", rows_2000<float>, 14) && small("spmv/float64_2000_rows", rows_2000<double>, 14) &&
    sizes("spmv/float32_banded_27", banded<float, 27>, 24);

// A matrix of the suite at its own size, if it has 2^28 non-zeros at most; on a CPU all above 2^26 are shrunk.
template <class T, std::size_t K>
trial of_suite(bed& b, index_t n, std::uint64_t seed) {
  return multiply<T>(b, shrunk(suite_shapes[K], n), suite_seed, seed);
}
template <std::size_t... K>
bool register_suite(std::index_sequence<K...>) {
  const auto row = [](std::size_t k, const char* type, maker make) {
    return suite(std::string("spmv/") + suite_shapes[k].name + "_" + type, make, 28);
  };
  return ((row(K, "float32", of_suite<float, K>) && row(K, "float64", of_suite<double, K>)) && ...);
}
const bool suite_rows = register_suite(std::make_index_sequence<suite_shapes.size()>{});

}  // namespace
}  // namespace bench
#endif
