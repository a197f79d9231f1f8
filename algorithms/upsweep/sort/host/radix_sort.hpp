// Radix sort on the host. What fits a cache is sorted there, by its least significant digit first. More is first cut
// into buckets by its highest digit, in one pass through memory; each bucket is then a thread's work in its cache. Keys
// without values go by vectors where they can (word_sort.hpp), or are counted (counting_sort.hpp).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/sort/host/buckets.hpp>
#include <upsweep/sort/host/cached_sort.hpp>
#include <upsweep/sort/host/counting_sort.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/few_sort.hpp>
#include <upsweep/sort/host/monotone.hpp>
#include <upsweep/sort/host/partition.hpp>
#include <upsweep/sort/host/place_sort.hpp>
#include <upsweep/sort/host/shell_sort.hpp>
#include <upsweep/sort/host/word_sort.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A sort's work on a host's threads.
template <class Item, class Value, class Bits>
class host_sort {
 public:
  using U = typename Bits::bits_type;
  using buffer_type = sort_buffer<Item, Value>;
  static constexpr std::size_t item_bytes = sizeof(Item) + (buffer_type::has_values ? sizeof(Value) : 0);
  static constexpr bool sorts_words = !buffer_type::has_values && are_words<Item, Bits>;
  static constexpr bool sorts_small = !buffer_type::has_values && are_small<Item, Bits>;
  static constexpr bool sorts_places = UPSWEEP_X86_VERSIONS && !sorts_words && sizeof(U) == 4;
  static constexpr bool sorts_few_places = UPSWEEP_X86_VERSIONS && !sorts_words && !sorts_small && sizeof(U) <= 4;
  static constexpr index_t least_few_places = 17;

  //! Memory for n items with their values.
  static std::size_t bytes(index_t n) {
    scratch_cutter sum(nullptr, scratch_cutter::cache_line);
    take(sum, n);
    return sum.bytes();
  }
  static buffer_type take(scratch_cutter& scratch, index_t n) {
    Item* const items = scratch.take<Item>(n);
    if constexpr (buffer_type::has_values) {
      return {items, scratch.take<Value>(n)};
    } else {
      return {items, nullptr};
    }
  }

  //! Such memory, lent.
  static buffer_type take(lent_memory& own, index_t n) {
    scratch_cutter scratch(own.at_least(bytes(n)), scratch_cutter::cache_line);
    return take(scratch, n);
  }

  //! Sorts by bits [begin, end).
  host_sort(host& executor, const Bits& bits, int begin, int end)
      : executor_(executor), bits_(bits), begin_(begin), end_(end) {
    if constexpr (sorts_words || sorts_small) {
      whole_ = bits.is_whole(begin, end) && end == 8 * static_cast<int>(sizeof(U));
      by_vectors_ = whole_ && has_vectors_of(32);
    }
  }

  //! Sorts into `out`, which may be the source. All memory is there before anything is written.
  template <class Source>
  void sort(const Source& source, index_t n, const buffer_type& out) {
    if constexpr (sorts_words || sorts_small)
      if (by_vectors_ && sort_few_by_vectors(source.items, n, bits_, out.items)) return;
    const bool in_place = lies_in(source, out);
    // Those that stand in order stay where they are.
    if constexpr (sorts_words)
      if (by_vectors_ && !in_place && sort_few_values(executor_, source.items, n, bits_, out.items)) return;
    const auto key_of = [this, mask = bits_between<U>(begin_, end_)](const Item& item)
                            UPSWEEP_LAMBDA_INLINE { return static_cast<U>(bits_(item) & mask); };
    if (are_monotone(executor_, source.items, n, key_of, false)) return copy_all(executor_, source, n, out);
    if (are_monotone(executor_, source.items, n, key_of, true)) {
      if (whole_) return reverse_to(executor_, out.items, source.items, n);  // equal ones are the same
      return sort_descending(executor_, source, n, out, key_of);
    }
    if constexpr (sorts_words)
      if (by_vectors_ && in_place && sort_few_values(executor_, source.items, n, bits_, out.items)) return;
    if constexpr (sorts_small)
      if (sort_small(source.items, n, out.items)) return;
    if constexpr (sorts_places)
      if (is_worth_places(source, n)) return sort_by_places(source, n, out);
    const bool alone = is_cached(n) || (splits_words() && !is_worth_buckets(source, n, out));
    lent_memory own(executor_.lender());
    const buffer_type spare = alone || lies_in(source, out) ? take(own, n) : buffer_type{};
    const bool parallel = static_cast<std::size_t>(n) * item_bytes >= parallel_bytes;
    if (alone) sort_alone(source, n, end_, out, spare, parallel ? executor_.threads() : 1);
    else sort_by_buckets(source, n, end_, out, spare, own);
  }

