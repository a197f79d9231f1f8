// Runs of equal items, written on the host: run s is value(s), as often as counts or offsets say. A part of the output
// finds its first run by search, so that parts are equally long whatever the runs are. Runs are put together in the
// first-level cache, from where they leave as a copy would.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/sum_or_none.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/segments.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A run, and how many of its items are left.
struct rest_of_run {
  index_t number, left;
};

//! Runs that are counted, in stretches of which is known where they begin in the output.
template <class Count>
struct counted_runs {
  static constexpr index_t stretch = 1024;
  static constexpr index_t stretches_of(index_t n) { return (n + stretch - 1) / stretch; }
  const Count* counts;
  index_t n;
  const index_t* begins;  // of stretches_of(n) stretches

  UPSWEEP_INLINE index_t length(index_t run, index_t) const { return static_cast<index_t>(counts[run]); }
  //! The length that eight runs have, from `run` on, if it is 0 or 1 for all of them; otherwise −1.
  UPSWEEP_INLINE index_t short_length(index_t run) const {
    if (run + 8 > n || counts[run] > 1) return -1;
    const bool alike = std::memcmp(counts + run, counts + run + 1, 7 * sizeof(Count)) == 0;
    return alike ? static_cast<index_t>(counts[run]) : -1;
  }
  //! The run that item `at` of the output belongs to, and how much of it there is from there on.
  rest_of_run find(index_t at) const {
    const index_t found = std::upper_bound(begins, begins + stretches_of(n), at) - begins - 1;
    index_t run = found * stretch, end = begins[found] + length(run, 0);
    while (end <= at) end += length(++run, 0);
    return {run, end - at};
  }
};
//! Runs between offsets; −1 is the one in front of the first of them.
template <class Offset>
struct offset_runs {
  const Offset* offsets;
  index_t count, items;  // of offsets, of all runs

  //! From item `at` on.
  UPSWEEP_INLINE index_t length(index_t run, index_t at) const {
    const index_t end = run + 1 < count ? static_cast<index_t>(offsets[run + 1]) : items;
    return end > at ? end - at : 0;
  }
  rest_of_run find(index_t at) const {
    const index_t run = lower_bound(offsets, count, at + 1) - 1;
    return {run, length(run, at)};
  }
};

// ---------------------------------------------------------------- writing them
template <class T>
constexpr index_t items_in(std::size_t bytes) {
  return bytes > sizeof(T) ? static_cast<index_t>(bytes / sizeof(T)) : 1;
}

//! As many copies as `Bytes` hold, by vectors where there are some. (Compilers make a store of each.)
template <std::size_t Bytes, class T>
UPSWEEP_INLINE void put_copies(T* to, const T& item) {
  [[maybe_unused]] constexpr std::size_t size = sizeof(T);
#if UPSWEEP_VECTORS
  if constexpr (size < Bytes && (size == 1 || size == 2 || size == 4 || size == 8)) {
    using lane = std::conditional_t<
        size == 1, std::uint8_t,
        std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;
    constexpr std::size_t width = Bytes < 32 ? Bytes : 32;
    typedef lane lanes __attribute__((vector_size(width)));
    lane bits;
    __builtin_memcpy(&bits, &item, size);
    const lanes all = lanes{} + bits;
    for (std::size_t at = 0; at < Bytes; at += width)
      __builtin_memcpy(reinterpret_cast<unsigned char*>(to) + at, &all, width);
    return;
  }
#endif
  for (index_t k = 0; k < items_in<T>(Bytes); k++) to[k] = item;
}

//! Writes value(s), as often as run s has items, to out[from … to). A run of a few items costs a store of `Bytes`, of
//! which the next run overwrites what is too much.
template <std::size_t Bytes, class T, class Runs, class Value>
UPSWEEP_INLINE void write_runs(T* out, index_t from, index_t to, Runs runs, Value value, bool streaming) {
  constexpr index_t capacity = items_in<T>(8192), at_once = items_in<T>(Bytes);
  alignas(64) unsigned char memory[static_cast<std::size_t>(capacity + at_once) * sizeof(T)];
  T* const staged = reinterpret_cast<T*>(memory);
  auto [run, left] = runs.find(from);
  while (from < to) {
    const index_t room = std::min(capacity, to - from);
    index_t at = 0;
    for (;;) {
      const T item = value(run);
      put_copies<Bytes>(staged + at, item);
      if (left > at_once) {
        left = std::min(left, to - from);
        const index_t end = std::min(at + left, room);
        for (index_t next = at + at_once; next < end; next += at_once) put_copies<Bytes>(staged + next, item);
      }
      at += left;
      if (at >= room) break;
      run++;
      if constexpr (requires { runs.short_length(run); })
        if (left <= 1)  // others like it may follow: eight at once
          for (index_t length; at + 8 < room && (length = runs.short_length(run)) >= 0; run += 8) {
            if (length == 0) continue;
            for (index_t k = 0; k < 8; k++) staged[at + k] = value(run + k);
            at += 8;
          }
      left = runs.length(run, from + at);
    }
    left = at - room;
    copy_out(out + from, staged, static_cast<std::size_t>(room) * sizeof(T), streaming);
    from += room;
  }
}

template <class T, class Runs, class Value>
void write_runs(host& executor, const named_range<T>& out, index_t items, index_t number, const Runs& runs,
                const Value& value) {
  if (items == 0) return;
  constexpr index_t part_items = items_in<T>(tile_bytes);
  const bool streaming = is_streamed<T>(items);
  // Stores of twice a mean run: few runs need a second one.
  const index_t twice = 2 * (items / std::max<index_t>(number, 1) + 1) * static_cast<index_t>(sizeof(T));
  const auto write = [&](index_t from, index_t to) {
    with_vectors<sizeof(T) <= 16>([&](auto) UPSWEEP_LAMBDA_INLINE {
      if (twice <= 16) write_runs<16>(out.data, from, to, runs, value, streaming);
      else if (twice <= 64) write_runs<64>(out.data, from, to, runs, value, streaming);
      else write_runs<256>(out.data, from, to, runs, value, streaming);
    });
  };
  share_out(threads_for(static_cast<std::size_t>(items) * sizeof(T), executor.threads()),
            (items + part_items - 1) / part_items,
            [&](index_t k) { write(k * part_items, std::min((k + 1) * part_items, items)); });
}

// ---------------------------------------------------------------- how many there are
//! begins[b] = where stretch b begins; the total, or −1 as sum_or_none has it.
template <class Count>
index_t find_begins(host& executor, const Count* counts, index_t n, index_t* begins) {
  using runs = counted_runs<Count>;
  constexpr index_t at_once = 64;  // stretches
  const index_t stretches = runs::stretches_of(n);
  const int threads = threads_for(static_cast<std::size_t>(n) * sizeof(Count), executor.threads());
  share_out(threads, (stretches + at_once - 1) / at_once, [&](index_t part) {
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t b = part * at_once; b < std::min((part + 1) * at_once, stretches); b++)
        begins[b] = sum_of_sizes(counts + b * runs::stretch, std::min(runs::stretch, n - b * runs::stretch));
    });
  });
  const sum_or_none add;
  index_t total = 0;
  for (index_t b = 0; b < stretches; b++) {
    const index_t sum = begins[b];
    begins[b] = total;
    total = add(total, sum);
  }
  return total;
}

}  // namespace UPSWEEP_NAMESPACE::detail
