// Launching a sort of segments by counting (counting_sort.hpp), and the memory that it needs.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/counting_sort.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Of a sort of many keys whose splits note such segments.
template <class Job>
class counting_run {
  static constexpr int shared = sizeof(typename counting_sorter<Job>::shared_memory);
  index_t n_;
  bool counts_;

 public:
  counting_run(const device& executor, const Job& job)
      : n_(job.n),
        counts_(n_ >= tuning::least_counted && job.begin_bit == 0 && shared_bytes(executor, shared) == shared) {}

  //! Segments have more keys than a unit. Counts lie where the split, which is over by then, has those of its tiles: a
  //! word for 18 or 24 keys, where one for 64 is wanted.
  void cut(detail::scratch_cutter& scratch, counted_memory& memory, int unit_length, std::uint32_t* of_tiles) const {
    if (!counts_) return;
    memory.part = std::min(n_ / tuning::counted_parts / counting_step * counting_step, most_counting_part);
    memory.most[memory.in_parts] = std::min(n_ / tuning::keys_of_long_counts, tuning::most_long_segments);
    memory.most[memory.large] = n_ >> 16;
    memory.most[memory.small] = n_ / unit_length;
    for (int size = 0; size < memory.sizes; size++)
      memory.segments[size] = scratch.take<counted_segment>(memory.most[size]);
    memory.long_known = scratch.take<long_segment_counts>(memory.most[memory.in_parts]);
    memory.counts = of_tiles;
  }
  void launch(device& executor, const Job& job, split_state* state, const counted_memory& memory) const {
    if (!counts_) return;
    const auto bytes =
        (static_cast<std::size_t>(memory.most[memory.in_parts]) << counting_bits) * sizeof(*memory.counts);
    UPSWEEP_CUDA_CHECK(cudaMemsetAsync(memory.counts, 0, bytes, executor.stream()));
    gpu::launch<&counting_sort_kernel<Job>>(executor, executor.multiprocessors(), counted_values<Job>::threads, shared,
                                            counting_args<Job>{job, state, memory});
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
