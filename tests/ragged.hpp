// Segments of very different lengths, by offsets, and the pieces that a call sees.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "oracle.hpp"
#include "support.hpp"

namespace test {

//! Offsets of segments of about `length` items, some empty, every 16th ten times as long; items in front of the first
//! and behind the last.
template <class Offset>
std::vector<Offset> ragged_offsets(index_t n, index_t length) {
  generator random(static_cast<std::uint64_t>(n + 77 * length));
  std::vector<Offset> offsets{static_cast<Offset>(std::min<index_t>(n, 3))};
  for (index_t next = offsets[0]; next < n - n / 16;) {
    offsets.push_back(static_cast<Offset>(next));
    if (random.below(8) == 0) offsets.insert(offsets.end(), random.below(5), static_cast<Offset>(next));
    const index_t most = random.below(16) == 0 ? 10 * length : length;
    next += 1 + static_cast<index_t>(random.below(static_cast<std::uint64_t>(2 * most)));
  }
  offsets.push_back(std::max(offsets.back(), static_cast<Offset>(n - n / 32)));
  return offsets;
}

//! Items begin … end − 1 of segment s; s is −1 for what is in front of or behind all segments.
struct piece {
  index_t s, begin, end;
};
template <class Offset>
std::vector<piece> pieces_of(index_t n, const std::vector<Offset>& offsets) {
  std::vector<piece> pieces{{-1, 0, static_cast<index_t>(offsets.front())}};
  for (std::size_t s = 0; s + 1 < offsets.size(); s++)
    pieces.push_back({static_cast<index_t>(s), static_cast<index_t>(offsets[s]), static_cast<index_t>(offsets[s + 1])});
  pieces.push_back({-1, static_cast<index_t>(offsets.back()), n});
  return pieces;
}

}  // namespace test
