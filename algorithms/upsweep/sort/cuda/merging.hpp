// A stable merge sort of a tile in shared memory, by any comparator: threads sort a few items each in registers, then
// runs are merged, two by two. (Odeh, Green, Mwassi, Shmueli and Birk 2012: where each thread begins in both runs.)
// Fewer items than a tile are shared out among all threads: it is their steps one after the other that take the time.
//
// Whatever the comparator says, the items stay: where two threads do not agree on where one ends and the next begins,
// the runs are left as they are.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/item_words.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! How many of a's items are among the first `diagonal` of both runs; of equal ones a's come first.
template <class T, class Less>
__device__ int merge_path(const T* a, int a_count, const T* b, int b_count, int diagonal, const Less& less) {
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (less(b[diagonal - 1 - middle], a[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

//! The same by three questions at a time, in half as many steps: where there are too few threads to hide the wait.
template <class T, class Less>
__device__ int merge_path_of_few(const T* a, int a_count, const T* b, int b_count, int diagonal, const Less& less) {
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  const auto is_past = [&](int at) { return static_cast<bool>(less(b[diagonal - 1 - at], a[at])); };
  while (low < high) {
    const int length = high - low;
    const int first = low + length / 4, middle = low + length / 2, last = low + length * 3 / 4;
    const bool past_first = is_past(first), past_middle = is_past(middle), past_last = is_past(last);
    high = past_first ? first : past_middle ? middle : past_last ? last : high;
    low = past_first ? low : past_middle ? first + 1 : past_last ? middle + 1 : last + 1;
  }
  return low;
}

template <int Warps, int Rows, class T, class Less>
class tile_sorter {
  // With few rows a thread holds all that it may take of both runs, and waits for shared memory once a merge.
  static constexpr bool has_few_rows = Rows <= 7 && Rows * sizeof(T) <= 80;

 public:
  static constexpr int warps = Warps, threads = Warps * warp_size, tile = threads * Rows;
  struct shared_memory {
    T items[tile];
    int starts[Warps + 1];
  };

  __device__ tile_sorter(shared_memory& memory, const Less& less) : m(memory), less_(less) {}

  //! Sorts the first `count` items of the shared memory, unless they are in order; says whether they were. A barrier
  //! must stand before and behind.
  __device__ bool sort(int count) {
    constexpr int least = Rows < 3 ? Rows : 3;  // with fewer, where threads begin would take most comparisons
    rows_ = min(max((count + threads - 1) / threads, least) | 1, Rows);  // odd: lanes in different banks
    first_ = min(static_cast<int>(threadIdx.x) * rows_, count);
    mine_ = min(rows_, count - first_);
    load_own();
    if (!__syncthreads_or(descends())) return true;
    if (mine_ == Rows) sort_own<true>();
    else if (mine_ > 1) sort_own<false>();
    int width = 1;  // of a run, in threads
    const bool is_idle = __all_sync(~0u, mine_ == 0);
    for (; width < warp_size && width * rows_ < count; width *= 2) {
      if (is_idle) continue;
      __syncwarp();
      store_own();
      __syncwarp();
      const piece from = begin_of(width, count);
      const int next = __shfl_down_sync(~0u, from.a, 1);
      const int stop = from.is_last ? from.a_stop : next;
      if (!__any_sync(~0u, !fits(from.a, stop))) merge(from, stop);
    }
    for (; width * rows_ < count; width *= 2) {
      __syncthreads();
      store_own();
      __syncthreads();
      const piece from = begin_of(width, count);
      int next = __shfl_down_sync(~0u, from.a, 1);
      const int warp = static_cast<int>(threadIdx.x) / warp_size;
      if (lane_id() == 0) m.starts[warp] = from.a;
      __syncthreads();
      if (lane_id() == warp_size - 1) next = m.starts[warp + 1];
      const int stop = from.is_last ? from.a_stop : next;
      if (!__syncthreads_or(!fits(from.a, stop))) merge(from, stop);
    }
    __syncthreads();
    store_own();
    return false;
  }

 private:
  shared_memory& m;
  const Less& less_;
  item_words<T> own_[Rows];
  int rows_;          // of a thread that has all of them
  int first_, mine_;  // where this thread's are from, and how many

  //! Where a thread begins in the two runs that it merges, a and b, and where they end.
  struct piece {
    int a, a_stop, b, b_stop;
    bool is_last;  // thread of the pair
  };
  __device__ piece begin_of(int width, int count) const {
    const int thread = static_cast<int>(threadIdx.x), pair = thread & -(2 * width);
    const int begin = min(pair * rows_, count), middle = min((pair + width) * rows_, count),
              end = min((pair + 2 * width) * rows_, count);
    const int diagonal = first_ - begin;
    const T *const a = m.items + begin, *const b = m.items + middle;
    const int of_a = has_few_rows ? merge_path_of_few(a, middle - begin, b, end - middle, diagonal, less_)
                                  : merge_path(a, middle - begin, b, end - middle, diagonal, less_);
    return {begin + of_a, middle, middle + diagonal - of_a, end,
            (thread & (2 * width - 1)) == 2 * width - 1 || thread == threads - 1};
  }
  __device__ bool fits(int a, int stop) const { return a <= stop && stop - a <= mine_; }

  //! Takes this thread's items from a's [from.a, stop), and the others from b.
  __device__ void merge(const piece& from, int stop) {
    if constexpr (has_few_rows) merge_windows(from, stop);
    else merge_own(from, stop);
  }
  // What is read behind the ends, and taken after the last of this thread's, is not looked at.
  __device__ void merge_own(const piece& from, int stop) {
    int a = from.a, b = from.b;
    const int b_stop = b + mine_ - (stop - a), last = from.b_stop - 1;
    item_words<T> of_a(m.items[min(a, last)]), of_b(m.items[min(b, last)]);
#pragma unroll
    for (int k = 0; k < Rows; k++) {
      if (k >= rows_) break;
      const bool takes_b = a >= stop || (b < b_stop && less_(of_b.item(), of_a.item()));
      own_[k] = takes_b ? of_b : of_a;
      if (takes_b) b++;
      else a++;
      const item_words<T> next(m.items[min(takes_b ? b : a, last)]);
      if (takes_b) of_b = next;
      else of_a = next;
    }
  }
  __device__ void merge_windows(const piece& from, int stop) {
    item_words<T> of_a[Rows], of_b[Rows];
    int a_left = stop - from.a, b_left = mine_ - a_left;
#pragma unroll
    for (int k = 0; k < Rows; k++) {
      of_a[k] = item_words<T>(m.items[min(from.a + k, from.b_stop - 1)]);
      of_b[k] = item_words<T>(m.items[min(from.b + k, from.b_stop - 1)]);
    }
#pragma unroll
    for (int k = 0; k < Rows; k++) {
      if (k >= rows_) break;
      const bool takes_b = a_left <= 0 || (b_left > 0 && less_(of_b[0].item(), of_a[0].item()));
      own_[k] = takes_b ? of_b[0] : of_a[0];
      b_left -= takes_b;
      a_left -= !takes_b;
#pragma unroll
      for (int next = 1; next < Rows - k; next++) {
        of_a[next - 1] = takes_b ? of_a[next - 1] : of_a[next];
        of_b[next - 1] = takes_b ? of_b[next] : of_b[next - 1];
      }
    }
  }
  //! Is one of this thread's items before its predecessor?
  __device__ bool descends() const {
    bool any = mine_ > 0 && first_ > 0 && less_(own_[0].item(), m.items[first_ - 1]);
#pragma unroll
    for (int k = 1; k < Rows; k++)
      if (k < mine_) any |= static_cast<bool>(less_(own_[k].item(), own_[k - 1].item()));
    return any;
  }
  //! Odd-even transposition.
  template <bool Full>
  __device__ void sort_own() {
#pragma unroll
    for (int pass = 0; pass < Rows; pass++) {
      if (!Full && pass >= rows_) break;
#pragma unroll
      for (int k = pass % 2; k + 1 < Rows; k += 2)
        if (Full || k + 1 < mine_) {
          const item_words<T> left = own_[k], right = own_[k + 1];
          const bool swaps = less_(right.item(), left.item());
          own_[k] = swaps ? right : left;
          own_[k + 1] = swaps ? left : right;
        }
    }
  }
  __device__ void load_own() {
#pragma unroll
    for (int k = 0; k < Rows; k++)
      if (k < mine_) own_[k] = item_words<T>(m.items[first_ + k]);
  }
  __device__ void store_own() const {
    if (mine_ == Rows) {
#pragma unroll
      for (int k = 0; k < Rows; k++) own_[k].store(m.items[first_ + k]);
    } else {
#pragma unroll
      for (int k = 0; k < Rows; k++)
        if (k < mine_) own_[k].store(m.items[first_ + k]);
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
