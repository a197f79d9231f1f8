// Reductions, histograms, equalization.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "../level_tables.hpp"
#include "standard.hpp"

namespace bench::peers {

template <class T>
T sum(way w, input<T> in) {
  return by(w, [&](auto... policy) { return std::reduce(policy..., in.begin(), in.end(), T{}, upsweep::plus<T>{}); });
}
template int sum(way, input<int>);
template float sum(way, input<float>);

void sum_of_segments(input<int> in, input<int> offsets, output<int> out) {
  for (std::size_t s = 0; s < out.size(); s++)
    out[s] = std::reduce(in.begin() + offsets[s], in.begin() + offsets[s + 1], 0, upsweep::plus<int>{});
}

// Writes at every item where its run stands, so that there is no jump to guess.
std::size_t reduce_by_key(input<int> keys, input<int> in, output<int> keys_out, output<int> out) {
  if (in.empty()) return 0;
  std::size_t run = 0;
  unsigned sum = 0;
  int last = keys[0];
  for (std::size_t i = 0; i < in.size(); i++) {
    const bool same = keys[i] == last;
    run += !same;
    sum = (same ? sum : 0u) + static_cast<unsigned>(in[i]);
    keys_out[run] = last = keys[i];
    out[run] = static_cast<int>(sum);
  }
  return run + 1;
}

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

void count_bins(input<float> in, output<index_t> counts, float most) {
  std::fill(counts.begin(), counts.end(), 0);
  const float scale = static_cast<float>(counts.size()) / most;
  for (const float x : in)
    if (x >= 0 && x < most) counts[static_cast<std::size_t>(x * scale)]++;
}

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
