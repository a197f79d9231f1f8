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

//! out[from … to), put together in the first-level cache, from where it leaves as a copy would. A run of a few items
//! costs a store of `Bytes`, of which the next run overwrites what is too much.
template <std::size_t Bytes, class T>
class staged_items {
 public:
  static constexpr index_t capacity = items_in<T>(8192), at_once = items_in<T>(Bytes);
  //! The memory where they are put together: its address is another one's, so that what is kept here stays in
  //! registers.
  struct room {
    alignas(64) unsigned char memory[static_cast<std::size_t>(capacity + at_once) * sizeof(T)];
  };

  UPSWEEP_INLINE staged_items(room& r, T* out, index_t from, index_t to, bool streaming)
      : items_(reinterpret_cast<T*>(r.memory)),
        out_(out + from),
        left_(to - from),
        room_(std::min(capacity, left_)),
        streaming_(streaming) {}

  //! Appends `count` of an item; says whether all is written.
  UPSWEEP_INLINE bool put(const T item, index_t count) {
    put_front(item, count);
    if (count < room_ - at_) [[likely]] {
      at_ += count;
      return false;
    }
    for (;;) {
      count -= room_ - at_;
      leave(out_, items_, room_, streaming_);
      out_ += room_;
      left_ -= room_;
      at_ = 0;
      room_ = std::min(capacity, left_);
      if (left_ == 0 || count == 0) return left_ == 0;
      put_front(item, count);
      if (count < room_) break;
    }
    at_ = count;
    return false;
  }
  //! For so many items and one more?
  bool has_room(index_t count) const { return at_ + count < room_; }
  UPSWEEP_INLINE T& at(index_t k) { return items_[at_ + k]; }
  void add(index_t count) { at_ += count; }

 private:
  //! As many as there is room for.
  UPSWEEP_INLINE void put_front(const T item, index_t count) {
    put_copies<Bytes>(items_ + at_, item);
    if (count <= at_once) return;
    const index_t end = count < room_ - at_ ? at_ + count : room_;
    for (index_t next = at_ + at_once; next < end; next += at_once) put_copies<Bytes>(items_ + next, item);
  }
  //! Not inlined: the registers are for what comes before and behind.
  [[gnu::noinline]] static void leave(T* out, const T* items, index_t count, bool streaming) {
    copy_out(out, items, static_cast<std::size_t>(count) * sizeof(T), streaming);
  }

  T* items_;
  T* out_;
  index_t at_ = 0, left_, room_;
  bool streaming_;
};

//! Writes value(s), as often as run s has items, to out[from … to).
template <std::size_t Bytes, class T, class Offset, class Value>
UPSWEEP_INLINE void write_runs(T* out, index_t from, index_t to, const offset_runs<Offset> runs, const Value value,
                               bool streaming) {
  typename staged_items<Bytes, T>::room room;
  staged_items<Bytes, T> staged(room, out, from, to, streaming);
  auto [run, left] = runs.find(from);
  for (index_t at = from; !staged.put(value(run), left); left = runs.length(++run, at)) at += left;
}
template <class T, class Runs, class Value>
void write_runs(host& executor, const named_range<T>& out, index_t items, index_t mean, const Runs& runs,
                const Value& value) {
  if (items == 0) return;
  constexpr index_t part_items = items_in<T>(tile_bytes);
  const bool streaming = is_streamed<T>(items);
  // Stores of twice a mean run: few runs need a second one.
  const index_t twice = 2 * mean * static_cast<index_t>(sizeof(T));
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

}  // namespace UPSWEEP_NAMESPACE::detail
