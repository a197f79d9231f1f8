// Exclusive sums of sizes on the host, checked: a part is summed while the cache gets it, and its offsets are written
// when the sum of all before is known.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/expand/sum_or_none.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! offsets[i] = before + sizes[0] + … + sizes[i − 1], of words: what does not fit them wraps. Returns the one behind.
UPSWEEP_INLINE std::uint32_t exclusive_words(const void* sizes, void* offsets, index_t count, std::uint32_t before) {
  const auto* from = static_cast<const unsigned char*>(sizes);
  auto* to = static_cast<unsigned char*>(offsets);
  index_t i = 0;
#if UPSWEEP_VECTORS
  typedef std::uint32_t lanes __attribute__((vector_size(32)));
  const lanes none{};
  lanes base = none + before;
  for (; i + 8 <= count; i += 8, from += sizeof(lanes), to += sizeof(lanes)) {
    lanes items;
    __builtin_memcpy(&items, from, sizeof items);
    lanes sums = items + __builtin_shufflevector(items, none, 8, 0, 1, 2, 8, 4, 5, 6);  // of either half
    sums += __builtin_shufflevector(sums, none, 8, 8, 0, 1, 8, 8, 4, 5);
    sums += __builtin_shufflevector(sums, none, 8, 8, 8, 8, 3, 3, 3, 3);
    const lanes exclusive = base + sums - items;
    __builtin_memcpy(to, &exclusive, sizeof exclusive);
    base += __builtin_shufflevector(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
  }
  before = base[0];
#endif
  for (; i < count; i++, from += sizeof before, to += sizeof before) {
    std::uint32_t item;
    __builtin_memcpy(&item, from, sizeof item);
    __builtin_memcpy(to, &before, sizeof before);
    before += item;
  }
  return before;
}

template <class Size, class Offset>
struct room_job {
  static constexpr bool reversed = false;
  static constexpr index_t round = 1024;
  static constexpr std::size_t item_bytes = sizeof(Size) + sizeof(Offset);
  static constexpr index_t tile = tile_items(item_bytes, round);

  struct scratch {
    index_t* sum = nullptr;  // of the part; from its turn on, of all before it
    constexpr void cut(scratch_cutter& pieces, index_t) { sum = pieces.take<index_t>(1); }
  };

  const Size* sizes;
  Offset* offsets;
  bool streaming;
  bool alone = false;  // part after part: what stands before one is known
  index_t total = 0;

  void start(index_t part_items) { alone = part_items == round; }
  void load(scratch& s, const part& p) {
    if (alone) return;
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      *s.sum = 0;
      for (index_t k = 0; k < p.count; k += round)
        *s.sum = sum_or_none{}(*s.sum, sum_of_sizes(sizes + p.low + k, std::min(round, p.count - k)));
    });
  }
  void advance(scratch& s, const part&) {
    if (!alone) total = sum_or_none{}(std::exchange(*s.sum, total), total);
  }
  void store(scratch& s, const part& p) {
    index_t sum = alone ? total : *s.sum;
    for (index_t k = 0; k < p.count; k += round) sum = store_round(p.low + k, std::min(round, p.count - k), sum);
    if (alone) total = sum;
  }

 private:
  //! Of `count` items from `low` on, of which `before` is the sum of all before; returns that of all behind.
  index_t store_round(index_t low, index_t count, index_t before) {
    alignas(64) Offset staged[round];
    Offset* const to = streaming ? staged : offsets + low;
    index_t sum = before, signs = before;
    if constexpr (sizeof(Size) == 4 && sizeof(Offset) == 4) {
      with_vectors<true, 32>([&](auto) UPSWEEP_LAMBDA_INLINE {
        // First, as offsets may lie where sizes do. (Otherwise load() has found whether there is a sum.)
        if (alone) sum = sum_or_none{}(before, sum_of_sizes(sizes + low, count));
        const std::uint32_t behind = exclusive_words(sizes + low, to, count, static_cast<std::uint32_t>(before));
        if (!alone) sum = static_cast<index_t>(behind);
      });
      signs = sum;
    } else {
      for (index_t i = 0; i < count; i++) {
        const auto size = static_cast<index_t>(sizes[low + i]);
        to[i] = static_cast<Offset>(sum);
        sum = plus<index_t>{}(sum, size);
        signs |= size | sum;
      }
    }
    if (streaming) copy_out(offsets + low, staged, static_cast<std::size_t>(count) * sizeof(Offset), true);
    return signs < 0 ? -1 : sum;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
