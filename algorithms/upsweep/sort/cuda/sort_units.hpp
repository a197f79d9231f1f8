// Sorts what fits a CTA: the units that splitting leaves, and whole inputs of up to a tile.
//
// Keys are put in order in shared memory (unit_order.hpp). Payloads come there meanwhile, or after if there is no room,
// and are written by where they stood. Where what differs of the keys leaves room for their places, key and place are
// sorted as one number: no two are equal, and a comparison is of one word.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_pipeline_primitives.h>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/unit_order.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job>
struct unit_args {
  Job job;
  typename Job::key_type counted;  // the bits that the order depends on
  const split_state* state;        // null: the whole input is one unit
  const unit_to_sort* units;
  bool after_first;  // of two rules: units that the one which may decline has left
};

template <class Job, class Shape, bool Ordered>
class unit_sorter : protected unit_order<typename Job::key_type, Shape, Ordered> {
  using U = typename Job::key_type;
  using Payload = typename Job::payload_type;
  using order_of_keys = unit_order<U, Shape, Ordered>;
  using Number = std::conditional_t<sizeof(U) <= 4, std::uint32_t, std::uint64_t>;
  using order_of_numbers = unit_order<Number, Shape, false, true>;
  static constexpr bool has_numbers = Ordered && Job::has_payload;
  static constexpr int place_bits = std::bit_width(static_cast<unsigned int>(Shape::tile - 1));
  static constexpr Number place_mask = (Number{1} << place_bits) - 1;

  using order_of_keys::find_range, order_of_keys::lowest_, order_of_keys::highest_, order_of_keys::arrange_in_range;
  using order_of_keys::for_each_live, order_of_keys::place, order_of_keys::rows, order_of_keys::threads;
  using order_of_keys::memory, order_of_keys::rest_;

  static constexpr int payload_tile = Job::has_payload ? Shape::tile : 1;
  union memory_to_order {
    typename order_of_keys::shared_memory keys;
    std::conditional_t<has_numbers, typename order_of_numbers::shared_memory, nothing> numbers;
  };
  struct memory_apart {
    memory_to_order order;
    maybe<Payload> payloads[payload_tile];
  };
  union memory_in_turn {
    memory_to_order order;
    maybe<Payload> payloads[payload_tile];
  };
  // Do payloads come while keys are put in order, or when they have left?
  // (In code for 8.x apart, though where a multiprocessor has 100 KiB two CTAs would fit in turn: not timed.)
  static constexpr bool are_apart = sizeof(memory_apart) + 2048 <= 1024 * tuning::shared_of_a_cta();

 public:
  using shared_memory = std::conditional_t<are_apart, memory_apart, memory_in_turn>;
  struct shared_state : order_of_keys::shared_state {
    std::conditional_t<has_numbers, typename order_of_numbers::shared_state, nothing> numbers;
  };
  __device__ unit_sorter(const unit_args<Job>& args, shared_memory& shared, shared_state& state)
      : order_of_keys(shared.order.keys, state, args.counted), a(args), all_(shared), state_(state) {}

  __device__ void sort(const unit_to_sort& unit) {
    U keys[rows];
    fetch(unit, keys);
    find_range(keys);
    if (lowest_ == highest_ && a.job.at_home[unit.place]) return;
    if (are_apart) copy_payloads(unit);
    if constexpr (has_numbers) {
      if (numbers_tell()) {
        if (sort_numbers(unit, keys)) return;
        fetch(unit, keys);  // kept they would spill
        find_range(keys);
      }
    }
    arrange_in_range(keys, unit.length);
    __syncthreads();
    this->store_keys(a.job.key_out, unit.begin);
    if constexpr (Job::has_payload) {
      std::uint32_t sources[rows];  // read before payloads come, who may lie there
      forget(sources);
      for_each_live([&](int k) { sources[k] = memory.sources[place(k)]; });
      store_payloads(unit, [&](int k) { return sources[k]; });
    }
  }

