// Data-parallel quicksort, level by level, and a picture of it: all segments of a level are split at once, each around
// a pivot of its own (Blelloch 1990). To look at; upsweep::quicksort splits by many pivots at once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/reduce.hpp>

#include "own_device.hpp"
#include "picture.hpp"
#include "sort_sweeps.hpp"
#include "transfer.hpp"

namespace app {

//! Keys, in order once every segment has ended: when its keys are equal, or `finest` at most.
class quicksort_levels {
 public:
  using key = std::uint64_t;
  using index_t = upsweep::index_t;

  quicksort_levels(upsweep::any_executor& executor, const std::vector<key>& keys, index_t finest)
      : executor_(executor), keys_(executor, keys), split_(executor, keys_.size()), finest_(finest) {
    if (keys_.size() > 0) offsets_.push_back(keys_.size());
  }

  //! Splits all segments that have not ended; false when there are none.
  bool split() {
    const upsweep::buffer<index_t> offsets(executor_, offsets_);
    const std::vector<key> limits = limits_of(offsets);
    if (std::all_of(limits.begin(), limits.end(), [](key limit) { return limit == none; })) return false;
    const upsweep::buffer<key> limits_there(executor_, limits);
    upsweep::buffer<index_t> splits(executor_, offsets.size() - 1);
    with_own_code(executor_, [&](auto&& chosen) {
      split_segments(chosen, all_of(keys_), all_of(offsets), limits_there.data(), all_of(split_), all_of(splits));
    });
    std::swap(keys_, split_);
    const std::vector<index_t> found = splits.to_vector(executor_);
    std::vector<index_t> next = {0};
    for (std::size_t s = 0; s < found.size(); s++) {
      if (limits[s] != none) next.push_back(found[s]);
      next.push_back(offsets_[s + 1]);
    }
    offsets_ = std::move(next);
    return true;
  }

  //! The keys at these positions.
  std::vector<key> at(const std::vector<index_t>& positions) {
    const upsweep::buffer<index_t> there(executor_, positions);
    upsweep::buffer<key> found(executor_, there.size());
    with_own_code(executor_, [&](auto&& chosen) { pick_keys(chosen, keys_.data(), all_of(there), all_of(found)); });
    return found.to_vector(executor_);
  }

 private:
  static constexpr key none = 0;             // nothing is below: the segment stays as it is
  static constexpr std::size_t samples = 5;  // of a segment; their median is its pivot

  // What is below its limit will be a segment's first side. The pivot is; or, when no key is less, the one above it: so
  // the least key goes to the first side, the greatest to the second, and both are smaller than the segment was.
  std::vector<key> limits_of(const upsweep::buffer<index_t>& offsets) {
    const index_t segments = offsets.size() - 1;
    upsweep::buffer<key> minima(executor_, segments), maxima(executor_, segments);
    upsweep::segmented_reduce(executor_, keys_, offsets, minima, upsweep::minimum<key>{});
    upsweep::segmented_reduce(executor_, keys_, offsets, maxima, upsweep::maximum<key>{});
    const std::vector<key> least = minima.to_vector(executor_), greatest = maxima.to_vector(executor_);
    std::vector<index_t> positions;
    for (std::size_t s = 0; s < least.size(); s++)
      for (std::size_t k = 0; k < samples; k++) positions.push_back(offsets_[s] + random_below(size_of(s)));
    std::vector<key> sampled = at(positions), limits(least.size(), none);
    for (std::size_t s = 0; s < limits.size(); s++) {
      if (size_of(s) <= finest_ || least[s] == greatest[s]) continue;
      const auto first = sampled.begin() + static_cast<std::ptrdiff_t>(s * samples), median = first + samples / 2;
      std::nth_element(first, median, first + samples);
      limits[s] = std::max(*median, least[s] + 1);
    }
    return limits;
  }
  index_t size_of(std::size_t segment) const { return offsets_[segment + 1] - offsets_[segment]; }
  index_t random_below(index_t n) { return static_cast<index_t>(random_() % static_cast<std::uint64_t>(n)); }

  upsweep::any_executor& executor_;
  upsweep::buffer<key> keys_, split_;
  index_t finest_;
  std::vector<index_t> offsets_ = {0};  // of segments that are not empty
  std::mt19937_64 random_;              // the same picture every time
};

//! `levels` says how often all segments were split.
struct quicksort_picture {
  picture pixels;
  int levels;
};
//! Draws the keys as they come, a band of pixels, and below it a band for every level, until a segment is no wider than
//! a pixel: no two pixels of the last band stand for keys out of order. A pixel has the colour of the key at its
//! middle; share(key) is where that stands on the scale of colours. There are 64 levels at most, whatever happens. No
//! keys are a black band.
template <class Share>
quicksort_picture draw_quicksort(upsweep::any_executor& executor, const std::vector<std::uint64_t>& keys,
                                 const Share& share) {
  constexpr upsweep::index_t width = 1024;
  constexpr int band = 24, most_levels = 64;
  const auto n = static_cast<upsweep::index_t>(keys.size());
  std::vector<upsweep::index_t> middles;
  for (upsweep::index_t x = 0; x < width && n > 0; x++) middles.push_back((2 * x + 1) * n / (2 * width));

  quicksort_levels quicksort(executor, keys, std::max<upsweep::index_t>(n / width, 1));
  std::vector<std::vector<std::uint64_t>> bands = {quicksort.at(middles)};
  int levels = 0;
  for (; levels < most_levels && quicksort.split(); levels++) bands.push_back(quicksort.at(middles));

  picture pixels(static_cast<int>(width), band * (levels + 1));
  for (int y = 0; const auto& shown : bands) {
    for (int x = 0; const std::uint64_t key : shown) pixels.fill(x++, y, 1, band, colour_scale(share(key)));
    y += band;
  }
  return {std::move(pixels), levels};
}

}  // namespace app
