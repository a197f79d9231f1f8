// spmv: banded, a lattice, R-MAT, one giant row among short ones, mostly empty rows. n is the number of non-zeros,
// about. Bytes are the least: each value, column, offset, item of x and item of y once.
#include <upsweep/spmv.hpp>

#include "harness.hpp"
#include "rmat.hpp"
#if !UPSWEEP_HAS_CUDA  // there is no GPU backend yet
#include <algorithm>
#include <bit>
#include <memory>

#include <upsweep/csr_build.hpp>
#if __has_include(<Eigen/SparseCore>)
#include <Eigen/SparseCore>
#endif

namespace bench {
namespace {

template <class T>
std::vector<contender> peers_of(const bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
#if __has_include(<Eigen/SparseCore>)
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
trial multiply(bed& b, const upsweep::csr_view<T>& a, std::uint64_t seed) {
  const std::span<const T> x = b.filled<T>(a.columns, uniform<T>{seed + 1});
  const auto y = b.room<T>(a.rows), expected = b.room<T>(a.rows);
  const auto bytes = static_cast<double>(a.values.size_bytes() + a.column_indices.size_bytes() +
                                         a.offsets.size_bytes() + x.size_bytes() + y.size_bytes());
  return {.ours = [=, &b] { upsweep::spmv(b.exec, a, x, y); },
          .peers = peers_of(b, a, x, expected),
          .bytes = [=] { return bytes; },
          .check = [=, &b] { return compare(b, y, expected, a.rows, 0.01); }};
}

//! A matrix of rows that begin at offset(r), its columns column(r, k).
template <class T, class OffsetOf, class ColumnOf>
trial multiply_rows(bed& b, index_t rows, index_t columns, std::uint64_t seed, OffsetOf offset_of, ColumnOf column_of) {
  const auto offsets = b.filled<int>(rows + 1, offset_of);
  const auto indices = b.scratch<int>(offsets.back());
#pragma omp parallel for schedule(dynamic, 1024)
  for (index_t r = 0; r < rows; r++)
    for (int k = offset_of(r); k < offset_of(r + 1); k++)
      indices[static_cast<std::size_t>(k)] = column_of(r, k - offset_of(r));
  const auto values = b.filled<T>(static_cast<index_t>(indices.size()), uniform<T>{seed});
  return multiply<T>(b, {rows, columns, offsets, indices, values}, seed);
}

template <class T, int PerRow>
trial banded(bed& b, index_t n, std::uint64_t seed) {
  const index_t rows = std::max<index_t>(n / PerRow, PerRow);
  return multiply_rows<T>(
      b, rows, rows, seed, [](index_t r) { return static_cast<int>(r * PerRow); },
      [=](index_t r, int k) { return static_cast<int>(std::clamp<index_t>(r - PerRow / 2, 0, rows - PerRow)) + k; });
}
//! Rows of four, and in their midst one of a sixteenth of all; columns are random.
template <class T>
trial giant(bed& b, index_t n, std::uint64_t seed) {
  const index_t length = n / 16, rows = (n - length) / 4 + 1, at = rows / 2;
  return multiply_rows<T>(
      b, rows, rows, seed, [=](index_t r) { return static_cast<int>(4 * r + (r > at ? length - 4 : 0)); },
      [=](index_t r, int k) {
        return static_cast<int>(random_bits(seed, 4 * r + k) % static_cast<std::uint64_t>(rows));
      });
}
//! Seven of eight rows are empty, the others have 16.
template <class T>
trial mostly_empty(bed& b, index_t n, std::uint64_t seed) {
  const index_t rows = n / 2;
  return multiply_rows<T>(
      b, rows, rows, seed, [](index_t r) { return static_cast<int>((r + 7) / 8 * 16); },
      [=](index_t r, int k) { return static_cast<int>((r + 3 * k) % rows); });
}

//! 16 places a row on average; those that were drawn twice are one.
template <class T>
trial power_law(bed& b, index_t n, std::uint64_t seed) {
  const int bits = std::max(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 5, 1);
  const index_t rows = index_t{1} << bits;
  const auto from = b.filled<int>(n, rmat{seed, bits, false}), to = b.filled<int>(n, rmat{seed, bits, true});
  const auto values = b.filled<T>(n, uniform<T>{seed});
  const auto a = std::make_shared<upsweep::csr_matrix<T>>(upsweep::coo_to_csr(b.exec, rows, rows, from, to, values));
  trial t = multiply<T>(b, a->view(), seed);
  t.ours = [a, call = t.ours] { call(); };  // the matrix lives as long as its trial
  return t;
}

constexpr int most = 26;  // 2^24 non-zeros on a CPU

const bool rows =
    large("spmv/float32_banded_27", banded<float, 27>, most) &&
    large("spmv/float32_power_law", power_law<float>, most) && large("spmv/float32_giant_row", giant<float>, most) &&
    more("spmv/float64_banded_27", banded<double, 27>, most) &&
    more("spmv/float64_power_law", power_law<double>, most) && more("spmv/float64_giant_row", giant<double>, most) &&
    more("spmv/float32_banded_5", banded<float, 5>, most) &&
    more("spmv/float32_mostly_empty", mostly_empty<float>, most) &&
    sizes("spmv/float32_banded_27", banded<float, 27>, 24);

}  // namespace
}  // namespace bench
#endif
