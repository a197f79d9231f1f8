// Runs that are counted, written on the host. Counts are read twice, the second time only where a run has several
// items: the first reading leaves two bits of each. (2^25 counts, one thread of a Xeon; one in a hundred is not 0: 30
// ms, by two full readings 45, a serial loop 31; all are 1: 27, 36, 73. One in ten is not 0, 2^16 counts: 0.03, 0.18,
// 0.14. 2026-11-26.)
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/host/run_bits.hpp>
#include <upsweep/expand/host/runs.hpp>
#include <upsweep/expand/sum_or_none.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! In stretches of which is known where they begin in the output.
template <class Count>
struct counted_runs {
  static constexpr index_t stretch = 1024, word = 64;
  const Count* counts;
  index_t n;
  index_t* begins = nullptr;
  run_bits* bits = nullptr;

  index_t stretches() const { return (n + stretch - 1) / stretch; }
  void cut(scratch_cutter& scratch) {
    begins = scratch.take<index_t>(stretches());
    bits = scratch.take<run_bits>(stretches() * (stretch / word));
  }
  //! The run that item `at` of the output belongs to, and how much of it there is from there on.
  rest_of_run find(index_t at) const {
    const index_t found = std::upper_bound(begins, begins + stretches(), at) - begins - 1;
    index_t run = found * stretch, end = begins[found] + static_cast<index_t>(counts[run]);
    while (end <= at) end += static_cast<index_t>(counts[++run]);
    return {run, end - at};
  }
  //! Reads a stretch; its sum is left where its begin will be.
  UPSWEEP_INLINE void read(index_t number) const {
    const index_t from = number * stretch, count = std::min(stretch, n - from);
    begins[number] = sum_of_sizes(counts + from, count);
    run_bits* const to = bits + number * (stretch / word);
    const index_t words = count / word;
    find(counts + from, words, bytes_ahead<Count>(from + count, n), to);
    if (words * word == count) return;
    Count last[word] = {};
    std::copy_n(counts + from + words * word, count - words * word, last);
    find(last, 1, 0, to + words);
  }
  static void find(const Count* from, index_t words, index_t ahead, run_bits* to) {
#if UPSWEEP_X86_VERSIONS
    if constexpr (sizeof(Count) == 4) {
      if (has_vectors_of(64)) return find_bits_avx512(from, words, ahead, to);
      if (has_vectors_of(32)) return find_bits_avx2(from, words, ahead, to);
    }
#endif
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE { find_bits(from, words, ahead, to); });
  }
  //! begins[b] = where stretch b begins; the total, or −1 as sum_or_none has it.
  index_t add_up() const {
    const sum_or_none add;
    index_t total = 0;
    for (index_t b = 0; b < stretches(); b++) {
      const index_t sum = begins[b];
      begins[b] = total;
      total = add(total, sum);
    }
    return total;
  }
  //! How many items a run has that has some, about.
  index_t mean_length(index_t items) const {
    const index_t words = (n + word - 1) / word, step = words / 256 + 1;
    index_t looked_at = 0, runs = 0;
    for (index_t k = 0; k < words; k += step, looked_at++) runs += std::popcount(bits[k].some);
    return items / std::max<index_t>(words / looked_at * runs, 1);
  }
  //! Asks for the counts of runs with several items somewhat further on.
  UPSWEEP_INLINE void ask_for_counts(index_t begin) const {
#if defined(__GNUC__)
    constexpr index_t ahead = 16 * word;
    if (begin + ahead >= n) return;
    const std::uint64_t several = bits[(begin + ahead) / word].several;
    const Count* const from = counts + begin + ahead;
    if (std::popcount(several) > 8) return;  // the processor sees by itself what comes
    const void* const here = bits + begin / word;
    __builtin_prefetch(several ? from + std::countr_zero(several) : here, 0, 3);
    __builtin_prefetch(several ? from + (63 - std::countl_zero(several)) : here, 0, 3);
#endif
  }
};

//! Reads all counts; the total, or −1.
template <class Count>
index_t read_counts(host& executor, const counted_runs<Count>& runs) {
  constexpr index_t at_once = 64;  // stretches
  const index_t stretches = runs.stretches();
  const int threads = threads_for(static_cast<std::size_t>(runs.n) * sizeof(Count), executor.threads());
  share_out(threads, (stretches + at_once - 1) / at_once, [&](index_t part) {
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t b = part * at_once; b < std::min((part + 1) * at_once, stretches); b++) runs.read(b);
    });
  });
  return runs.add_up();
}

//! Writes value(s), as often as run s has items, to out[from … to).
template <std::size_t Bytes, class T, class Count, class Value>
UPSWEEP_INLINE void write_runs(T* out, index_t from, index_t to, const counted_runs<Count> runs, const Value value,
                               bool streaming) {
  typename staged_items<Bytes, T>::room room;
  staged_items<Bytes, T> staged(room, out, from, to, streaming);
  const rest_of_run first = runs.find(from);
  if (staged.put(value(first.number), first.left)) return;
  constexpr index_t word = counted_runs<Count>::word;
  const index_t behind = first.number + 1;
  std::uint64_t mask = ~std::uint64_t{0} << behind % word;
  for (index_t begin = behind / word * word;; begin += word, mask = ~std::uint64_t{0}) {
    runs.ask_for_counts(begin);
    const run_bits& here = runs.bits[begin / word];
    std::uint64_t some = here.some & mask;
    if (here.several == 0 && staged.has_room(word)) {
      if (some == ~std::uint64_t{0}) {
        if constexpr (requires { value.run_after_run; }) {  // (64 bits an item took twice as long)
          const T lowest = value(begin);
          for (int k = 0; k < word; k++) staged.at(k) = static_cast<T>(lowest + static_cast<T>(k));
        } else {
          for (index_t k = 0; k < word; k++) staged.at(k) = value(begin + k);
        }
        staged.add(word);
      } else {
        for (; some; some &= some - 1) {
          staged.at(0) = value(begin + std::countr_zero(some));
          staged.add(1);
        }
      }
      continue;
    }
    if (std::popcount(some) > word / 2) {  // no bit need be found
      for (index_t run = begin + std::countr_zero(some); run < begin + word; run++)
        if (staged.put(value(run), static_cast<index_t>(runs.counts[run]))) return;
      continue;
    }
    for (; some; some &= some - 1) {
      const index_t run = begin + std::countr_zero(some);
      if (staged.put(value(run), static_cast<index_t>(runs.counts[run]))) return;
    }
  }
}

//! So few runs, of so few items in all, are written one by one: nothing is kept of them in between.
inline constexpr index_t few_runs = 64, few_items_of_runs = 1024;
//! The front of them, as many items as there is room for.
template <class T, class Count, class Value>
void write_few_runs(T* out, index_t room, const Count* counts, const Value& value) {
  for (index_t run = 0; room > 0; run++) {
    const index_t count = std::min(room, static_cast<index_t>(counts[run]));
    const T item = value(run);
    for (index_t k = 0; k < count; k++) *out++ = item;
    room -= count;
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
