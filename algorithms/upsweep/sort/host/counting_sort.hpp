// Keys of one or two bytes, sorted by counting them: one read, and one write of as many of each as there are.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Sorts n < 2^32 keys into `out`, which may be where they stand.
template <class Item, class Bits>
class counting_sort {
  using U = typename Bits::bits_type;
  // Equal neighbours would wait for each other's counter: the more, the fewer values there are.
  static constexpr index_t values = index_t{1} << (8 * sizeof(Item)), tables = sizeof(Item) == 1 ? 8 : 2;

 public:
  counting_sort(host& executor, const Bits& bits) : executor_(executor), bits_(bits) {}

  void sort(const Item* keys, index_t n, Item* out) {
    // No more than have four keys for each of their counters, which one thread adds up.
    const auto threads =
        static_cast<int>(std::min<index_t>(threads_for(static_cast<std::size_t>(n) * sizeof(Item), executor_.threads()),
                                           std::max<index_t>(n / (4 * tables * values), 1)));
    const thread_pieces counters(executor_.lender(), threads, sizeof(std::uint32_t) * tables * values);
    const auto counts_of = [&](index_t part) {
      return reinterpret_cast<std::uint32_t*>(counters.of(static_cast<int>(part)));
    };
    share_out(executor_.threads(), threads,
              [&](index_t part) { count(keys, n * part / threads, n * (part + 1) / threads, counts_of(part)); });
    // The first table gets the sums: how many there are of each value.
    std::uint32_t* const sums = counts_of(0);
    for (index_t part = 0; part < threads; part++)
      for (index_t t = part == 0 ? 1 : 0; t < tables; t++)
        for (index_t v = 0; v < values; v++) sums[v] += counts_of(part)[t * values + v];
    share_out(executor_.threads(), threads,
              [&](index_t part) { write(sums, n * part / threads, n * (part + 1) / threads, out); });
  }

 private:
  void count(const Item* keys, index_t begin, index_t end, std::uint32_t* counts) const {
    const Bits bits = bits_;  // a copy: what stores might change would be read anew for every key
    std::memset(counts, 0, sizeof(std::uint32_t) * tables * values);
    with_vectors<false>([&](auto) UPSWEEP_LAMBDA_INLINE {
      index_t i = begin;
      for (; i + tables <= end; i += tables)
        for (index_t t = 0; t < tables; t++) counts[t * values + bits(keys[i + t])]++;
      for (; i < end; i++) counts[bits(keys[i])]++;
    });
  }
  //! Writes what stands in [begin, end).
  void write(const std::uint32_t* counts, index_t begin, index_t end, Item* out) const {
    index_t at = 0;
    for (index_t v = 0; at < end; v++) {
      const index_t from = std::max(at, begin);
      at += counts[v];
      if (at > begin) fill(out + from, out + std::min(at, end), bits_.item(static_cast<U>(v)));
    }
  }
  // Most are short where there are many values.
  static void fill(Item* to, Item* end, Item item) {
    constexpr index_t at_once = 16 / sizeof(Item);
    Item several[at_once];
    std::fill_n(several, at_once, item);
    for (; end - to >= at_once; to += at_once) std::memcpy(to, several, sizeof(several));
    for (; to < end; to++) *to = item;
  }

  host& executor_;
  const Bits& bits_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
