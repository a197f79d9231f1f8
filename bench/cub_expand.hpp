// Items as often as their counts say, for which CUB has no call of a device: composed of its parts, in two ways.
#pragma once
#include <span>
#include <vector>

#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_store.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/functional>
#include <thrust/iterator/counting_iterator.h>

#include "cuda_side.hpp"

namespace bench {

//! What a run is: its index, or in[index].
struct number_of_run {
  UPSWEEP_HD int operator()(int run) const { return run; }
};
template <class T>
struct item_of_run {
  const T* in;
  UPSWEEP_HD T operator()(int run) const { return in[run]; }
};

//! Writes where its run begins the index of each run that is not empty.
struct mark_runs {
  const int *counts, *offsets;
  int* marks;
  UPSWEEP_HD void operator()(int run) const {
    if (counts[run] > 0) marks[offsets[run]] = run;
  }
};
template <class T, class Make>
struct make_items {
  const int* runs;
  T* out;
  Make make;
  UPSWEEP_HD void operator()(index_t i) const { out[i] = make(runs[i]); }
};

namespace runs_in_blocks {
constexpr int threads = 256, runs_a_thread = 2, items_a_thread = 8, window = threads * items_a_thread;

//! A block decodes the runs of its threads, a window at a time. None of them may be empty, so they come by `numbers`.
template <class T, class Make>
__global__ void __launch_bounds__(threads)
    decode(const int* counts, const int* offsets, const int* numbers, const int* how_many, T* out, Make make) {
  using decoder = cub::BlockRunLengthDecode<int, threads, runs_a_thread, items_a_thread, int>;
  using store = cub::BlockStore<T, threads, items_a_thread, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ typename decoder::TempStorage of_decoder;
  __shared__ typename store::TempStorage of_store;
  const index_t first = static_cast<index_t>(blockIdx.x) * threads * runs_a_thread;
  if (first >= *how_many) return;
  int runs[runs_a_thread], lengths[runs_a_thread];
  for (int k = 0; k < runs_a_thread; k++) {
    const index_t at = first + static_cast<index_t>(threadIdx.x) * runs_a_thread + k;
    runs[k] = at < *how_many ? numbers[at] : 0;
    lengths[k] = at < *how_many ? counts[runs[k]] : 0;
  }
  int total = 0;
  decoder decode(of_decoder, runs, lengths, total);
  T* const to = out + offsets[numbers[first]];
  for (int from = 0; from < total; from += window) {
    int decoded[items_a_thread];
    T items[items_a_thread];
    decode.RunLengthDecode(decoded, from);
    for (int k = 0; k < items_a_thread; k++) items[k] = make(decoded[k]);
    if (total - from >= window) store(of_store).Store(to + from, items);
    else store(of_store).Store(to + from, items, total - from);
    __syncthreads();
  }
}
}  // namespace runs_in_blocks

//! The sum of the counts says where each run begins. Then a scan of maxima carries each run's index through it; or,
//! unless a run is so long that all would wait for its block, blocks decode a few of those that are not empty.
template <class T, class Make>
std::vector<contender> composed_expansions(bed& b, std::span<const int> counts, int longest, std::span<T> out,
                                           Make make) {
  const auto runs = static_cast<int>(counts.size());
  const auto items = static_cast<index_t>(out.size());
  const auto offsets = b.scratch<int>(runs);
  const contender sum = cub_call(b, "", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, counts.data(), offsets.data(), runs, stream);
  });

  std::span<int> marks;  // the output itself, where it is the runs' indices that are wanted
  if constexpr (std::is_same_v<Make, number_of_run>) marks = out;
  else marks = b.scratch<int>(items);
  auto ways = composed(cub_calls(
      b, "scans of sums and maxima", items, [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
        return cub::DeviceScan::InclusiveScan(storage, bytes, marks.data(), marks.data(), cuda::maximum<>{}, n, stream);
      }));
  for (contender& way : ways)
    way.call = [=, maxima = way.call, stream = b.exec.stream()] {
      sum.call();
      UPSWEEP_CUDA_CHECK(cudaMemsetAsync(marks.data(), 0, marks.size_bytes(), stream));
      UPSWEEP_CUDA_CHECK(cub::DeviceFor::Bulk(runs, mark_runs{counts.data(), offsets.data(), marks.data()}, stream));
      maxima();
      if constexpr (!std::is_same_v<Make, number_of_run>)
        UPSWEEP_CUDA_CHECK(cub::DeviceFor::Bulk(items, make_items<T, Make>{marks.data(), out.data(), make}, stream));
    };
  constexpr int longest_for_a_block = 1 << 16;
  if (longest <= longest_for_a_block) {
    const auto numbers = b.scratch<int>(runs), how_many = b.scratch<int>(1);
    const contender select = cub_call(b, "", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
      return cub::DeviceSelect::Flagged(storage, bytes, thrust::make_counting_iterator(0), counts.data(),
                                        numbers.data(), how_many.data(), runs, stream);
    });
    ways.push_back({"composed of CUB calls: BlockRunLengthDecode", [=, stream = b.exec.stream()] {
                      using namespace runs_in_blocks;
                      constexpr int runs_a_block = threads * runs_a_thread;
                      sum.call();
                      select.call();
                      decode<<<(runs + runs_a_block - 1) / runs_a_block, threads, 0, stream>>>(
                          counts.data(), offsets.data(), numbers.data(), how_many.data(), out.data(), make);
                      UPSWEEP_CUDA_CHECK(cudaGetLastError());
                    }});
  }
  return ways;
}

}  // namespace bench
