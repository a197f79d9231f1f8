// A tile of interleaved channels in shared memory: moments of up to eight channels, a *strip*, as they lie in memory.
// A lane takes a run of one channel, with its neighbours beside it: lanes of a warp are the channels of a moment, and
// the same of runs further on. Runs are of odd length where items have four bytes, so that those in different runs lie
// in different banks.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/cuda/window.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! How a signal of many channels is cut.
struct strips {
  int width;      // channels of a strip; the last one may have fewer
  int log_runs;   // a warp takes 2^log_runs runs of each
  index_t count;  // of strips

  //! Of as even widths as can be, in whole vectors where channels are.
  static strips of(index_t channels, int most) {
    strips cut{static_cast<int>(channels), 0, (channels + most - 1) / most};
    if (cut.count > 1) {
      cut.width = static_cast<int>((channels + cut.count - 1) / cut.count);
      if (channels % 4 == 0) cut.width = round_up(cut.width, 4);
      cut.count = (channels + cut.width - 1) / cut.width;
    }
    while (cut.width << (cut.log_runs + 1) <= warp_size) cut.log_runs++;
    return cut;
  }
};

//! The moments of a strip that a CTA takes, and what of them is this lane's.
template <int Unit, int Warps>
struct strip_part {
  index_t channels, n;  // of the signal
  index_t channel;      // the strip's first
  int width;            // its channels
  index_t first;        // the tile's first moment
  int count, tile;      // its moments, and those of a full one
  int warp_moments;     // those of a warp's runs
  int run, own;         // this lane's run in its warp and channel in the strip
  bool takes_part;      // has it any?

  __device__ strip_part(const strips& cut, index_t all_channels, index_t length, index_t strip, index_t number)
      : channels(all_channels), n(length), channel(strip * cut.width) {
    width = static_cast<int>(min(index_t{cut.width}, channels - channel));
    warp_moments = Unit << cut.log_runs;
    tile = Warps * warp_moments;
    first = number * tile;
    count = static_cast<int>(min(n - first, index_t{tile}));
    run = lane_id() / width;
    own = lane_id() - run * width;
    takes_part = run >> cut.log_runs == 0;
  }
  __device__ bool full() const { return count == tile; }
  //! Are the moments of a strip all there is, so that they lie behind one another?
  __device__ bool is_whole() const { return width == channels; }
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / warp_size; }
  //! Where this lane's items begin in the tile, `width` apart, and how many there are.
  __device__ int lane_moment() const { return warp() * warp_moments + run * Unit; }
  __device__ int lane_count() const { return takes_part ? min(max(count - lane_moment(), 0), Unit) : 0; }
  template <class T>
  __device__ T* place(T* data) const {
    return data + first * channels + channel;
  }
};

//! Calls move(row, k) for this lane's among `rows` rows of `width` pieces, which a group moves together.
template <class Group, class Move>
__device__ void for_pieces(int rows, int width, const Group& group, const Move& move) {
  const int rows_on = group.size() / width, pieces_on = group.size() - rows_on * width;
  int row = group.lane() / width, k = group.lane() - row * width;
#pragma unroll 2
  while (row < rows) {
    move(row, k);
    row += rows_on;
    k += pieces_on;
    if (k >= width) {
      k -= width;
      row++;
    }
  }
}
//! Copies a piece from global to shared memory; where it can the thread does not wait before copies_have_come().
template <class Piece>
__device__ void copy_later(Piece* shared, const Piece* global) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Piece) >= 4) {
    return copy_async(shared, global);
  }
#endif
  *shared = *global;
}
__device__ inline void copies_have_come() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  wait_for_async_copies();
#endif
}
//! Calls copy(to, from) with pieces of rows of `width` items that lie so far apart: vectors where they consist of such.
template <class T, class Group, class Copy>
__device__ void copy_rows(T* to, index_t to_apart, const T* from, index_t from_apart, int rows, int width,
                          const Group& group, const Copy& copy) {
  constexpr int of_vector = 16 / static_cast<int>(sizeof(T));
  const auto bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                    static_cast<std::uintptr_t>(to_apart | from_apart | width) * sizeof(T);
  if (bits % 16 == 0)
    for_pieces(rows, width / of_vector, group, [&](int row, int k) {
      copy(reinterpret_cast<uint4*>(to + row * to_apart) + k,
           reinterpret_cast<const uint4*>(from + row * from_apart) + k);
    });
  else
    for_pieces(rows, width, group, [&](int row, int k) { copy(to + row * to_apart + k, from + row * from_apart + k); });
}

//! What threads wait for until a bulk copy has come.
class arrival {
 public:
  //! Called by one thread; a barrier must follow.
  __device__ void init() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    arrived_.init(1);
    fence_barrier_init();
#endif
  }
  //! Called once by that thread.
  __device__ void load(void* shared, const void* global, int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    arrived_.arrive_expecting(static_cast<std::uint32_t>(bytes));
    if (bytes > 0) bulk_load(shared, global, static_cast<std::uint32_t>(bytes), arrived_);
#endif
  }
  __device__ void wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    arrived_.wait(0);
#endif
  }

 private:
  mbarrier arrived_;
};

//! Bytes of a tile's window, of any strips.
template <class T, int Unit, int Warps>
inline constexpr int strip_window = round_up(warp_size * Warps * Unit * static_cast<int>(sizeof(T)) + line, line);

//! Brings a tile's items into its window; returns where they begin there. Called by all threads; a barrier must follow,
//! and where it says so a wait for `arrived`.
template <class T, int Unit, int Warps>
__device__ T* load_strip(const T* data, const strip_part<Unit, Warps>& part, std::byte* window, arrival& arrived,
                         bool& waits) {
  using G = geometry<load_stage<range_column<T>>, Warps, -Unit>;
  T* const items = reinterpret_cast<T*>(window + reinterpret_cast<std::uintptr_t>(part.place(data)) % line);
  waits = false;
  if (!part.is_whole()) {
    copy_rows(items, part.width, part.place(data), part.channels, part.count, part.width, cta_group{},
              [](auto* to, const auto* from) { copy_later(to, from); });
    copies_have_come();
    return items;
  }
  const span_of_items<false> all{part.first * part.channels, part.n * part.channels, part.count * part.width,
                                 part.tile * part.width};
  const window_copy copy = plan_window<G>(range_column<T>{{data, all.n, "in"}}, all, false);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  waits = true;
  if (threadIdx.x == 0)
    arrived.load(window + copy.granules_from, copy.source + copy.granules_from, copy.granules_to - copy.granules_from);
  copy_ends(window, copy, cta_group{});
#else
  copy_window(window, copy, cta_group{});
#endif
  return items;
}

//! Sends off the results of a warp's runs, which lie in the tile as their items do. True: the copy engine is still
//! reading them. Called by a warp.
template <class T, int Unit, int Warps>
__device__ bool send_strip(T* data, const strip_part<Unit, Warps>& part, const T* results) {
  const int before = part.warp() * part.warp_moments, moments = min(part.count - before, part.warp_moments);
  const T* const from = results + before * part.width;
  T* const to = part.place(data) + before * part.channels;
  __syncwarp();
  if (moments <= 0) return false;
  if (!part.is_whole()) {
    copy_rows(to, part.channels, from, part.width, moments, part.width, warp_group{},
              [](auto* global, const auto* shared) { *global = *shared; });
    return false;
  }
  const int items = moments * part.width;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if ((reinterpret_cast<std::uintptr_t>(to) | shared_address(from) | items * sizeof(T)) % 16 == 0) {
    fence_async();
    __syncwarp();
    if (lane_id() == 0) bulk_store(to, from, static_cast<std::uint32_t>(items * sizeof(T)));
    return true;
  }
#endif
  copy_run(to, from, items);
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::gpu
