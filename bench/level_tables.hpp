// Serial loops over pictures, as OpenCV defines the results: the oracles of both sides, and peers on a CPU.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include <upsweep/config.hpp>

namespace bench {

using upsweep::index_t;

//! OpenCV's table of the counts of 8-bit levels.
inline std::array<std::uint8_t, 256> equalization_table(const std::array<index_t, 256>& counts) {
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

}  // namespace bench
