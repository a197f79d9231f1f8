// Histograms and images: core/upsweep/library/table.hpp, algorithms/upsweep/images/library/table_entries.hpp. Images
// are held to the host, which gives the same bytes; histograms to plain loops.
#include <cmath>
#include <limits>
#include <type_traits>

#include <upsweep/clahe.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/images/library/table_entries.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/luma.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;
using counts = std::vector<std::int64_t>;

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

//! Which items count.
std::vector<std::uint8_t> flags_of(index_t n) {
  std::vector<std::uint8_t> flags;
  for (const float x : items<float>(n, false)) flags.push_back(static_cast<std::uint8_t>(x > 0 ? x : 0));
  return flags;
}

//! call(in, counts), of all items and of some, in bins that bin_of tells (a number that is no bin: none).
template <class T, class Bin, class Call>
void check_bins(tested& exec, const std::vector<T>& in, index_t bins, const std::string& what, const Bin& bin_of,
                const Call& call) {
  const std::vector<std::uint8_t> flags = flags_of(std::ssize(in));
  counts all(at(bins)), some(at(bins));
  for (std::size_t i = 0; i < in.size(); i++) {
    const index_t bin = bin_of(in[i]);
    if (bin < 0 || bin >= bins) continue;
    all[at(bin)]++;
    if (flags[i]) some[at(bin)]++;
  }
  const upsweep::buffer<T> from(exec, in);
  const upsweep::buffer<std::uint8_t> mask(exec, flags);
  upsweep::buffer<std::int64_t> to(exec, bins);
  call(from, to);
  check(to.to_vector(exec) == all, what);
  call(upsweep::masked(from, mask), to);
  check(to.to_vector(exec) == some, what + ", of some");
}

template <class T>
void check_histograms(tested& exec, index_t n, const char* name) {
  const std::vector<T> in = items<T>(n, false);
  const std::string of = counted(name, n);
  constexpr bool is_float = std::is_floating_point_v<T>;
  if constexpr (std::is_unsigned_v<T> && sizeof(T) <= 2)
    check_bins(
        exec, in, 200, "histogram, " + of, [](T x) { return static_cast<index_t>(x); },
        [&](const auto& from, auto& to) { upsweep::histogram(exec, from, to); });
  // Bins of one width. Those of floats are of a power of two.
  const double low = is_float ? -1.5 : 3, high = is_float ? 2.5 : std::ldexp(1., std::numeric_limits<T>::digits - 1);
  const T begin = static_cast<T>(low), end = static_cast<T>(high);
  const index_t bins = is_float ? 8 : 7;
  check_bins(
      exec, in, bins, "histogram_even, " + of,
      [&](T x) {
        if (!(x >= begin && x < end)) return index_t{-1};
        if constexpr (is_float) return static_cast<index_t>((x - begin) * 2);
        else return static_cast<index_t>(upsweep::wide_product(x - begin) * 7 / upsweep::wide_product(end - begin));
      },
      [&](const auto& from, auto& to) { upsweep::histogram_even(exec, from, to, begin, end); });
  // Bins between edges, and of integers without an integer between some of them.
  const std::vector<double> edges{-1.5, -1, 0.25, 0.5, 2, 100};
  const auto between = [&](T x) {
    index_t bin = -1;
    for (const double edge : edges) bin += static_cast<double>(x) >= edge;
    return bin;
  };
  check_bins(exec, in, std::ssize(edges) - 1, "histogram_range, " + of, between,
             [&](const auto& from, auto& to) { upsweep::histogram_range(exec, from, to, edges); });
  if constexpr (!is_float)
    check_bins(
        exec, in, 5, "histogram_even between real bounds, " + of,
        [](T x) { return static_cast<index_t>(x > T{1} && x < T{5} ? (static_cast<double>(x) - 1.25) / 0.75 : -1); },
        [&](const auto& from, auto& to) { upsweep::histogram_even(exec, from, to, 1.25, 5.); });
}

