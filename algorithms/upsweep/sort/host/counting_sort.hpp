// Keys of one or two bytes, sorted by counting them: the histogram of what they are in memory, which is one read, and
// one write of as many of each as there are.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/host/histogram.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Sorts keys into `out`, which may be where they stand.
template <class Item, class Bits>
class counting_sort {
  using U = typename Bits::bits_type;
  static constexpr index_t values = index_t{1} << (8 * sizeof(Item));

 public:
  counting_sort(host& executor, const Bits& bits) : executor_(executor), bits_(bits) {}

  void sort(const Item* keys, index_t n, Item* out) {
    const lent_memory own(executor_.lender(), sizeof(index_t) * values);
    auto* const counts = reinterpret_cast<index_t*>(own.data());
    const named_range<const U> row{reinterpret_cast<const U*>(keys), n, "keys"};
    count_pixels(executor_, lay_out(row, {.width = n, .height = 1}), nullptr, level_bins{values}, counts);
    const index_t parts = threads_for(static_cast<std::size_t>(n) * sizeof(Item), executor_.threads());
    share_out(executor_.threads(), parts,
              [&](index_t part) { write(counts, n * part / parts, n * (part + 1) / parts, out); });
  }

 private:
  //! Writes what stands in [begin, end).
  UPSWEEP_HOT void write(const index_t* counts, index_t begin, index_t end, Item* out) const {
    const Bits bits = bits_;  // a copy: what is written could be it, for all the compiler knows
    index_t at = 0;
    for (index_t v = 0; at < end; v++) {
      const Item item = bits.item(static_cast<U>(v));
      const index_t from = std::max(at, begin);
      at += counts[__builtin_bit_cast(U, item)];
      if (at > begin) fill(out + from, out + std::min(at, end), out + end, item);
    }
  }
  // Most are short where there are many values. So some are written whatever their number is, over which those of the
  // next values go, and no jump need be guessed: 2^20 keys of 2 bytes.
  UPSWEEP_INLINE static void fill(Item* to, Item* to_end, Item* part_end, Item item) {
    constexpr index_t at_once = 32;
    Item several[at_once];
    std::fill_n(several, at_once, item);
    while (part_end - to >= at_once) {
      std::memcpy(to, several, sizeof(several));
      to += at_once;
      if (to >= to_end) return;
    }
    for (; to < to_end; to++) *to = item;
  }

  host& executor_;
  const Bits& bits_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
