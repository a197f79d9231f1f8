// Every combination of the library's table on a GPU, against plain loops. Items are such that no result of floats is
// rounded: all agree to the bit.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/sort/library/values.hpp>
#include <upsweep/sparse/library/matrices.hpp>
#include <upsweep/spmv.hpp>

namespace {
int wrong = 0, done = 0;
void check(bool right, const std::string& what) {
  if (!right) std::printf("WRONG: %s\n", what.c_str());
  wrong += !right;
  done++;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

constexpr upsweep::index_t row = 9;
constexpr upsweep::index_t sizes[] = {0, row, 111 * row, 100'001 * row, 400'009 * row};

//! Integers of all sizes, floats that are small integers; of a product −1 and 1, with a 2 here and there.
template <class T>
std::vector<T> items(upsweep::index_t n, bool factors) {
  std::vector<T> x(static_cast<std::size_t>(n));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < x.size(); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto high = static_cast<std::int64_t>(state >> 32);
    if constexpr (std::is_integral_v<T>) x[i] = static_cast<T>(state ^ state >> 32);
    else if (factors) x[i] = static_cast<T>((i % 1'000'000 == 7 ? 2 : 1) * (high % 2 ? -1 : 1));
    else x[i] = static_cast<T>(high % 5 - 2);
  }
  return x;
}

struct shape {
  const char* name;
  bool reversed;
  upsweep::index_t row;  // 0: all items are one
};

//! A scan in one loop; exclusive when there is an `init`, which starts it.
template <class T, class M>
std::vector<T> serial_scan(const std::vector<T>& in, const M& m, const shape& s, const T* init, bool exclusive) {
  const auto n = std::ssize(in);
  std::vector<T> out(in.size());
  T before{};
  for (upsweep::index_t k = 0; k < n; k++) {
    const auto i = static_cast<std::size_t>(s.reversed ? n - 1 - k : k);
    const bool first = s.row ? k % s.row == 0 : k == 0;
    const T now = first ? in[i] : m(before, in[i]);
    if (!exclusive) out[i] = now;
    else if (first) out[i] = init ? *init : m.identity();
    else out[i] = init ? m(*init, before) : before;
    before = now;
  }
  return out;
}

//! call(in, out) on buffers.
template <class Executor, class T, class Call>
void compare(Executor& exec, const std::vector<T>& in, const std::vector<T>& expected, const std::string& what,
             const Call& call) {
  const upsweep::buffer<T> from(exec, in);
  upsweep::buffer<T> to(exec, from.size());
  call(from, to);
  check(same_bits(to.to_vector(exec), expected), what);
}

template <class T, class Executor, class M>
void check_scans(Executor& exec, const std::vector<T>& in, const std::string& of, const M& m) {
  const auto along = [&](const shape& s, const auto& d) {
    const std::string name = s.name + of;
    const T three{3};
    compare(exec, in, serial_scan<T>(in, m, s, nullptr, false), "inclusive_scan, " + name,
            [&](const auto& x, auto& y) { upsweep::inclusive_scan(exec, x, y, m, d); });
    compare(exec, in, serial_scan<T>(in, m, s, nullptr, true), "exclusive_scan, " + name,
            [&](const auto& x, auto& y) { upsweep::exclusive_scan(exec, x, y, m, d); });
    compare(exec, in, serial_scan<T>(in, m, s, &three, true), "exclusive_scan from 3, " + name,
            [&](const auto& x, auto& y) { upsweep::exclusive_scan(exec, x, y, m, three, d); });
  };
  along({"forward, ", false, 0}, upsweep::forward);
  along({"reversed, ", true, 0}, upsweep::reversed);
  along({"rows, ", false, row}, upsweep::rows(row));
  along({"reversed rows, ", true, row}, upsweep::reversed_rows(row));
  const upsweep::buffer<T> from(exec, in);
  const T total = in.empty() ? m.identity() : serial_scan<T>(in, m, {}, nullptr, false).back();
  check(same_bits(upsweep::reduce(exec, from, m), total), "reduce, " + of);
}

//! Where the keys stand that a stable sort by their bits from `begin_bit` on makes the first, the second, …
template <class Key>
std::vector<std::size_t> order_of(const std::vector<Key>& keys, const upsweep::radix_options& options) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto bits = [&](std::size_t i) { return upsweep::radix_key<Key>::image(keys[i]) >> options.begin_bit; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return options.order == upsweep::sort_order::ascending ? bits(a) < bits(b) : bits(a) > bits(b);
  });
  return order;
}
template <class T>
std::vector<T> taken_in_order(const std::vector<T>& x, const std::vector<std::size_t>& order) {
  std::vector<T> taken;
  for (const std::size_t i : order) taken.push_back(x[i]);
  return taken;
}

template <class Key, class Executor>
void check_sorts(Executor& exec, const std::vector<Key>& keys, const std::string& of) {
  for (const auto order : {upsweep::sort_order::ascending, upsweep::sort_order::descending}) {
    const upsweep::radix_options options{.order = order, .begin_bit = 3};
    const std::vector<std::size_t> sorted = order_of(keys, options);
    compare(exec, keys, taken_in_order(keys, sorted), "radix_sort, " + of,
            [&](const auto& x, auto& y) { upsweep::radix_sort(exec, x, y, options); });
    const auto with_values = [&](const auto& values) {
      compare(exec, values, taken_in_order(values, sorted), "radix_sort_by_key, " + of, [&](const auto& x, auto& y) {
        upsweep::buffer<Key> beside(exec, keys);
        upsweep::radix_sort_by_key(exec, beside, x, beside, y, options);
        check(same_bits(beside.to_vector(exec), taken_in_order(keys, sorted)), "keys of radix_sort_by_key, " + of);
      });
    };
#define UPSWEEP_ROW(value, bytes) with_values(items<value>(std::ssize(keys), false));
    UPSWEEP_LIBRARY_VALUES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  }
}

template <class T, class Executor>
void check_type(Executor& exec, upsweep::index_t n, const char* name) {
  const std::string of = std::string(name) + ", " + std::to_string(n) + " items";
#define UPSWEEP_ROW(monoid, monoid_name, code) \
  check_scans<T>(exec, items<T>(n, code == UPSWEEP_MULTIPLIES), monoid_name " of " + of, upsweep::monoid<T>{});
  UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
  if constexpr (std::is_integral_v<T>) {
    UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
  }
#undef UPSWEEP_ROW
  check_sorts<T>(exec, items<T>(n, false), of);
}

//! y = 2·A·x + 3·y of a matrix with rows of 0 to 12 non-zeros, of small integers.
template <class Value, class Column, class Offset, class Executor>
void check_product(Executor& exec, upsweep::index_t n, const std::string& of) {
  std::vector<Offset> offsets{0};
  std::vector<Column> columns;
  for (upsweep::index_t r = 0; r < n; r++) {
    for (upsweep::index_t k = 0; k < r * 7 % 13; k++) columns.push_back(static_cast<Column>((r * 31 + k * 1009) % n));
    offsets.push_back(static_cast<Offset>(columns.size()));
  }
  const std::vector<Value> values = items<Value>(std::ssize(columns), false), x = items<Value>(n, false);
  std::vector<Value> expected = items<Value>(n, true);
  const upsweep::buffer<Offset> a_offsets(exec, offsets);
  const upsweep::buffer<Column> a_columns(exec, columns);
  const upsweep::buffer<Value> a_values(exec, values), from(exec, x);
  upsweep::buffer<Value> to(exec, expected);
  upsweep::spmv(exec, upsweep::csr_view(n, n, a_offsets, a_columns, a_values), from, to, Value{2}, Value{3});
  for (std::size_t r = 0; r < expected.size(); r++) {
    Value sum{};
    for (auto k = static_cast<std::size_t>(offsets[r]); k < static_cast<std::size_t>(offsets[r + 1]); k++)
      sum += values[k] * x[static_cast<std::size_t>(columns[k])];
    expected[r] = 2 * sum + 3 * expected[r];
  }
  check(to.to_vector(exec) == expected, "spmv, " + of);
}

void check_all(upsweep::device exec) {
  for (const upsweep::index_t n : sizes) {
#define UPSWEEP_ROW(type, name, code) check_type<type>(exec, n, name);
    UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(value, column, offset, name) \
  check_product<value, column, offset>(exec, n, std::string(name) + ", " + std::to_string(n) + " rows");
    UPSWEEP_LIBRARY_MATRICES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  }
}
}  // namespace

int main() try {
  upsweep::host host;  // is held to the same oracle, by one type
  check_type<float>(host, 111 * row, "float on the host");
  check_product<double, std::int32_t, std::int64_t>(host, 111 * row, "double on the host");
  std::printf("%d results on the host\n", done);
  if (upsweep::device::available()) {
    check_all(upsweep::device());
    std::printf("%d results with those of the GPU\n", done);
  } else {
    std::printf("no GPU\n");
  }
  std::printf("combinations: %s\n", wrong ? "WRONG" : "right");
  return wrong != 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "combinations: %s\n", e.what());
  return 1;
}