// ---------------------------------------------------------------- images
//! call(executor, in, out) of images of nine rows each, here and on a host.
template <class T, class Call>
void check_image(tested& exec, const upsweep::image_layout& layout, index_t n, const std::string& what,
                 const Call& call) {
  std::vector<T> in = items<T>(n, false), expected(in.size(), T{7});
  for (T& x : in) x = static_cast<T>(x / 5 + 9);
  upsweep::host plain;
  call(plain, upsweep::image(in, layout), upsweep::image(expected, layout));
  const upsweep::buffer<T> from(exec, in);
  upsweep::buffer<T> to(exec, std::vector<T>(in.size(), T{7}));
  call(exec, upsweep::image(from, layout), upsweep::image(to, layout));
  check(same_bits(to.to_vector(exec), expected), what);
}

template <class T>
void check_levels(tested& exec, index_t n, const char* name) {
  const upsweep::image_layout whole{.width = n / row, .height = row},
      batch{.width = n / row > 2 ? n / row - 2 : 0, .height = 3, .pitch = n / row, .count = 3};
  for (const upsweep::image_layout& layout : {whole, batch}) {
    const std::string of = counted(layout.count > 1 ? std::string("a batch of ") + name : name, n);
    const auto check_call = [&](const std::string& what, const auto& call) {
      check_image<T>(exec, layout, n, what + ", " + of, call);
    };
    for (const auto mode :
         {upsweep::equalize_mode::opencv, upsweep::equalize_mode::textbook, upsweep::equalize_mode::pil})
      check_call("equalize_histogram",
                 [&](auto& e, const auto& in, const auto& out) { upsweep::equalize_histogram(e, in, out, mode); });
    check_call("clahe", [&](auto& e, const auto& in, const auto& out) {
      upsweep::clahe(e, in, out, {.clip_limit = 2.5, .tiles = {.x = 3, .y = 2}});
    });
    if (layout.width == 0) continue;
    check_call("match_histogram", [&](auto& e, const auto& in, const auto& out) {
      auto darker = in.layout;
      darker.width = darker.width / 2 + 1;
      upsweep::match_histogram(e, in, upsweep::image(in.data, darker), out);
    });
    check_call("equalization_table and apply_table", [&](auto& e, const auto& in, const auto& out) {
      const index_t entries = layout.count * (index_t{std::numeric_limits<T>::max()} + 1);
      const upsweep::buffer<std::uint8_t> mask(e, flags_of(layout.width * layout.height * layout.count));
      upsweep::buffer<T> table(e, entries);
      upsweep::equalization_table(e, upsweep::masked(in, mask), table, upsweep::equalize_mode::textbook);
      upsweep::apply_table(e, in, table, out);
    });
  }
}

template <class T, class U>
void check_table(tested& exec, index_t n, const std::string& of) {
  const std::vector<T> in = items<T>(n, false);
  const std::vector<U> table = items<U>(index_t{std::numeric_limits<T>::max()} + 1, false);
  std::vector<U> expected;
  for (const T x : in) expected.push_back(table[x]);
  const upsweep::buffer<T> from(exec, in);
  const upsweep::buffer<U> by(exec, table);
  upsweep::buffer<U> to(exec, std::ssize(in));
  upsweep::apply_table(exec, from, by, to);
  check(same_bits(to.to_vector(exec), expected), "apply_table, " + of);
}

}  // namespace

void check_images(tested& exec, index_t n) {
#define UPSWEEP_ROW(type, name, code) check_histograms<type>(exec, n, name);
  UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
  UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  check_levels<std::uint8_t>(exec, n, "uint8");
  check_levels<std::uint16_t>(exec, n, "uint16");
#define UPSWEEP_ROW(U, bytes)                                                         \
  check_table<std::uint8_t, U>(exec, n, counted("of entries of " bytes " bytes", n)); \
  check_table<std::uint16_t, U>(exec, n, counted("16 bits, of entries of " bytes " bytes", n));
  UPSWEEP_LIBRARY_TABLE_ENTRIES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  for (const int channels : {3, 4})
    check_image<std::uint8_t>(
        exec, {.width = n / row / channels * channels, .height = row, .pitch = n / row}, n,
        "equalize_luma, " + counted(std::to_string(channels) + " channels", n),
        [&](auto& e, const auto& in, const auto& out) { upsweep::equalize_luma(e, in, out, {.channels = channels}); });
}
