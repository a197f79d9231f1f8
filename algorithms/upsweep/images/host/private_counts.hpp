// A thread's counters of one image, in several tables: equal neighbours would wait for each other's counter to come
// back from the store. What is slow beside counting is kept out of its way: lines of equal levels are counted at once,
// and bins are found many at a time before any is counted.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/images/bins.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The slot behind the bins counts what belongs to none.
class private_counts {
 public:
  //! In so many bytes of memory.
  static constexpr std::size_t bytes(index_t bins, int tables) {
    return static_cast<std::size_t>(tables * (bins + 1)) * sizeof(std::uint32_t);
  }
  private_counts(std::byte* memory, index_t bins, int tables)
      : bins_(bins), tables_(tables), counters_(reinterpret_cast<std::uint32_t*>(memory)) {
    clear();
  }

  //! Counts n items; with a mask those whose byte in it is not zero. Bytes by level need 256 bins.
  template <class T, class Bin>
  void count_row(const T* row, const std::uint8_t* mask, index_t n, const Bin& bin) {
    if constexpr (std::is_same_v<Bin, level_bins>) {
      if (mask) return count_bins(row, mask, n, bin);
      if (tables_ == 8) return count_levels<8>(row, n);
      if constexpr (sizeof(T) == 1)
        if (tables_ == 4) return count_levels<4>(row, n);
      count_levels<2>(row, n);
    } else {
      // (No vectors have products of 64 bits as bins of integers need.)
      if constexpr (std::is_integral_v<T> && !is_edge_bins<Bin>::value)
        if (!mask) return count_slots(n, [row, bin](index_t i) UPSWEEP_LAMBDA_INLINE { return bin(row[i]); });
      count_bins(row, mask, n, bin);
    }
  }
  //! How many tables are best for so many items of a type. More take longer to add up; with fewer, equal neighbours
  //! wait. (One thread of a Xeon, 2026-11-25, GB/s of random, equal and a picture's bytes: one table 2.6, 0.6 and 2.2,
  //! two 2.7, 1.0 and 2.9, eight 2.8, 2.9 and 2.7. Taken from words of eight, they were a quarter slower. Of 2^12
  //! bytes, random and equal: two 3.1 and 0.9, four 2.9 and 1.6; 2026-11-26.)
  static constexpr int most_tables = 8;
  template <class T>
  static constexpr int tables_for(index_t items) {
    if (sizeof(T) > 1 || items < (index_t{1} << 11)) return 2;
    return items < (index_t{1} << 14) ? 4 : most_tables;
  }
  void clear() { std::fill_n(counters_, tables_ * stride(), 0u); }
  //! Calls f(bin, count) for what was counted since all was cleared, which it is to be before more is.
  template <class F>
  void flush(const F& f) {
    add_tables();
    for (index_t bin = 0; bin < bins_; bin++)
      if (counters_[bin]) f(bin, std::uint64_t{counters_[bin]});
  }
  //! The same, added to all bins' sums.
  template <class Count>
  void flush_into(Count* sums) {
    add_tables();
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      Count* const to = sums;  // not the closure's: what is written could be that, for all the compiler knows
      const std::uint32_t* const from = counters_;
      const index_t bins = bins_;
      for (index_t bin = 0; bin < bins; bin++) to[bin] += static_cast<Count>(from[bin]);
    });
  }

 private:
  index_t stride() const { return bins_ + 1; }
  void add_tables() {
    with_vectors<false>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const index_t bins = bins_;
      for (int t = 1; t < tables_; t++)
        for (index_t bin = 0; bin < bins; bin++) counters_[bin] += counters_[t * (bins + 1) + bin];
    });
  }
  //! Are all items of so many bytes equal? The first and the last eight of them nearly always tell that they are not.
  //! (Zen 3, 2^20 bytes, equal ones 0.33 and 0.09 ns each, random ones 0.36 either way; 2026-11-27.)
  static constexpr std::size_t flat_bytes = 128;
  template <class T>
  UPSWEEP_INLINE static bool is_flat(const T* items) {
    const auto word = [=](std::size_t k) UPSWEEP_LAMBDA_INLINE {
      std::uint64_t bytes;
      std::memcpy(&bytes, items + 8 / sizeof(T) * k, 8);
      return bytes;
    };
    const std::uint64_t first = word(0);
    std::uint64_t differing = (first ^ std::rotl(first, 8 * sizeof(T))) | (first ^ word(flat_bytes / 8 - 1));
    if (differing) return false;
    for (std::size_t k = 1; k < flat_bytes / 8 - 1; k++) differing |= first ^ word(k);
    return differing == 0;
  }
  template <int Tables, class T>
  UPSWEEP_HOT void count_levels(const T* row, index_t n) {
    constexpr index_t line = flat_bytes / sizeof(T), at_once = 8;
    std::uint32_t* const table = counters_;
    const auto stride = static_cast<std::size_t>(this->stride()), behind = stride - 1;
    const auto slot = [=](T level) UPSWEEP_LAMBDA_INLINE {
      return sizeof(T) == 1 || level < behind ? std::size_t{level} : behind;
    };
    const auto slot_at = [=](index_t i) UPSWEEP_LAMBDA_INLINE {  // of items that may be of another type of their size
      T level;
      std::memcpy(&level, row + i, sizeof level);
      return slot(level);
    };
    const auto count = [=](const T* items) UPSWEEP_LAMBDA_INLINE {
      if constexpr (sizeof(T) == 1) {
        for (index_t t = 0; t < at_once; t++) table[static_cast<std::size_t>(t % Tables) * stride + slot(items[t])]++;
      } else {
        for (index_t k = 0; k < at_once; k += 4) {
          std::uint64_t word;
          std::memcpy(&word, items + k, sizeof word);
          for (index_t t = 0; t < 4; t++)
            table[static_cast<std::size_t>((k + t) % Tables) * stride + slot(static_cast<T>(word >> 16 * t))]++;
        }
      }
    };
    index_t i = 0;
    for (; i + line <= n; i += line) {
      if (is_flat(row + i)) {
        table[slot_at(i)] += static_cast<std::uint32_t>(line);
        continue;
      }
      for (index_t k = 0; k < line; k += at_once) count(row + i + k);
    }
    for (; i + at_once <= n; i += at_once) count(row + i);
    for (; i < n; i++) table[slot_at(i)]++;
  }
  //! Finds many bins before it counts any: so compilers make vectors of what finds them, and no jump is guessed. (One
  //! thread of a Zen 3, 2^20 items, ns each, item by item and so: floats in 256 bins 2.1 and 0.74, bytes with a random
  //! mask 4.6 and 0.69; 2026-11-27.)
  template <class T, class Bin>
  void count_bins(const T* row, const std::uint8_t* mask, index_t n, const Bin& bin) {
    constexpr index_t block = 1024;
    std::uint32_t slots[block];
    for (index_t i = 0; i < n; i += block) {
      const index_t count = std::min(block, n - i);
      with_vectors<std::is_floating_point_v<T> && !is_edge_bins<Bin>::value>([&](auto) UPSWEEP_LAMBDA_INLINE {
        const Bin bin_of = bin;  // copies: slots could be them, for all the compiler knows
        const T* const items = row + i;
        const std::uint8_t* const flags = mask + (mask ? i : 0);
        const auto none = static_cast<std::uint32_t>(bins_);
        const index_t end = count;
        for (index_t k = 0; k < end; k++) slots[k] = bin_of(items[k]);
        if (mask)
          for (index_t k = 0; k < end; k++) slots[k] = flags[k] ? slots[k] : none;
      });
      count_slots(count, [from = &slots[0]](index_t k) UPSWEEP_LAMBDA_INLINE { return from[k]; });
    }
  }
  //! slot_of(i) for i < n.
  template <class Slot>
  void count_slots(index_t n, const Slot& slot_of) {
    if (tables_ == 8) count_slots<8>(n, slot_of);
    else count_slots<2>(n, slot_of);
  }
  template <int Tables, class Slot>
  UPSWEEP_HOT void count_slots(index_t n, const Slot slot_of) {
    std::uint32_t* const table = counters_;
    const auto stride = static_cast<std::size_t>(this->stride());
    index_t i = 0;
    for (; i + Tables <= n; i += Tables)
      for (index_t t = 0; t < Tables; t++) table[static_cast<std::size_t>(t) * stride + slot_of(i + t)]++;
    for (; i < n; i++) table[slot_of(i)]++;
  }

  index_t bins_;
  int tables_;
  std::uint32_t* counters_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