  //! The same by bits [begin, end), and not by buckets. `spare` must be there. On this thread, where keys are no words.
  template <class Source>
  void sort_alone(const Source& source, index_t n, int end, const buffer_type& out, const buffer_type& spare,
                  [[maybe_unused]] int threads = 1) const {
    if constexpr (sorts_words)
      if (by_vectors_ && n > most_compared)
        return sort_by_vectors(source.items, n, bits_, out.items, spare.items, threads);
    if constexpr (sorts_small)
      if (by_vectors_ && n > most_compared && sort_few_by_vectors(source.items, n, bits_, out.items)) return;
    if constexpr (sorts_few_places)
      if (least_few_places <= n && n <= most_few_places())
        return sort_few_places(source, n, bits_, bits_between<U>(begin_, end), out, spare);
    alignas(scratch_cutter::cache_line) std::uint32_t counters[digit_plan::counters];
    static_assert(sizeof(counters) <= stack_bytes);
    sort_in_cache(source, n, bits_, begin_, end, out, spare, counters);
  }

  //! The same by all threads, of items that are more than cached. A spare that is missing is made of `own`.
  template <class Source>
  void sort_by_buckets(const Source& source, index_t n, int end, const buffer_type& out, const buffer_type& spare,
                       lent_memory& own) {
    using pass_type = partition_pass<Source, Item, Value, Bits>;
    constexpr int widest = pass_type::widest;
    pass_type pass(executor_, source, n);
    const U mask = bits_between<U>(begin_, end);
    const auto to_fit = static_cast<int>(std::bit_width(static_cast<std::size_t>(n) * item_bytes / bucket_bytes));
    const int wanted = sorts_words && by_vectors_             ? digit_of_words
                       : n >> widest >= digit_plan::few_items ? widest
                                                              : std::clamp(to_fit, 4, widest);
    const auto digit_below = [&](int top) {
      const int width = std::min(top - begin_, top - begin_ <= widest ? widest : wanted);
      return digit<Bits>{bits_, top - width, width};
    };
    // The highest bit in which keys differ is guessed from some of them; the counting read tells.
    const int guess = std::max(bits_that_differ(source, n, mask), begin_ + 1);
    const U differing = pass.count(digit_below(guess), mask);
    if (differing == 0) return copy_items(source, n, out);
    const int top = std::max(guess, static_cast<int>(std::bit_width(differing)));
    const digit<Bits> d = digit_below(top);
    if (top > guess) pass.count(d, mask);
    const auto bounds = pass.bounds(d);
    const bool sorted = d.shift == begin_;  // by this digit alone
    const auto giant = [&](index_t size) { return !sorted && is_giant(size, n); };
    const spare_memory beside = spare || sorted ? spare_memory(spare) : spare_for(bounds, giant, own);
    const buffer_type target = lies_in(source, out) ? spare : out;
    pass.pack(d, target);
    // Buckets lie in `target`, which is `out` or `spare`.
    for_each_bucket(executor_, bounds, giant, [&](index_t b, int thread) {
      const index_t first = bounds[b], size = bounds[b + 1] - first;
      const auto bucket = target.from(first).source();
      if (sorted) return copy_items(bucket, size, out.from(first));
      const buffer_type here = beside.of(first, thread);
      if (thread == all_threads) sort_by_buckets(bucket, size, d.shift, out.from(first), here, own);
      else sort_alone(bucket, size, d.shift, out.from(first), here);
    });
  }

