// Radix sort on the device: most significant digits first (split.hpp, by_digits.hpp), until what is left fits a CTA,
// which sorts it (sort_units.hpp), or tells its keys by their counts (counting_sort.hpp). digit_sorter.hpp has the
// launches; keys that a cluster of CTAs holds, or all CTAs that run at once, take one (sort_cluster.hpp,
// key_shares.hpp). Segments are sorted each by a part of a CTA, or split first, all in one go (sort_segments.hpp).
//
// What moves between the rounds is unsigned keys with payloads of up to 8 bytes. Larger values, and items that their
// key does not tell, are fetched at the end by the index that was sorted in their stead.
#pragma once
#include <cstddef>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/for_each_index.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digit_sorter.hpp>
#include <upsweep/sort/cuda/key_shares.hpp>
#include <upsweep/sort/cuda/key_sources.hpp>
#include <upsweep/sort/cuda/segments_sorter.hpp>
#include <upsweep/sort/cuda/sort_cluster.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/tuning.hpp>
#include <upsweep/sort/cuda/zeros.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class Job, bool Ordered>
struct units_of_job {
  static constexpr tuning::sort_shape shape = tuning::sort_units(sizeof(typename Job::key_type), Ordered);
  using type = tile_shape<shape.warps, shape.rows, shape.ctas>;
};
//! Calls f with a sorter of all keys, by units that two rounds leave of random ones, as long as there are such.
template <bool Ordered, class Job, class F>
void with_sorter(device& executor, const Job& job, const all_places&, const F& f) {
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

//! Calls f with a sorter of every segment.
template <bool Ordered, class Job, class Offset, class F>
void with_sorter(device& executor, const Job& job, const places_of_segments<Offset>& segments, const F& f) {
  f(segments_sorter<typename units_of_job<Job, Ordered>::type, Ordered, Job, Offset>(executor, job, segments));
}

template <class Source, class T, class P, class Places>
struct fetched {
  Source in;
  T* out;
  const P* index;
  Places places;
  __device__ void operator()(index_t i) const {
    const auto from = static_cast<index_t>(index[i]);
    if (places(i) && places(from)) out[i] = in(from);  // both, unless offsets are wrong
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

//! Sorts indices by keys that do not tell their items; then fetches the items and the values.
template <class P, class Task, class Places>
void sort_by_index(device& executor, const Task& task, const Places& places) {
  using Item = typename Task::item_type;
  using Value = typename Task::value_type;
  using KeyIn = keys_of_items<Item, std::remove_cvref_t<decltype(task.bits)>>;
  const sort_job<typename KeyIn::U, P, KeyIn, detail::own_index<P>, keys_not_wanted> job{.key_in = {task.in, task.bits},
                                                                                         .payload_in = {},
                                                                                         .key_out = {},
                                                                                         .payload_out = nullptr,
                                                                                         .n = task.n,
                                                                                         .begin_bit = task.begin_bit,
                                                                                         .end_bit = task.end_bit,
                                                                                         .keys = {},
                                                                                         .payloads = {},
                                                                                         .at_home = {}};
  with_sorter<true>(executor, job, places, [&](auto sorter) {
    P* index = nullptr;
    Item* items = nullptr;
    [[maybe_unused]] Value* values = nullptr;
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      index = scratch.take<P>(task.n);
      if (task.out == task.in) items = scratch.take<Item>(task.n);
      if constexpr (Task::has_values) values = scratch.take<Value>(task.n);
      sorter.cut(scratch, nullptr, nullptr, 1);
    });
    sorter.job.payload_out = index;
    sorter.sort(executor);
    if (task.out) fetch(executor, detail::values_of<Item>{task.in}, task.out, task.n, index, items, places);
    if constexpr (Task::has_values) fetch(executor, task.values_in, task.values_out, task.n, index, values, places);
  });
}

//! Keys as large as their items: the results' memory is one of the two that they move between. front(scratch, task)
//! cuts what else must last, and may say where the values go.
template <class Task, class Places, class Front>
void sort_in_memory(device& executor, Task task, const Places& places, const Front& front) {
  using Item = typename Task::item_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using U = typename Bits::bits_type;
  using Job = sort_job<U, typename Task::value_type, items_as_keys<Item, Bits>,
                       std::remove_cvref_t<decltype(task.values_in)>, items_of_keys<Item, Bits>>;
  const bool in_place = task.in == task.out || is_memory(task.values_in, task.values_out);
  const int bits = task.end_bit - task.begin_bit;
  const int home = in_place || (bits > digit_bits && bits <= 2 * digit_bits) ? 2 : 1;  // what the last round writes
  Job job{.key_in = {task.in, task.bits},
          .payload_in = task.values_in,
          .key_out = {task.out, task.bits},
          .payload_out = task.values_out,
          .n = task.n,
          .begin_bit = task.begin_bit,
          .end_bit = task.bits.mask == 0 ? task.begin_bit : task.end_bit,
          .keys = {},
          .payloads = {},
          .at_home = {}};
  job.at_home[0] = task.in == task.out && !task.has_values;
  job.at_home[home] = task.out && task.bits.is_plain();
  zeros_in_order<Item, Bits> zeros(task.in, task.out, task.n, task.bits);
  const auto sort = [&](auto sorter) {
    detail::in_scratch(executor, [&](detail::scratch_cutter& scratch) {
      front(scratch, task);
      zeros.cut(scratch);
      sorter.cut(scratch, reinterpret_cast<U*>(task.out), task.values_out, home);
    });
    sorter.job.payload_out = task.values_out;
    zeros.note(executor);
    sorter.sort(executor);
    zeros.put_back(executor);
  };
  // Where equal keys cannot be told apart nobody sees their order.
  const auto sort_ordered = [&](auto ordered) {
    constexpr bool keeps_order = decltype(ordered)::value;
    using Unit = typename units_of_job<Job, keeps_order>::type;
    if constexpr (std::is_same_v<Places, all_places>) {
      if constexpr (!Job::has_payload) {
        const cluster_sort<Unit, keeps_order, Job> cluster{job};
        if (cluster.fits(executor)) return sort(cluster);
      }
      // Keys alone in order, by some of their bits, are seldom worth a kernel that takes 3 s to compile.
      if constexpr (sizeof(U) >= 4 && keeps_order == Job::has_payload) {
        if (job.n > Unit::tile) {
          const sort_by_shares<keeps_order, Job> shares(executor, job);
          if (shares.fits()) return sort(shares);
        }
      }
    }
    with_sorter<keeps_order>(executor, job, places, sort);
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
template <class P, class Task, class Places>
void sort_then_fetch_values(device& executor, const Task& task, const Places& places) {
  using Item = typename Task::item_type;
  using Value = typename Task::value_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  P* index = nullptr;
  Value* copy = nullptr;
  const detail::sort_task<Item, Bits, detail::own_index<P>, P> keys{
      task.in, task.out, {}, nullptr, task.n, task.bits, task.begin_bit, task.end_bit};
  sort_in_memory(executor, keys, places, [&](detail::scratch_cutter& scratch, auto& sorted) {
    sorted.values_out = index = scratch.take<P>(task.n);
    copy = scratch.take<Value>(is_memory(task.values_in, task.values_out) ? task.n : 0);
  });
  fetch(executor, task.values_in, task.values_out, task.n, index, copy, places);
}

//! Calls f with a type of index for n items.
template <class F>
void with_index_type(index_t n, const F& f) {
  if (n <= index_t{1} << 32) f(std::uint32_t{});
  else f(std::uint64_t{});
}
//! Sorts everything, or every segment.
template <class Task, class Places>
void sort_places(device& executor, const Task& task, const Places& places) {
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using Value = typename Task::value_type;
  const current_device here(executor.ordinal());
  if constexpr (Bits::invertible && sizeof(Value) <= 8) {
    sort_in_memory(executor, task, places, [](detail::scratch_cutter&, const auto&) {});
  } else {
    with_index_type(task.n, [&](auto index) {
      using P = decltype(index);
      if constexpr (Bits::invertible && Task::has_values) sort_then_fetch_values<P>(executor, task, places);
      else sort_by_index<P>(executor, task, places);
    });
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu

namespace UPSWEEP_NAMESPACE::detail {

template <class Item, class Bits, class ValuesIn, class Value>
void sort_items(device& executor, const sort_task<Item, Bits, ValuesIn, Value>& task) {
  gpu::sort_places(executor, task, gpu::all_places{});
}
template <class Item, class Bits, class ValuesIn, class Value, class Offset>
void sort_segments(device& executor, const sort_task<Item, Bits, ValuesIn, Value>& task, const Offset* offsets,
                   index_t segments) {
  gpu::sort_places(executor, task, gpu::places_of_segments<Offset>{offsets, segments, task.n});
}

}  // namespace UPSWEEP_NAMESPACE::detail
