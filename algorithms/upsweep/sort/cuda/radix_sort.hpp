// Radix sort on the device: most significant digits first (split.hpp, by_digits.hpp), until what is left fits a CTA,
// which sorts it (sort_units.hpp). digit_sorter.hpp has the launches; keys that a cluster of CTAs holds take one
// (sort_cluster.hpp).
//
// What moves between the rounds is unsigned keys with payloads of up to 8 bytes. Larger values, and items that their
// key does not tell, are fetched at the end by the index that was sorted in their stead.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/for_each_index.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digit_sorter.hpp>
#include <upsweep/sort/cuda/key_sources.hpp>
#include <upsweep/sort/cuda/sort_cluster.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/zeros.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job, bool Ordered>
struct units_of_job {
  static constexpr tuning::sort_shape shape =
      tuning::sort_units(sizeof(typename Job::key_type), Ordered,
                         Job::has_payload && sizeof(typename Job::payload_type) <= 4 &&
                             sizeof(typename Job::key_type) == 4 && !Job::computes_keys);
  using type = tile_shape<shape.warps, shape.rows, shape.ctas>;
};
//! Calls f with a sorter by units that two rounds leave of random keys, as long as there are such.
template <bool Ordered, class Job, class F>
void with_sorter(device& executor, const Job& job, const F& f) {
  constexpr int key_bytes = sizeof(typename Job::key_type);
  using Unit = typename units_of_job<Job, Ordered>::type;
  if constexpr (key_bytes == 4 && !Ordered) {
    constexpr tuning::sort_shape large = tuning::large_sort_units;
    constexpr index_t buckets = index_t{1} << 2 * digit_bits;
    if (job.n > buckets * Unit::tile * 8 / 9)
      return f(digit_sorter<tile_shape<large.warps, large.rows, large.ctas>, Ordered, Job>(executor, job));
  }
  f(digit_sorter<Unit, Ordered, Job>(executor, job));
}

template <class KeyIn>
struct computed_keys {
  KeyIn in;
  typename KeyIn::U* keys;
  __device__ void operator()(index_t i) const { keys[i] = in.raw(i); }
};
template <class Source, class T, class P, class Places>
struct fetched {
  Source in;
  T* out;
  const P* index;
  Places places;
  __device__ void operator()(index_t i) const {
    if (places(i)) out[i] = in(static_cast<index_t>(index[i]));
  }
};

//! Do values come from the memory that they go to?
template <class Source, class T>
bool is_memory(const Source& source, const T* memory) {
  if constexpr (std::is_same_v<Source, detail::values_of<T>>) return source.values == memory;
  else return false;
}
//! out[i] = in(index[i]). `copy` has room for n items, used when in lies in out: it must not be read where it has been
//! written.
template <class Source, class T, class P, class Places>
void fetch(device& executor, Source in, T* out, index_t n, const P* index, T* copy, const Places& places) {
  if (is_memory(in, out)) {
    UPSWEEP_CUDA_CHECK(cudaMemcpyAsync(copy, out, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice,
                                       executor.stream()));
    if constexpr (std::is_same_v<Source, detail::values_of<T>>) in.values = copy;
  }
  gpu::for_each_index(executor, n, fetched<Source, T, P, Places>{in, out, index, places});
}

//! Sorts a job's indices, one job after the other, each in the order that the one before left; then fetches the items
//! and the values. The jobs are of one type but for where their keys come from: all ask for the same scratch memory,
//! where what must last lies in front.
template <class P, class Task, class Places, class... Jobs>
void sort_by_index(device& executor, const Task& task, const Places& places, const Jobs&... jobs) {
  using Item = typename Task::item_type;
  using Value = typename Task::value_type;
  Item* items = nullptr;
  Value* values = nullptr;
  P* indices[2];  // sorts write them in turn, and read what the one before wrote
  int sorts = 0;
  const auto sort = [&](const auto& job) {
    with_sorter<true>(executor, job, [&](auto sorter) {
      detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
        indices[0] = scratch.take<P>(task.n);
        indices[1] = scratch.take<P>(sizeof...(Jobs) > 1 ? task.n : 0);
        if (task.out == task.in) items = scratch.take<Item>(task.n);
        if constexpr (Task::has_values) values = scratch.take<Value>(task.n);
        sorter.cut(scratch, nullptr, nullptr, false);
      });
      sorter.job.key_in.index = sorter.job.payload_in.index = sorts > 0 ? indices[(sorts - 1) % 2] : nullptr;
      sorter.job.payload_out = indices[sorts % 2];
      sorter.sort(executor);
    });
    sorts++;
  };
  (sort(jobs), ...);
  const P* const index = indices[(sorts - 1) % 2];
  if (task.out) fetch(executor, detail::values_of<Item>{task.in}, task.out, task.n, index, items, places);
  if constexpr (Task::has_values) fetch(executor, task.values_in, task.values_out, task.n, index, values, places);
}
template <class P, class KeyIn>
auto index_job(const KeyIn& keys, index_t n, int begin_bit, int end_bit) {
  using U = typename KeyIn::U;
  return sort_job<U, P, KeyIn, payload_index<P>, keys_not_wanted>{.key_in = keys,
                                                                  .payload_in = {},
                                                                  .key_out = {},
                                                                  .payload_out = nullptr,
                                                                  .n = n,
                                                                  .begin_bit = begin_bit,
                                                                  .end_bit = end_bit,
                                                                  .keys = {},
                                                                  .payloads = {},
                                                                  .at_home = {}};
}