 private:
  const unit_args<Job>& a;
  shared_memory& all_;
  shared_state& state_;

  __device__ void fetch(const unit_to_sort& unit, U (&keys)[rows]) {
    rest_ = unit.length - static_cast<int>(threadIdx.x);
    a.job.template fetch<rows, threads>(keys, unit.place, unit.begin + threadIdx.x, rest_);
    a.job.encode(keys, unit.place);
  }
  //! Starts to copy payloads to shared memory.
  __device__ void copy_payloads(const unit_to_sort& unit) const {
    if constexpr (Job::has_payload) {
      const index_t first = unit.begin + threadIdx.x;
      for_each_live([&](int k) { a.job.copy_payload(all_.payloads[place(k)], unit.place, first + k * threads); });
      __pipeline_commit();
    }
  }
  //! Writes payloads out, the k-th from where it stood.
  template <class Source>
  __device__ void store_payloads(const unit_to_sort& unit, const Source& source) const {
    if (!are_apart) {
      __syncthreads();
      copy_payloads(unit);
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    const index_t first = unit.begin + threadIdx.x;
    for_each_live([&](int k) { a.job.payload_out[first + k * threads] = all_.payloads[source(k)].value; });
  }

  //! Have what differs of a key and its place room in a number, and does nothing else decide?
  __device__ bool numbers_tell() const {
    const auto range = static_cast<U>(highest_ - lowest_);
    return range > 0 && a.counted == static_cast<U>(~U{0}) && range <= static_cast<Number>(~Number{0}) >> place_bits;
  }
  //! Sorts a unit by numbers. False: they crowd, and it is not sorted.
  __device__ bool sort_numbers(const unit_to_sort& unit, const U (&keys)[rows]) {
    const auto above_place = [&](U key) { return static_cast<Number>(static_cast<U>(key - lowest_)) << place_bits; };
    Number numbers[rows];
#pragma unroll
    for (int k = 0; k < rows; k++) numbers[k] = above_place(keys[k]) | static_cast<Number>(place(k));
    static_assert(sizeof all_.order.numbers.in_buckets.starts == sizeof all_.order.keys.in_buckets.starts,
                  "buckets would not be zeroed");
    const auto all_bits = static_cast<Number>(~Number{0});
    order_of_numbers order(all_.order.numbers, state_.numbers, all_bits);
    if (!order.arrange_between(0, above_place(highest_) | place_mask, numbers, unit.length)) return false;
    __syncthreads();
    const index_t first = unit.begin + threadIdx.x;
    for_each_live([&](int k) {
      numbers[k] = all_.order.numbers.in_buckets.sorted.keys[place(k)];
      a.job.key_out(first + k * threads, static_cast<U>((numbers[k] >> place_bits) + lowest_));
    });
    store_payloads(unit, [&](int k) { return static_cast<int>(numbers[k] & place_mask); });
    return true;
  }
};

template <class Job, class Shape, bool Ordered>
__global__ void __launch_bounds__(Shape::threads, Shape::ctas)
    sort_units_kernel(const __grid_constant__ unit_args<Job> a) {
  using S = unit_sorter<Job, Shape, Ordered>;
  extern __shared__ __align__(16) std::byte memory[];
  __shared__ typename S::shared_state state;
  S sorter(a, *reinterpret_cast<typename S::shared_memory*>(memory), state);
  if (a.state && a.state->is_done != a.after_first) return;
  __shared__ unit_to_sort unit;  // in registers it would spill two of them, beside a second CTA (nvcc 13.0, sm_80)
  for (unsigned int k = blockIdx.x; k < (a.state ? a.state->units : 1); k += gridDim.x) {
    if (threadIdx.x == 0) unit = a.state ? a.units[k] : unit_to_sort{0, static_cast<int>(a.job.n), 0};
    __syncthreads();
    sorter.sort(unit);
    __syncthreads();
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu
