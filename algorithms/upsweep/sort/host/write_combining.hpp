// Stores to many streams at once: each gathers a cache line of its own, which leaves when it is full. A store an item
// would touch a page and a line of memory for each.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/host/memory.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Writes items of up to 64 bytes to range `to`, streams side by side. Streams of other threads may share lines of
//! memory: what is written is exactly what was put.
template <class T>
class write_combiner {
 public:
  static constexpr std::size_t bytes(index_t streams) { return static_cast<std::size_t>(streams) * line; }

  //! `lines` has bytes(streams), aligned to a line. `streaming`: full lines leave past the caches.
  write_combiner(unsigned char* lines, T* to, bool streaming) : lines_(lines), to_(to) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    const bool fits = per_line * sizeof(T) == line && address % sizeof(T) == 0;
    phase_ = fits ? static_cast<index_t>(address / sizeof(T)) : 0;
    streaming_ = fits && streaming;
  }
  //! Puts the item for to[at] into its stream, whose first is to[starts[stream]]. A full line leaves when the next item
  //! comes, long after its last one was stored: the processor could not read it at once.
  UPSWEEP_INLINE void put(std::size_t stream, index_t at, const index_t* starts, const T& item) {
    const index_t slot = (at + phase_) & (per_line - 1);
    T* const items = line_of(stream);
    if (slot == 0) leave(items, at, starts[stream]);
    std::memcpy(items + slot, &item, sizeof(T));
  }
  //! Writes what is left of a stream that ends at to[end].
  void finish(std::size_t stream, index_t end, index_t start) {
    if (end == start) return;
    const index_t slots = (end - 1 + phase_) & (per_line - 1);  // before its last item's
    write(to_, line_of(stream), end - 1 - slots, start, end);
  }

 private:
  static constexpr std::size_t line = scratch_cutter::cache_line;
  static constexpr auto per_line = static_cast<index_t>(std::bit_floor(line / sizeof(T)));

  T* line_of(std::size_t stream) const { return reinterpret_cast<T*>(lines_ + stream * line); }
  // The line that ends at to[end].
  UPSWEEP_INLINE void leave(const T* items, index_t end, index_t start) {
    const index_t from = end - per_line;
    if (from < start) return write(to_, items, from, start, end);
#if UPSWEEP_STREAMS
    if (streaming_)
      return stream_lines_by_words(reinterpret_cast<unsigned char*>(to_ + from),
                                   reinterpret_cast<const unsigned char*>(items), 1);
#endif
    std::memcpy(to_ + from, items, per_line * sizeof(T));
  }
  // items[0] is for to[from]; the stream's own are [start, end).
  static void write(T* to, const T* items, index_t from, index_t start, index_t end) {
    const index_t first = from < start ? start : from;
    if (first < end) std::memcpy(to + first, items + (first - from), static_cast<std::size_t>(end - first) * sizeof(T));
  }

  unsigned char* lines_;
  T* to_;
  index_t phase_;
  bool streaming_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