//! A job that moves the keys themselves, and values of up to 8 bytes.
template <class KeyIn, class KeyOut, class Task>
auto key_job(const Task& task, const KeyIn& keys, const KeyOut& out, int end_bit) {
  using Job = sort_job<typename KeyIn::U, typename Task::value_type, KeyIn,
                       std::remove_cvref_t<decltype(task.values_in)>, KeyOut>;
  return Job{.key_in = keys,
             .payload_in = task.values_in,
             .key_out = out,
             .payload_out = task.values_out,
             .n = task.n,
             .begin_bit = task.begin_bit,
             .end_bit = end_bit,
             .keys = {},
             .payloads = {},
             .at_home = {}};
}
//! Keys as large as their items: the results' memory is one of the two that they move between. front(scratch, task)
//! cuts what else must last, and may say where the values go.
template <class Task, class Front>
void sort_in_memory(device& executor, Task task, const Front& front) {
  using Item = typename Task::item_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using U = typename Bits::bits_type;
  const bool in_place = task.in == task.out || is_memory(task.values_in, task.values_out);
  auto job =
      key_job(task, items_as_keys<Item, Bits>{task.in, task.bits}, items_of_keys<Item, Bits>{task.out, task.bits},
              task.bits.mask == 0 ? task.begin_bit : task.end_bit);
  job.at_home[0] = task.in == task.out && !task.has_values;
  job.at_home[in_place ? 2 : 1] = task.out && task.bits.is_plain();
  zeros_in_order<Item, Bits> zeros(task.in, task.out, task.n, task.bits);
  const auto sort = [&](auto sorter) {
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      front(scratch, task);
      zeros.cut(scratch);
      sorter.cut(scratch, reinterpret_cast<U*>(task.out), task.values_out, in_place);
    });
    sorter.job.payload_out = task.values_out;
    zeros.note(executor);
    sorter.sort(executor);
    zeros.put_back(executor);
  };
  // Where equal keys cannot be told apart nobody sees their order.
  const auto sort_ordered = [&](auto ordered) {
    using Job = std::remove_const_t<decltype(job)>;
    constexpr bool keeps_order = decltype(ordered)::value;
    if constexpr (!Job::has_payload) {
      const cluster_sort<typename units_of_job<Job, keeps_order>::type, keeps_order, Job> cluster{job};
      if (cluster.fits(executor)) return sort(cluster);
    }
    with_sorter<keeps_order>(executor, job, sort);
  };
  if constexpr (Bits::one_zero) {
    sort_ordered(std::false_type{});
  } else {
    if constexpr (!Task::has_values) {
      if (task.bits.is_whole(task.begin_bit, task.end_bit)) return sort_ordered(std::false_type{});
    }
    sort_ordered(std::true_type{});
  }
}
//! Keys that move with the indices of their values, which are too large to be moved more than once.
template <class P, class Task>
void sort_then_fetch_values(device& executor, const Task& task) {
  using Item = typename Task::item_type;
  using Value = typename Task::value_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  P* index = nullptr;
  Value* copy = nullptr;
  const detail::sort_task<Item, Bits, detail::own_index<P>, P> keys{
      task.in, task.out, {}, nullptr, task.n, task.bits, task.begin_bit, task.end_bit};
  sort_in_memory(executor, keys, [&](detail::scratch_cutter& scratch, auto& sorted) {
    sorted.values_out = index = scratch.take<P>(task.n);
    copy = scratch.take<Value>(is_memory(task.values_in, task.values_out) ? task.n : 0);
  });
  fetch(executor, task.values_in, task.values_out, task.n, index, copy, all_places{});
}
//! Whole keys behind the numbers of their segments, computed first.
template <class Task, class Offset>
void sort_in_segments(device& executor, const Task& task, const segment_of_item<Offset>& number, int number_bits,
                      const places_of_segments<Offset>& places) {
  using Item = typename Task::item_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using KeyIn = keys_in_segments<Item, Bits, Offset, std::uint32_t>;
  using U = typename KeyIn::U;
  constexpr int width = 8 * static_cast<int>(sizeof(typename Bits::bits_type));
  const KeyIn in{
      .items = task.in, .bits = task.bits, .number = number, .begin_bit = 0, .width = width, .index = nullptr};
  const auto job = key_job(task, keys_in_memory<U>{nullptr},
                           items_of_segments<Item, Bits, Offset>{task.out, task.bits, places}, width + number_bits);
  with_sorter<Task::has_values>(executor, job, [&](auto sorter) {
    U* keys = nullptr;
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      keys = scratch.take<U>(task.n);
      sorter.cut(scratch, keys, nullptr, true);
    });
    sorter.job.key_in.keys = keys;
    gpu::for_each_index(executor, task.n, computed_keys<KeyIn>{in, keys});
    sorter.sort(executor);
  });
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

//! Calls f with a type of index for n items.
template <class F>
void with_index_type(index_t n, const F& f) {
  if (n <= index_t{1} << 32) f(std::uint32_t{});
  else f(std::uint64_t{});
}

template <class Item, class Bits, class ValuesIn, class Value>
void sort_items(device& executor, const sort_task<Item, Bits, ValuesIn, Value>& task) {
  const gpu::current_device here(executor.ordinal());
  if constexpr (Bits::invertible && sizeof(Value) <= 8) {
    gpu::sort_in_memory(executor, task, [](scratch_cutter&, const auto&) {});
  } else if constexpr (Bits::invertible && !std::is_same_v<Value, nothing>) {
    with_index_type(task.n, [&](auto index) { gpu::sort_then_fetch_values<decltype(index)>(executor, task); });
  } else {
    with_index_type(task.n, [&](auto index) {
      using P = decltype(index);
      gpu::sort_by_index<P>(executor, task, gpu::all_places{},
                            gpu::index_job<P>(gpu::keys_of_items<Item, Bits, P>{task.in, task.bits, nullptr}, task.n,
                                              task.begin_bit, task.end_bit));
    });
  }
}

// A sort by (segment, key). Keys of up to 32 bits stand behind their segment's number in one integer; longer ones are
// sorted first, and then, which keeps their order, the segments.
template <class Item, class Bits, class ValuesIn, class Value, class Offset>
void sort_segments(device& executor, const sort_task<Item, Bits, ValuesIn, Value>& task, const Offset* offsets,
                   index_t segments) {
  using Key = typename Bits::bits_type;
  const gpu::current_device here(executor.ordinal());
  const gpu::segment_of_item<Offset> number{offsets, segments + 1};
  const int number_bits = std::bit_width(static_cast<std::uint64_t>(segments + 1));
  const gpu::places_of_segments<Offset> places{offsets, segments};
  if constexpr (sizeof(Key) <= 4) {
    require(number_bits <= 32, "offsets", ": more than 2^32 segments are not supported");
    if constexpr (Bits::invertible && sizeof(Value) <= 8) {
      if (task.bits.is_whole(task.begin_bit, task.end_bit))
        return gpu::sort_in_segments(executor, task, number, number_bits, places);
    }
    with_index_type(task.n, [&](auto index) {
      using P = decltype(index);
      const int width = task.end_bit - task.begin_bit;
      const gpu::keys_in_segments<Item, Bits, Offset, P> keys{.items = task.in,
                                                              .bits = task.bits,
                                                              .number = number,
                                                              .begin_bit = task.begin_bit,
                                                              .width = width,
                                                              .index = nullptr};
      gpu::sort_by_index<P>(executor, task, places, gpu::index_job<P>(keys, task.n, 0, width + number_bits));
    });
  } else {
    with_index_type(task.n, [&](auto index) {
      using P = decltype(index);
      gpu::sort_by_index<P>(executor, task, places,
                            gpu::index_job<P>(gpu::keys_of_items<Item, Bits, P>{task.in, task.bits, nullptr}, task.n,
                                              task.begin_bit, task.end_bit),
                            gpu::index_job<P>(gpu::number_as_key<Offset, P>{number, nullptr}, task.n, 0, number_bits));
    });
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