  // 1, 2, 4 and 8 MiB of keys of 32 bits sorted alone take 4.0, 4.0, 6.0 to 6.8 and 8.0 ns a key, by buckets 6.7: a
  // pass into buckets takes 2.6, and their sorts 2.8 to 4. Of skewed keys large buckets are left, which fit the caches
  // better than their size says. Values move with their keys: up to 64 bytes, to sort their indices and to gather them
  // last was no faster. (One thread of an AMD EPYC, family 26, L2 1 MiB, L3 32 MiB, 2026-11-21.) Pairs of 8 bytes, 4
  // MiB: alone 14.0, by buckets 11.3. (An Intel Xeon, L2 2 MiB, 2026-11-25.)
  static constexpr std::size_t cached_bytes = std::size_t{2} << 20;
  static constexpr std::size_t shared_bytes = std::size_t{2} << 20;  // below, two threads by buckets gain nothing
  // Words are split until they fit, or go into buckets first: 2^22 of 4 bytes take 5.9 ns each split, by buckets 7.1,
  // 12 million of 8 bytes 14.5, and 11.0. (One thread of an AMD EPYC, family 25, L2 512 KiB, L3 32 MiB, 2026-11-22.)
  // By AVX-512 on one thread 2^24 of 4 bytes take 5.0 ns each split, by buckets 5.8; 2^22 and 2^24 of 8 bytes 8.2 and
  // 10.3, by buckets 9.3 and 9.9; two threads take 2^24 of 8 bytes in 6.9 and 5.0. (Intel Xeon, L2 2 MiB, 2026-11-25.)
  static constexpr std::size_t word_bytes = std::size_t{16} << 20, wide_word_bytes = std::size_t{64} << 20;
  static constexpr std::size_t giant_bytes = std::size_t{64} << 20;  // a thread sorts no larger bucket
  static constexpr std::size_t bucket_bytes = std::size_t{128} << 10;

  static constexpr int digit_of_words = 8;

  //! Are these words that a few threads split? The first splits are one thread's work, too slow for many.
  bool splits_words() const { return sorts_words && by_vectors_ && executor_.threads() <= 4; }
  //! Buckets are worth it where there are many, and each is sorted into memory that is in cache already: not in place.
  template <class Source>
  bool is_worth_buckets(const Source& source, index_t n, const buffer_type& out) const {
    if (lies_in(source, out)) return false;
    const int top = bits_that_differ(source, n, bits_between<U>(begin_, end_));
    const digit<Bits> highest{bits_, std::max(top - digit_of_words, 0), digit_of_words};
    return are_worth_six_splits(n, [&](index_t i) { return highest(source.items[i]); });
  }

  //! Are so many items sorted alone?
  bool is_cached(index_t n) const {
    const std::size_t all = static_cast<std::size_t>(n) * item_bytes;
    if (splits_words()) return all <= (executor_.threads() == 1 && has_vectors_of(64) ? wide_word_bytes : word_bytes);
    return all <= cached_bytes && (executor_.threads() == 1 || all < shared_bytes);
  }

  //! Memory to sort pieces of a range beside themselves: as much as the largest piece for each thread, or as all items
  //! where that is less.
  class spare_memory {
   public:
    //! Memory that the caller has for all items.
    explicit spare_memory(const buffer_type& all) : memory_(all) {}
    //! For pieces of n items in all: the largest for one thread is of `largest`, for all threads of `giant`.
    spare_memory(index_t n, index_t largest, index_t giant, int threads, lent_memory& own) {
      const index_t items = std::max(giant, largest * threads);
      by_thread_ = items < n;
      of_thread_ = largest;
      memory_ = take(own, by_thread_ ? items : n);
    }
    //! For the piece that begins at item `first`.
    buffer_type of(index_t first, int thread) const {
      if (!by_thread_) return memory_ ? memory_.from(first) : memory_;
      return thread == all_threads ? memory_ : memory_.from(of_thread_ * thread);
    }

