// Sorts what fits a CTA by a comparator: the units that splitting by pivots leaves, and whole inputs of up to a unit.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/sort/cuda/merging.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T, class Less>
struct merge_units_args {
  T* items[3];  // by place; sorted they go to the first
  const T* in;  // of the whole, if it is one unit
  index_t n;
  Less less;
  const split_state* state;  // null: the whole input is one unit
  const unit_to_sort* units;
};

template <class T, class Less, class Shape>
__device__ void merge_unit(const merge_units_args<T, Less>& a, const unit_to_sort& unit,
                           typename tile_sorter<Shape::warps, Shape::rows, T, Less>::shared_memory& m) {
  const T* const from = a.items[unit.place] + unit.begin;
  T* const to = a.items[0] + unit.begin;
  const auto copy = [&](const T* source, T* target) {
#pragma unroll
    for (int k = 0; k < Shape::rows; k++) {
      const int i = k * Shape::threads + static_cast<int>(threadIdx.x);
      if (i < unit.length) target[i] = source[i];
    }
  };
  tile_sorter<Shape::warps, Shape::rows, T, Less> sorter(m, a.less);
  copy(from, m.items);
  __syncthreads();
  if (sorter.sort(unit.length) && from == to) return;
  __syncthreads();
  copy(m.items, to);
}

template <class T, class Less, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas)
    merge_units_kernel(const __grid_constant__ merge_units_args<T, Less> a) {
  extern __shared__ __align__(16) std::byte memory[];
  auto& m = *reinterpret_cast<typename tile_sorter<Shape::warps, Shape::rows, T, Less>::shared_memory*>(memory);
  if (!a.state) {
    // (Merged from there, items of 32 bytes would spill: two pointers more.)
    if (a.in != a.items[0])
      for (int i = static_cast<int>(threadIdx.x); i < a.n; i += Shape::threads)
        item_words<T>(a.in[i]).store(a.items[0][i]);
    return merge_unit<T, Less, Shape>(a, {0, static_cast<int>(a.n), 0}, m);
  }
  for (unsigned int k = blockIdx.x; k < a.state->units; k += gridDim.x) {
    merge_unit<T, Less, Shape>(a, a.units[k], m);
    __syncthreads();
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu
