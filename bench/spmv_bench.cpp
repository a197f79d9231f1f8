// spmv: a band, an R-MAT graph, one giant row among short ones, random columns, a few long rows, mostly empty rows; a
// matrix so small that a call is a launch; and the suite. n is the number of non-zeros, about (in the suite: at most).
// Bytes are the least: each value, column, offset, item of x and item of y once.
#include <upsweep/spmv.hpp>

#include "../oracles/products.hpp"
#include "suite.hpp"
#if !UPSWEEP_HAS_CUDA || defined(UPSWEEP_WITH_CUSPARSE)
#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <utility>
#if UPSWEEP_HAS_CUDA
#include "cusparse.hpp"
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

template <class T>
std::vector<contender> peers_of(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
#if UPSWEEP_HAS_CUDA
  return cusparse_products(b, a, x, y);
#else
  return {{peers::name_of_product(), [=, threads = b.exec.threads()] { peers::product<T>(a, x, y, threads); }}};
#endif
}
//! Ours by a plan, which is made outside all timing.
template <class T>
contender planned(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
  using plan = upsweep::spmv_plan<typename upsweep::csr_view<T>::value_type, typename upsweep::csr_view<T>::column_type,
                                  typename upsweep::csr_view<T>::offset_type>;
  const auto made = [&] { return std::make_shared<plan>(b.exec, a); };
  made();  // the first one loads its kernels
  const auto start = std::chrono::steady_clock::now();
  const auto the_plan = made();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {"upsweep planned", [=, &b] { upsweep::spmv(b.exec, *the_plan, x, y); }, seconds};
}

//! The product by the oracle, and how far a sum in T, in any order, may be from that, which rounds itself.
struct right_product {
  std::span<const double> rows, bounds;

  template <class T>
  right_product(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x) {
    const struct {
      index_t rows;
      std::vector<int> offsets, column_indices;
      std::vector<T> values;
    } here{a.rows, fetched(b, a.offsets), fetched(b, a.column_indices), fetched(b, a.values)};
    std::vector<double> sums, near;
    for (const auto& row : oracle::spmv<double, double>(here, fetched(b, x))) {
      const int length = here.offsets[sums.size() + 1] - here.offsets[sums.size()];
      near.push_back(oracle::bound_of_sum<T>(length, row.magnitude) +
                     oracle::bound_of_sum<double>(length, row.magnitude));
      sums.push_back(row.sum);
    }
    rows = placed(b, sums);
    bounds = placed(b, near);
  }
};

template <class T>
trial multiply(bed& b, const shape& s, std::uint64_t shape_seed, std::uint64_t seed) {
  const auto a = filled_matrix<T>(b, s, shape_seed, seed);
  const std::span<const T> x = b.filled<T>(a.columns, uniform<T>{seed + 1});
  const auto y = b.room<T>(a.rows), theirs = b.room<T>(a.rows);
  const right_product right(b, a, x);
  const auto bytes = static_cast<double>(a.values.size_bytes() + a.column_indices.size_bytes() +
                                         a.offsets.size_bytes() + x.size_bytes() + y.size_bytes());
  auto contenders = peers_of<T>(b, a, x, theirs);
  contenders.push_back(planned<T>(b, a, x, theirs));
  return {.ours = [=, &b] { upsweep::spmv(b.exec, a, x, y); },
          .peers = contenders,
          .bytes = [=] { return bytes; },
          .check =
              [=, &b] {
                const std::string wrong = compare_within(b, y, right.rows, right.bounds);
                if (!wrong.empty()) return wrong;
                return compare_within(b, theirs, right.rows, right.bounds).empty() ? ""
                                                                                   : std::string("the peer is wrong");
              },
          .same_bits = true};
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