   private:
    buffer_type memory_;
    bool by_thread_ = false;
    index_t of_thread_ = 0;
  };

  //! Is a bucket, one of many, work for all threads?
  bool is_giant(index_t bucket, index_t all) const {
    const std::size_t size = static_cast<std::size_t>(bucket) * item_bytes;
    if (executor_.threads() == 1 || size > giant_bytes) return size > giant_bytes;
    return size > cached_bytes && bucket > all / (index_t{2} * executor_.threads());
  }

 private:
  // 2^16, 2^17 and 2^18 keys of 2 bytes take 6.4, 5.5 and 3.1 ns each counted, 6.5, 8.1 and 9.5 as words. (One thread
  // of a Zen 1, AVX2, 2026-11-29. By AVX-512 words of 2^18 took 2.5, counting, with a jump for each value, 3.2: an
  // Intel Xeon, L2 2 MiB, 2026-11-25.)
  static constexpr index_t counted_from = sizeof(Item) == 1 ? 0 : index_t{1} << 17;
  // Sorts whole keys of one or two bytes. False, and nothing done, if others' way is as good.
  bool sort_small(const Item* keys, index_t n, Item* out) {
    const bool is_counted = whole_ && counted_from <= n;
    if (is_counted) counting_sort<Item, Bits>(executor_, bits_).sort(keys, n, out);
    else if (by_vectors_ && n < counted_from) sort_widened(executor_, keys, n, bits_, out);
    else return false;
    return true;
  }

  // With values of 4 bytes 2^10, 2^14, 2^16 and 2^18 keys take 5.8, 7.7, 8.3 and 9.7 ns each by digits, 3.5, 5.1, 5.5
  // and 7.7 by their places; 2^20 with 16 bytes 26 and 16; 2^20 with 4 bytes, 2^22 with 16, and keys that two digits
  // hold, no less. (One thread of an Intel Xeon with AVX-512, L2 2 MiB, beside other work, 2026-11-25.)
  template <class Source>
  bool is_worth_places(const Source& source, index_t n) const {
    constexpr index_t least = 512, most = index_t{1} << (item_bytes > 16 ? 20 : 18);
    return least <= n && n <= most && has_vectors_of(64) &&
           bits_that_differ(source, n, bits_between<U>(begin_, end_)) - begin_ > 2 * digit_plan::wide;
  }
  template <class Source>
  void sort_by_places(const Source& source, index_t n, const buffer_type& out) {
    lent_memory own(executor_.lender());
    const buffer_type beside = lies_in(source, out) ? take(own, n) : buffer_type{};
    sort_places(executor_, source, n, bits_, bits_between<U>(begin_, end_), out, beside);
  }
  template <int Digit, class IsGiant>
  spare_memory spare_for(const bucket_bounds<Digit>& bounds, const IsGiant& is_giant, lent_memory& own) const {
    index_t largest = 0, giant = 0;
    for (index_t b = 0; b < bounds.count; b++) {
      const index_t size = bounds[b + 1] - bounds[b];
      index_t& most = is_giant(size) ? giant : largest;
      most = std::max(most, size);
    }
    return spare_memory(bounds[bounds.count], largest, giant, executor_.threads(), own);
  }

  // How many of the lowest bits hold all in which 512 of the keys differ.
  template <class Source>
  int bits_that_differ(const Source& source, index_t n, U mask) const {
    constexpr index_t some = 512;
    const U first = bits_(source.items[0]);
    U differing{};
    for (index_t k = 0; k < some; k++)
      differing = static_cast<U>(differing | (bits_(source.items[(n - 1) / some * k]) ^ first));
    return static_cast<int>(std::bit_width(static_cast<U>(differing & mask)));  // which was a U before GCC 13
  }

