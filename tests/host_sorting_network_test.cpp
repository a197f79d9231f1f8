// A network that sorts all sequences of noughts and ones sorts all others (Knuth, volume 3, 5.3.4, theorem Z).
#include <array>
#include <cstdint>

#include <upsweep/sort/cuda/sorting_network.hpp>

#include "catch.hpp"

namespace {

//! Applies a network to 64 sequences at a time, a bit of each word. Are all sorted then?
template <class Network, int Count>
bool sorts(std::array<std::uint64_t, Count> bits) {
  upsweep::gpu::apply_network<Network, Count>([&](auto low, auto high) {
    const std::uint64_t both = bits[low.value] & bits[high.value];
    bits[high.value] |= bits[low.value];
    bits[low.value] = both;
  });
  for (int k = 1; k < Count; k++)
    if (bits[k - 1] & ~bits[k]) return false;
  return true;
}

template <int Count>
bool sorts_all() {
  constexpr std::uint64_t own[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                   0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  constexpr int batches = Count > 6 ? 1 << (Count - 6) : 1;
  for (int batch = 0; batch < batches; batch++) {
    std::array<std::uint64_t, Count> bits{};
    for (int k = 0; k < Count; k++) bits[k] = k < 6 ? own[k] : -(std::uint64_t{1} & batch >> (k - 6));
    if (!sorts<upsweep::gpu::odd_even_merge_sort, Count>(bits)) return false;
  }
  return true;
}

//! Those that fall and rise: ones, noughts, ones.
template <int Count>
bool merges_all() {
  for (int fall = 0; fall <= Count; fall++)
    for (int rise = fall; rise <= Count; rise++) {
      std::array<std::uint64_t, Count> bits{};
      for (int k = 0; k < Count; k++) bits[k] = k < fall || k >= rise;
      if (!sorts<upsweep::gpu::bitonic_merge, Count>(bits)) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("sorting networks sort") {
  CHECK(sorts_all<2>());
  CHECK(sorts_all<3>());
  CHECK(sorts_all<7>());
  CHECK(sorts_all<8>());
  CHECK(sorts_all<12>());
  CHECK(sorts_all<16>());
  CHECK(sorts_all<20>());
}

TEST_CASE("merging networks sort what falls and rises") {
  CHECK(merges_all<2>());
  CHECK(merges_all<3>());
  CHECK(merges_all<4>());
  CHECK(merges_all<7>());
  CHECK(merges_all<8>());
  CHECK(merges_all<12>());
  CHECK(merges_all<16>());
}
