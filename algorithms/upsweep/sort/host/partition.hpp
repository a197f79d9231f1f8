// One pass of a radix sort on the host over more than a cache holds: items go to the streams of their digit, in order.
// Counts a part and a digit, what stands before each, and stores that combine to lines.
#pragma once
#include <algorithm>
#include <optional>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/sort/host/buckets.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/write_combining.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Packs `items` of a digit: one stream a digit.
template <class Source, class Item, class Value, class Bits>
class partition_pass {
 public:
  using U = typename Bits::bits_type;
  using buffer_type = sort_buffer<Item, Value>;
  // 8, 9, 10 and 11 bits: 6.6, 6.8, 5.3 and 5.5 ns a key in all for 2^24 keys (as host_sort::cached_bytes).
  static constexpr int widest = 10;

  partition_pass(host& executor, const Source& source, index_t n)
      : executor_(executor), source_(source), n_(n), parts_(executor, n) {
    // Enough for passes over buckets, too.
    first_start_ = starts_.emplace(executor.lender(), 2 * parts_.most() << widest).data();
  }

  //! Counts; returns the bits of `mask` in which keys differ.
  U count(const digit<Bits>& d, U mask) {
    U all{};
    parts_.for_each([&](index_t part, index_t begin, index_t end, int) {
      std::uint32_t counts[2][1 << widest] = {};
      const U differing = count_part(d, begin, end, counts);
      __atomic_fetch_or(&all, differing, __ATOMIC_RELAXED);
      for (index_t k = 0; k < d.count(); k++)
        for (const int side : {0, 1}) start(k, part, side) = counts[side][k];
    });
    return static_cast<U>(all & mask);
  }
  //! After count: where each digit's items start, and n.
  bucket_bounds<widest> bounds(const digit<Bits>& d) {
    bucket_bounds<widest> bounds;
    bounds.count = d.count();
    counts_to_starts(executor_, first_start_, bounds.count, 2 * parts_.count(), bounds.at);
    return bounds;
  }
  //! Lines of a thousand streams leave past the caches earlier than those of one: pairs of 8 bytes, 2^19 and 2^20, take
  //! 11.3 and 12.2 ns each in all, 14.0 and 16.1 from 16 MiB on. (One thread of an Intel Xeon, L2 2 MiB, 2026-11-25.)
  static constexpr std::size_t streamed_from = std::size_t{4} << 20;
  //! After bounds: packs, and gives the memory of counts back.
  void pack(const digit<Bits>& d, const buffer_type& to) {
    const bool streaming = static_cast<std::size_t>(n_) * (sizeof(Item) + value_bytes) >= streamed_from;
    // As much as any pass of this sort takes: those over buckets, later, find it and cannot fail.
    const std::size_t bytes = scratch_bytes<pack_scratch>(index_t{2} << widest);
    const thread_pieces memory(executor_.lender(), executor_.threads(), bytes);
    parts_.for_each([&](index_t part, index_t begin, index_t end, int thread) {
      pack_part(d, part, begin, end, to, streaming, memory.of(thread));
    });
    starts_.reset();
  }

 private:
  static constexpr std::size_t value_bytes = buffer_type::has_values ? sizeof(Value) : 0;

  index_t& start(index_t k, index_t part, int side) { return first_start_[2 * (k * parts_.count() + part) + side]; }

  static index_t middle(const digit<Bits>& d, index_t begin, index_t end) {
    return d.width <= 9 ? begin + (end - begin) / 2 : begin;
  }
  U count_part(digit<Bits> d, index_t begin, index_t end, std::uint32_t (&counts)[2][1 << widest]) const {
    const Item* const items = source_.items;
    const U first = d.bits(items[0]);
    U differing{};
    for_each_of_halves(begin, middle(d, begin, end), end, [&](index_t i, int side) UPSWEEP_LAMBDA_INLINE {
      const U key = d.bits(items[i]);
      differing = static_cast<U>(differing | (key ^ first));
      counts[side][d.of(key)]++;
    });
    return differing;
  }
  void pack_part(const digit<Bits>& d, index_t part, index_t begin, index_t end, const buffer_type& to, bool streaming,
                 std::byte* memory) {
    // Each side has its streams.
    const index_t streams = d.count();
    const auto scratch = cut_scratch<pack_scratch>(memory, 2 * streams);
    index_t *const starts = scratch.starts, *const at = scratch.at;
    for (const int side : {0, 1})
      for (index_t k = 0; k < streams; k++) starts[side * streams + k] = at[side * streams + k] = start(k, part, side);

    // Copies: what stores might change would be read anew for every item.
    const Source source = source_;
    const digit<Bits> of = d;
    const auto for_each_item = [&](const auto& take) UPSWEEP_LAMBDA_INLINE {
      for_each_of_halves(begin, middle(d, begin, end), end, [&](index_t i, int side) UPSWEEP_LAMBDA_INLINE {
        const Item item = source.items[i];
        const std::size_t k = of(item) + static_cast<std::size_t>(side * streams);
        take(i, item, k, at[k]++);
      });
    };
    write_combiner<Item> items(scratch.item_lines, to.items, streaming);
    if constexpr (buffer_type::has_values) {
      write_combiner<Value> values(scratch.value_lines, to.values, streaming);
      for_each_item([&](index_t i, const Item& item, std::size_t k, index_t position) UPSWEEP_LAMBDA_INLINE {
        items.put(k, position, starts, item);
        values.put(k, position, starts, source.values(i));
      });
      for (index_t k = 0; k < 2 * streams; k++) values.finish(static_cast<std::size_t>(k), at[k], starts[k]);
    } else {
      for_each_item([&](index_t, const Item& item, std::size_t k, index_t position)
                        UPSWEEP_LAMBDA_INLINE { items.put(k, position, starts, item); });
    }
    for (index_t k = 0; k < 2 * streams; k++) items.finish(static_cast<std::size_t>(k), at[k], starts[k]);
  }
  //! What a thread packs so many streams in.
  struct pack_scratch {
    unsigned char *item_lines = nullptr, *value_lines = nullptr;
    index_t *starts = nullptr, *at = nullptr;

    constexpr void cut(scratch_cutter& pieces, index_t streams) {
      item_lines = pieces.take<unsigned char>(static_cast<index_t>(combiner_bytes<Item>(streams)));
      value_lines = pieces.take<unsigned char>(static_cast<index_t>(combiner_bytes<Value>(streams)));
      starts = pieces.take<index_t>(streams);
      at = pieces.take<index_t>(streams);
    }
  };
  template <class T>
  static constexpr std::size_t combiner_bytes(index_t streams) {
    if constexpr (std::is_same_v<T, nothing>) {
      return 0;
    } else {
      return write_combiner<T>::bytes(streams);
    }
  }

  host& executor_;
  const Source& source_;
  index_t n_;
  parts parts_;
  std::optional<lent_items<index_t>> starts_;
  index_t* first_start_ = nullptr;  // of digit k on side h of part p: [2 * (k * parts + p) + h]
};

}  // namespace UPSWEEP_NAMESPACE::detail
