// A network that sorts all sequences of noughts and ones sorts all others (Knuth, volume 3, 5.3.4, theorem Z).
#include <array>
#include <cstdint>

#include <upsweep/sort/cuda/sorting_network.hpp>

#include "catch.hpp"

namespace {

//! 64 sequences at a time, a bit of each word.
template <int Count>
bool sorts_all() {
  using upsweep::gpu::sort_by_network;
  constexpr std::uint64_t own[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                   0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  constexpr int batches = Count > 6 ? 1 << (Count - 6) : 1;
  for (int batch = 0; batch < batches; batch++) {
    std::array<std::uint64_t, Count> bits{};
    for (int k = 0; k < Count; k++) bits[k] = k < 6 ? own[k] : -(std::uint64_t{1} & batch >> (k - 6));
    sort_by_network<Count>([&](auto low, auto high) {
      const std::uint64_t both = bits[low.value] & bits[high.value];
      bits[high.value] |= bits[low.value];
      bits[low.value] = both;
    });
    for (int k = 1; k < Count; k++)
      if (bits[k - 1] & ~bits[k]) return false;
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
