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
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/bins.hpp>
#include <upsweep/images/host/private_counts.hpp>

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

//! Counts items where their sums are; with a mask those whose byte in it is not zero. Some are read before any is
//! counted: a read behind a write whose place is not known yet waits for it once the processor has come to expect that
//! (2^16 of two bytes, a Zen 1, ns each: 2.1, then 4.6; so 1.5 to 2.0; 2026-11-29).
template <class T, class Bin, class Count>
UPSWEEP_HOT void count_directly(const T* row, const std::uint8_t* mask, index_t n, const Bin bin, Count* sums) {
  constexpr index_t at_once = 8;
  const auto bins = static_cast<std::uint32_t>(bin.bins);
  const auto count = [&](index_t i, index_t items) UPSWEEP_LAMBDA_INLINE {
    std::uint32_t slots[at_once];
    for (index_t k = 0; k < items; k++) slots[k] = mask && !mask[i + k] ? bins : bin(row[i + k]);
    for (index_t k = 0; k < items; k++)
      if (slots[k] < bins) sums[slots[k]]++;
  };
  index_t i = 0;
  for (; i + at_once <= n; i += at_once) count(i, at_once);
  if (i < n) count(i, n - i);
}

//! counts[image·bins + bin] = how many pixels of an image, where the mask is not zero, are in a bin.
template <class T, class Bin, class Count>
void count_pixels(host& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask, const Bin& bin,
                  Count* counts) {
  const index_t bins = bin.bins;
  const pixels<const T> rows = mask ? in : in.joined_rows();
  const auto clear = [&] { std::memset(counts, 0, static_cast<std::size_t>(bins * in.count) * sizeof(Count)); };
  if (rows.per_image() <= bins) {  // tables would take longer to be made and added up
    clear();
    const auto bytes = static_cast<std::size_t>(rows.per_image() * rows.count) * sizeof(T);
    return share_out(threads_for(bytes, executor.threads()), rows.count, [&](index_t image) {
      for (index_t y = 0; y < rows.height; y++)
        count_directly(rows.row(image, y), mask ? mask->row(image, y) : nullptr, rows.width, bin,
                       counts + image * bins);
    });
  }
  using as = counted_as<T, Bin>;
  const as how{bin};
  const auto slot_of = how.slot_of();
  const image_units units(rows);
  const auto threads = static_cast<int>(std::min<index_t>(executor.threads(), units.count()));
  const int tables = how.tables(rows.width * rows.height);
  const thread_pieces memory(executor.lender(), threads, private_counts::bytes(how.slots(), tables));
  clear();
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
        mine.count_row(row, mask ? mask->row(image, y) + x : nullptr, n, slot_of);
        counted += static_cast<std::uint64_t>(n);
      });
    }
    if (image >= 0) add();
  };
  if (threads > 0) run_in_order(threads, work);
}

}  // namespace UPSWEEP_NAMESPACE::detail
