// Reductions, histograms, equalization.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "standard.hpp"

namespace bench::peers {

template <class T>
T sum(way w, input<T> in) {
  return by(w, [&](auto... policy) { return std::reduce(policy..., in.begin(), in.end(), T{}, upsweep::plus<T>{}); });
}
template int sum(way, input<int>);
template float sum(way, input<float>);

template <class T>
void sum_of_segments(input<T> in, input<int> offsets, output<T> out) {
  for (std::size_t s = 0; s < out.size(); s++)
    out[s] = std::reduce(in.begin() + offsets[s], in.begin() + offsets[s + 1], T{}, upsweep::plus<T>{});
}
template void sum_of_segments(input<int>, input<int>, output<int>);
template void sum_of_segments(input<double>, input<int>, output<double>);

// Writes at every item where its run stands, so that there is no jump to guess.
template <class T>
std::size_t reduce_by_key(input<int> keys, input<T> in, output<int> keys_out, output<T> out) {
  if (in.empty()) return 0;
  std::size_t run = 0;
  T sum{};
  int last = keys[0];
  for (std::size_t i = 0; i < in.size(); i++) {
    const bool same = keys[i] == last;
    run += !same;
    keys_out[run] = last = keys[i];
    out[run] = sum = upsweep::plus<T>{}(same ? sum : T{}, in[i]);
  }
  return run + 1;
}
template std::size_t reduce_by_key(input<int>, input<int>, output<int>, output<int>);
template std::size_t reduce_by_key(input<int>, input<double>, output<int>, output<double>);

namespace {
// Four tables in turn: equal neighbours do not wait for one another.
template <std::size_t Bins, class T>
void count(input<T> in, output<index_t> counts) {
  const auto tables = std::make_unique<std::uint32_t[]>(4 * Bins);
  std::uint32_t* const t = tables.get();
  std::size_t i = 0;
  for (; i + 4 <= in.size(); i += 4) {
    t[in[i]]++;
    t[Bins + in[i + 1]]++;
    t[2 * Bins + in[i + 2]]++;
    t[3 * Bins + in[i + 3]]++;
  }
  for (; i < in.size(); i++) t[in[i]]++;
  for (std::size_t v = 0; v < Bins; v++) counts[v] = index_t{t[v]} + t[Bins + v] + t[2 * Bins + v] + t[3 * Bins + v];
}
}  // namespace
template <class T>
void count_levels(input<T> in, output<index_t> counts) {
  count<std::size_t{1} << (8 * sizeof(T))>(in, counts);
}
template void count_levels(input<std::uint8_t>, output<index_t>);
template void count_levels(input<std::uint16_t>, output<index_t>);

template <class T>
void count_bins(input<T> in, output<index_t> counts, T most) {
  using number = std::conditional_t<std::is_integral_v<T>, double, T>;
  // Integers in bins of a whole width: from the middle between two, so that rounding leaves none in another bin, and
  // without a division an item.
  constexpr number middle = std::is_integral_v<T> ? number(0.5) : number(0);
  const number scale = static_cast<number>(counts.size()) / static_cast<number>(most);
  std::vector<index_t> table(counts.size() + 1);  // what lies outside has a counter, too: no jump to be guessed
  for (const T x : in) {
    const bool is_inside = x >= 0 && x < most;
    const auto bin = static_cast<std::size_t>((static_cast<number>(is_inside ? x : T{0}) + middle) * scale);
    table[is_inside ? bin : counts.size()]++;
  }
  std::copy_n(table.begin(), counts.size(), counts.begin());
}
template void count_bins(input<float>, output<index_t>, float);
template void count_bins(input<std::uint32_t>, output<index_t>, std::uint32_t);

namespace {
//! OpenCV's table of the counts of 8-bit levels.
std::array<std::uint8_t, 256> equalization_table(const std::array<index_t, 256>& counts) {
  index_t n = 0, upto = 0;
  for (const index_t c : counts) n += c;
  const index_t lowest = *std::find_if(counts.begin(), counts.end(), [](index_t c) { return c > 0; });
  const float scale = 255.f / static_cast<float>(std::max<index_t>(n - lowest, 1));
  std::array<std::uint8_t, 256> table;
  for (std::size_t v = 0; v < table.size(); v++) {
    upto += counts[v];
    const auto above = static_cast<float>(std::max<index_t>(upto - lowest, 0));
    table[v] = static_cast<std::uint8_t>(lowest == n ? static_cast<long>(v) : std::lrint(above * scale));
  }
  return table;
}

//! OpenCV's conversions, in integers of 14 fractional bits.
template <int Channels>
void equalize_luma_serially(std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
  using level = std::uint8_t;
  const auto luma = [](const level* p) { return (p[0] * 4899 + p[1] * 9617 + p[2] * 1868 + 8192) >> 14; };
  const auto byte = [](int v) { return std::clamp(v, 0, 255); };
  std::array<index_t, 256> counts{};
  for (std::size_t i = 0; i < in.size(); i += Channels) counts[static_cast<std::size_t>(luma(&in[i]))]++;
  const auto table = equalization_table(counts);
  for (std::size_t i = 0; i < in.size(); i += Channels) {
    const int y = luma(&in[i]), to = table[static_cast<std::size_t>(y)];
    const int cr = byte(((in[i] - y) * 11682 + (128 << 14) + 8192) >> 14) - 128;
    const int cb = byte(((in[i + 2] - y) * 9241 + (128 << 14) + 8192) >> 14) - 128;
    out[i] = static_cast<level>(byte(to + ((cr * 22987 + 8192) >> 14)));
    out[i + 1] = static_cast<level>(byte(to + ((cb * -5636 - cr * 11698 + 8192) >> 14)));
    out[i + 2] = static_cast<level>(byte(to + ((cb * 29049 + 8192) >> 14)));
    if constexpr (Channels == 4) out[i + 3] = in[i + 3];
  }
}
}  // namespace

void equalize(input<std::uint8_t> in, output<std::uint8_t> out) {
  std::array<index_t, 256> counts{};
  count<256>(in, output<index_t>(counts));
  const auto table = equalization_table(counts);
  std::transform(in.begin(), in.end(), out.begin(), [&](std::uint8_t v) { return table[v]; });
}
void equalize_luma(input<std::uint8_t> in, output<std::uint8_t> out, int channels) {
  if (channels == 3) equalize_luma_serially<3>(in, out);
  else equalize_luma_serially<4>(in, out);
}

}  // namespace bench::peers