  host& executor_;
  const Bits& bits_;
  int begin_, end_;
  bool whole_ = false, by_vectors_ = false;
};

template <class Item, class Bits, class ValuesIn, class Value>
void sort_items(host& executor, const sort_task<Item, Bits, ValuesIn, Value>& task) {
  const sort_source<Item, ValuesIn> source{task.in, task.values_in};
  if (task.n == 1 && task.out) return copy_items(source, task.n, sort_buffer<Item, Value>{task.out, task.values_out});
  host_sort<Item, Value, Bits> sorter(executor, task.bits, task.begin_bit, task.end_bit);
  lent_memory unwanted(executor.lender());
  Item* out = task.out;
  if (!out) out = reinterpret_cast<Item*>(unwanted.at_least(scratch_cutter::bytes_of<Item>(task.n)));
  sorter.sort(source, task.n, {out, task.values_out});
}

//! Where segments stand; wrong offsets stay in bounds.
template <class Offset>
struct segment_bounds {
  const Offset* offsets;
  index_t n;

  index_t begin(index_t s) const { return std::clamp<index_t>(static_cast<index_t>(offsets[s]), 0, n); }
  index_t size(index_t s) const { return std::max<index_t>(begin(s + 1) - begin(s), 0); }
  bool ascend(index_t segments) const {
    bool in_order = true;
    for (index_t s = 0; s < segments; s++) in_order &= offsets[s] <= offsets[s + 1];
    return in_order;
  }
};

template <class Offset, class Item, class Bits, class ValuesIn, class Value>
void sort_segments(host& executor, const sort_task<Item, Bits, ValuesIn, Value>& task, const Offset* offsets,
                   index_t segments) {
  using sorter_type = host_sort<Item, Value, Bits>;
  sorter_type sorter(executor, task.bits, task.begin_bit, task.end_bit);
  const segment_bounds<Offset> bounds{offsets, task.n};
  const sort_source<Item, ValuesIn> source{task.in, task.values_in};
  const sort_buffer<Item, Value> out{task.out, task.values_out};
  index_t largest = 0;
  std::vector<index_t> giants;
  for (index_t s = 0; s < segments; s++) {
    if (sorter.is_giant(bounds.size(s), task.n)) giants.push_back(s);
    else largest = std::max(largest, bounds.size(s));
  }
  // Segments that overlap are no work for several threads.
  const bool parallel = executor.threads() > 1 &&
                        static_cast<std::size_t>(task.n) * sorter_type::item_bytes >= parallel_bytes &&
                        bounds.ascend(segments);
  // The largest go first: the others find the memory that these took.
  shell_sort(giants, giants.size(), [&](index_t a, index_t b) { return bounds.size(a) > bounds.size(b); });
  lent_memory own(executor.lender());
  const typename sorter_type::spare_memory spare(task.n, largest, giants.empty() ? 0 : bounds.size(giants[0]),
                                                 parallel ? executor.threads() : 1, own);
  const auto sort_segment = [&](index_t s, int thread) {
    const index_t begin = bounds.begin(s), n = bounds.size(s);
    if (n == 0) return;
    const sort_buffer<Item, Value> here = spare.of(begin, thread);
    if (thread == all_threads) sorter.sort_by_buckets(source.from(begin), n, task.end_bit, out.from(begin), here, own);
    else sorter.sort_alone(source.from(begin), n, task.end_bit, out.from(begin), here);
  };
  for (const index_t s : giants) sort_segment(s, all_threads);
  const index_t pieces = parallel ? std::min<index_t>(segments, index_t{64} * executor.threads()) : 1;
  share_out(executor.threads(), pieces, [&](index_t piece, int thread) {
    for (index_t s = segments * piece / pieces; s < segments * (piece + 1) / pieces; s++)
      if (!sorter.is_giant(bounds.size(s), task.n)) sort_segment(s, thread);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
