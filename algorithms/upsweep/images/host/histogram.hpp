// Histograms on the host: every thread counts pieces of images in tables of its own and adds them up in the end.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/chain.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Images cut into units of about as many pixels: bands of rows, or pieces of long ones.
class image_units {
 public:
  static constexpr index_t pixels_of_unit = index_t{1} << 18;
  template <class T>
  explicit image_units(const pixels<T>& p)
      : width_(p.width), height_(p.height), piece_(std::min(width_, pixels_of_unit)) {
    if (p.per_image() == 0) return;
    pieces_ = (width_ + piece_ - 1) / piece_;
    band_ = pieces_ > 1 ? 1 : std::min(height_, pixels_of_unit / piece_);
    bands_ = (height_ + band_ - 1) / band_;
    count_ = p.count * bands_ * pieces_;
  }
  index_t count() const { return count_; }
  index_t image(index_t unit) const { return unit / (bands_ * pieces_); }
  //! f(y, x, pixels) for each row of a unit.
  template <class F>
  void for_each_row(index_t unit, const F& f) const {
    const index_t part = unit % (bands_ * pieces_), x = part % pieces_ * piece_, y = part / pieces_ * band_;
    const index_t n = std::min(piece_, width_ - x), end = std::min(y + band_, height_);
    for (index_t row = y; row < end; row++) f(row, x, n);
  }

 private:
  index_t width_, height_, piece_, pieces_ = 0, band_ = 0, bands_ = 0, count_ = 0;
};

//! A thread's counters of one image, in several tables: equal neighbours would wait for each other's counter to come
//! back from the store. The slot behind the bins counts what belongs to none.
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

  template <class T, class Bin>
  void count_row(const T* row, index_t n, const Bin& bin) {
    if (tables_ == 8) count<8>(row, n, bin);
    else count<2>(row, n, bin);
  }
  //! Bytes by value, in 256 slots.
  UPSWEEP_HOT void count_row(const std::uint8_t* row, index_t n, const level_bins&) {
    if (tables_ == 8) count<8>(row, n, value_itself{});
    else if (tables_ == 4) count<4>(row, n, value_itself{});
    else count<2>(row, n, value_itself{});
  }
  template <class T, class Bin>
  void count_masked(const T* row, const std::uint8_t* mask, index_t n, const Bin& bin) {
    for (index_t i = 0; i < n; i++) {
      const std::uint32_t found = bin(row[i]);
      counters_[i % tables_ * stride() + (mask[i] ? found : bins_)]++;
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
  struct value_itself {
    UPSWEEP_INLINE std::size_t operator()(std::uint8_t value) const { return value; }
  };
  index_t stride() const { return bins_ + 1; }
  void add_tables() {
    with_vectors<false>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const index_t bins = bins_;
      for (int t = 1; t < tables_; t++)
        for (index_t bin = 0; bin < bins; bin++) counters_[bin] += counters_[t * (bins + 1) + bin];
    });
  }
  template <int Tables, class T, class Bin>
  UPSWEEP_INLINE void count(const T* row, index_t n, const Bin& bin) {
    std::uint32_t* const table = counters_;
    const auto stride = static_cast<std::size_t>(this->stride());
    index_t i = 0;
    for (; i + Tables <= n; i += Tables)
      for (int t = 0; t < Tables; t++) table[static_cast<std::size_t>(t) * stride + bin(row[i + t])]++;
    for (; i < n; i++) table[bin(row[i])]++;
  }

  index_t bins_;
  int tables_;
  std::uint32_t* counters_;
};

//! Items of one byte are counted by value: what bin a value belongs to is asked once.
template <class T, class Bin>
struct counted_as {
  static constexpr bool by_value = sizeof(T) == 1, has_bins_of_levels = by_value && std::is_same_v<Bin, level_bins>;
  using item = std::conditional_t<by_value, std::uint8_t, T>;
  const Bin& bin;
  index_t slots() const { return by_value ? 256 : static_cast<index_t>(bin.bins); }
  int tables(index_t items) const {
    if (by_value) return private_counts::tables_for<item>(items);
    return bin.bins > 1024 ? 2 : 8;
  }
  auto slot_of() const {
    if constexpr (by_value) return level_bins{256};
    else return bin;
  }
  index_t bin_of(index_t slot) const {
    if constexpr (by_value) return bin(static_cast<T>(static_cast<std::uint8_t>(slot)));
    else return slot;
  }
};

//! counts[image·bins + bin] = how many pixels of an image, where the mask is not zero, are in a bin.
template <class T, class Bin, class Count>
void count_pixels(host& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask, const Bin& bin,
                  Count* counts) {
  using as = counted_as<T, Bin>;
  const as how{bin};
  const auto slot_of = how.slot_of();
  const index_t bins = bin.bins;
  const pixels<const T> rows = mask ? in : in.joined_rows();
  const image_units units(rows);
  const auto threads = static_cast<int>(std::min<index_t>(executor.threads(), units.count()));
  const int tables = how.tables(rows.width * rows.height);
  const thread_pieces memory(executor.lender(), threads, private_counts::bytes(how.slots(), tables));
  std::memset(counts, 0, static_cast<std::size_t>(bins * in.count) * sizeof(Count));
  const auto work = [&](tile_order& order, int thread) {
    private_counts mine(memory.of(thread), how.slots(), tables);
    index_t image = -1;
    std::uint64_t counted = 0;
    const auto add = [&] {
      Count* const sums = counts + image * bins;
      if (as::has_bins_of_levels && bins == how.slots() && threads == 1) return mine.flush_into(sums);
      mine.flush([&](index_t slot, std::uint64_t count) {
        const index_t at = how.bin_of(slot);
        if (at >= bins) return;
        if (threads == 1) sums[at] += static_cast<Count>(count);
        else __atomic_fetch_add(sums + at, static_cast<Count>(count), __ATOMIC_RELAXED);
      });
    };
    for (index_t unit = order.take_ticket(); unit < units.count() && !order.failed(); unit = order.take_ticket()) {
      if (units.image(unit) != image || counted > std::numeric_limits<std::uint32_t>::max() / 2) {
        if (image >= 0) {
          add();
          mine.clear();
          counted = 0;
        }
        image = units.image(unit);
      }
      units.for_each_row(unit, [&](index_t y, index_t x, index_t n) {
        const auto* row = reinterpret_cast<const typename as::item*>(rows.row(image, y) + x);
        if (mask) mine.count_masked(row, mask->row(image, y) + x, n, slot_of);
        else mine.count_row(row, n, slot_of);
        counted += static_cast<std::uint64_t>(n);
      });
    }
    if (image >= 0) add();
  };
  if (threads > 0) run_in_order(threads, work);
}

}  // namespace UPSWEEP_NAMESPACE::detail
