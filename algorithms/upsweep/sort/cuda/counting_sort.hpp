// Sorts segments of keys that differ in their last 16 bits alone by counting (Seward 1954): no key is moved, the result
// is written from the counts. For keys that cannot be told apart when they are equal. A split notes such segments where
// more keys than a unit's agree in all higher bits, as skewed keys do (split_plan.hpp).
//
// A CTA sorts a segment. A long one is counted in parts, which meet in memory, and written in parts; CTAs draw first
// the parts to count, then segments, then the parts to write, whose counts are there by then, or soon.
#pragma once
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/sort/cuda/counted_values.hpp>
#include <upsweep/sort/cuda/split_memory.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job>
struct counting_args {
  Job job;
  split_state* state;
  counted_memory memory;
};

//! What a CTA is to do.
struct counting_task {
  enum { count_part, sort_segment, write_part, nothing_left } what;
  counted_segment segment;
  index_t first;  // key of the part in the segment
  // Of a long segment:
  long_segment_counts* known;
  std::uint32_t* counts;
  unsigned int parts;
};

template <class Job>
class counting_sorter {
  using U = typename Job::key_type;
  using counters = counted_values<Job>;
  static_assert(!Job::has_payload, "it writes keys that it does not move");

 public:
  using shared_memory = typename counters::shared_memory;
  struct shared_state : counters::shared_state {
    counting_task task;
  };
  __device__ counting_sorter(const counting_args<Job>& args, shared_memory& shared, shared_state& state)
      : a(args), s(state), values_(args.job, shared, state) {}

  __device__ void run() {
    for (;;) {
      if (threadIdx.x == 0) s.task = draw();
      __syncthreads();
      const counting_task task = s.task;
      if (task.what == counting_task::nothing_left) return;
      const counted_segment& g = task.segment;
      if (task.what == counting_task::sort_segment) {
        values_.count(g, 0, g.length, nullptr);
        if (!is_there(g, values_.count_of(values_.first_value(g)))) values_.write(g, 0, g.length);
      } else if (task.what == counting_task::count_part) {
        values_.count(g, task.first, min(g.length - task.first, a.memory.part), task.counts);
        values_.add_to(task.counts);
        if (threadIdx.x == 0 && task.first == 0) task.known->value = values_.first_value(g);
        __syncthreads();
        if (threadIdx.x == 0) {
          __threadfence();
          atomicAdd(&task.known->parts_counted, 1u);
        }
      } else {
        if (threadIdx.x == 0) {
          while (*static_cast<volatile unsigned int*>(&task.known->parts_counted) < task.parts) __nanosleep(100);
          __threadfence();
        }
        __syncthreads();
        if (!is_there(g, __ldcg(task.counts + __ldcg(&task.known->value)))) {
          const index_t length = min(g.length - task.first, counters::most_written);
          values_.take_from(task.counts, g.bits, task.first, length);
          values_.write(g, task.first, length);
        }
      }
      __syncthreads();
    }
  }

 private:
  const counting_args<Job>& a;
  shared_state& s;
  counters values_;

  //! Are a segment's keys all equal, as so many are, and where the result wants them?
  __device__ bool is_there(const counted_segment& g, std::uint32_t equal) const {
    return a.job.at_home[g.place] && equal == static_cast<std::uint32_t>(g.length);
  }
  __device__ counting_task draw() const {
    index_t number = atomicAdd(&a.state->counted_drawn, 1u);
    counting_task task{};
    if (find_part(task, number, a.memory.part)) task.what = counting_task::count_part;
    else if (find_segment(task, number, counted_memory::large) || find_segment(task, number, counted_memory::small))
      task.what = counting_task::sort_segment;
    else if (find_part(task, number, counters::most_written)) task.what = counting_task::write_part;
    else task.what = counting_task::nothing_left;
    return task;
  }
  __device__ index_t segments_of(counted_memory::size size) const {
    return min(index_t{a.state->counted[size]}, a.memory.most[size]);
  }
  //! Is the number one of the segments of a size? Else takes these off it.
  __device__ bool find_segment(counting_task& task, index_t& number, counted_memory::size size) const {
    const index_t segments = segments_of(size);
    if (number >= segments) {
      number -= segments;
      return false;
    }
    task.segment = a.memory.segments[size][number];
    return true;
  }
  //! Is it one of the parts that long segments have? Else takes these off it.
  __device__ bool find_part(counting_task& task, index_t& number, index_t part) const {
    const index_t segments = segments_of(counted_memory::in_parts);
    for (index_t k = 0; k < segments; k++) {
      const counted_segment& g = a.memory.segments[counted_memory::in_parts][k];
      const index_t parts = (g.length + part - 1) / part;
      if (number < parts) {
        task.segment = g;
        task.first = number * part;
        task.known = a.memory.long_known + k;
        task.counts = a.memory.counts + (k << counting_bits);
        task.parts = static_cast<unsigned int>((g.length + a.memory.part - 1) / a.memory.part);
        return true;
      }
      number -= parts;
    }
    return false;
  }
};

template <class Job>
__global__ void __launch_bounds__(counted_values<Job>::threads, 1)
    counting_sort_kernel(const __grid_constant__ counting_args<Job> a) {
  using S = counting_sorter<Job>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  S(a, *reinterpret_cast<typename S::shared_memory*>(memory), state).run();
}

}  // namespace UPSWEEP_NAMESPACE::gpu
