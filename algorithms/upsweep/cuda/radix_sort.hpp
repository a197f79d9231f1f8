// Radix sort on the device: most significant digits first (split.hpp, by_digits.hpp), until what is left fits a CTA,
// which sorts it (sort_units.hpp). Two launches; one for up to a unit.
//
// What moves between the rounds is unsigned keys with payloads of up to 8 bytes. Larger values, and items that their
// key does not tell, are fetched at the end by the index that was sorted in their stead.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/by_digits.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/for_each_index.hpp>
#include <upsweep/cuda/key_sources.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/sort_units.hpp>
#include <upsweep/cuda/split_launch.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/sort_task.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! Sorts by units of a shape. cut(memory, job, rounds) cuts what the job needs besides, between rounds if there are
//! any.
template <class Unit, bool Ordered, class Job, class Cut>
void sort_by_units(device& executor, Job job, const Cut& cut) {
  constexpr tuning::sort_shape shape = tuning::split_tiles(Job::item_bytes, Ordered);
  using Shape = tile_shape<shape.warps, shape.rows, shape.ctas>;
  constexpr auto sort_units = &sort_units_kernel<Job, Unit, Ordered>;
  constexpr int shared = sizeof(typename unit_sorter<Job, Unit, Ordered>::shared_memory);
  if (job.n <= Unit::tile) {
    memory_cutter sum(nullptr);
    cut(sum, job, false);
    if (sum.bytes() > 0) {
      memory_cutter memory(executor.scratch(sum.bytes()));
      cut(memory, job, false);
    }
    return launch<sort_units>(executor, 1, Unit::threads, shared,
                              unit_args<Job>{job, job.counted(job.end_bit), nullptr, nullptr});
  }
  using Rule = digit_rule<Job, Ordered>;
  const auto args =
      split<Rule, Shape>(executor, Rule{job}, job.n, Unit::tile,
                         [&](memory_cutter& memory, Rule& rule, index_t) { cut(memory, rule.job, true); });
  launch<sort_units>(executor, ctas_for_units(executor, job.n, Unit::tile), Unit::threads, shared,
                     unit_args<Job>{args.rule.job, job.counted(job.end_bit), args.memory.state, args.memory.units});
}
//! Sorts by units that two rounds leave of random keys, as long as there are such.
template <bool Ordered, class Job, class Cut>
void sort_by_splits(device& executor, const Job& job, const Cut& cut) {
  constexpr int key_bytes = sizeof(typename Job::key_type);
  constexpr tuning::sort_shape unit = tuning::sort_units(
      key_bytes, Ordered, Job::has_payload && sizeof(typename Job::payload_type) <= 4 && !Job::computes_keys);
  using Unit = tile_shape<unit.warps, unit.rows, unit.ctas>;
  if constexpr (key_bytes == 4 && !Ordered) {
    constexpr tuning::sort_shape large = tuning::large_sort_units;
    constexpr index_t buckets = index_t{1} << 2 * digit_bits;
    if (job.n > buckets * Unit::tile * 8 / 9)
      return sort_by_units<tile_shape<large.warps, large.rows, large.ctas>, Ordered>(executor, job, cut);
  }
  sort_by_units<Unit, Ordered>(executor, job, cut);
}

//! A job with all of its memory in scratch but for `keys` and `payloads`, which may take a round's results if they are
//! not null. `in_place`: they are the input too, and then the second round's.
template <class Job>
void cut_job_memory(memory_cutter& memory, Job& job, typename Job::key_type* keys, typename Job::payload_type* payloads,
                    bool in_place) {
  using U = typename Job::key_type;
  using P = typename Job::payload_type;
  const int home = in_place ? 2 : 1;
  job.keys[home] = keys ? keys : memory.take<U>(job.n);
  job.keys[3 - home] = memory.take<U>(job.n);
  if constexpr (Job::has_payload) {
    job.payloads[home] = payloads ? payloads : memory.take<P>(job.n);
    job.payloads[3 - home] = memory.take<P>(job.n);
  }
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
  P *from = nullptr, *index = nullptr;
  bool first = true;
  const auto sort = [&](const auto& job) {
    sort_by_splits<true>(executor, job, [&](memory_cutter& memory, auto& j, bool rounds) {
      P* halves[2] = {memory.take<P>(task.n), memory.take<P>(sizeof...(Jobs) > 1 ? task.n : 0)};
      if (task.out == task.in) items = memory.take<Item>(task.n);
      if constexpr (Task::has_values) values = memory.take<Value>(task.n);
      from = halves[1];
      index = halves[0];
      if (!first) std::swap(from, index);
      j.key_in.index = j.payload_in.index = first ? nullptr : from;
      j.payload_out = index;
      if (rounds) cut_job_memory(memory, j, nullptr, nullptr, false);
    });
    first = false;
  };
  (sort(jobs), ...);
  if (task.out) fetch(executor, detail::values_of<Item>{task.in}, task.out, task.n, index, items, places);
  if constexpr (Task::has_values) fetch(executor, task.values_in, task.values_out, task.n, index, values, places);
}
template <class P, class KeyIn>
auto index_job(const KeyIn& keys, index_t n, int begin_bit, int end_bit) {
  using U = typename KeyIn::U;
  return sort_job<U, P, KeyIn, payload_index<P>, keys_not_wanted>{keys,      {},      {}, nullptr, n,
                                                                  begin_bit, end_bit, {}, {},      {}};
}

//! Sorts by a job that moves the keys themselves, and values of up to 8 bytes.
template <bool Ordered, class KeyIn, class KeyOut, class Task, class Cut>
void sort_keys_by_splits(device& executor, const Task& task, const KeyIn& keys, const KeyOut& out, int end_bit,
                         const Cut& cut) {
  using Job = sort_job<typename KeyIn::U, typename Task::value_type, KeyIn,
                       std::remove_cvref_t<decltype(task.values_in)>, KeyOut>;
  sort_by_splits<Ordered>(
      executor, Job{keys, task.values_in, out, task.values_out, task.n, task.begin_bit, end_bit, {}, {}, {}}, cut);
}
//! Keys as large as their items: the results' memory is one of the two that they move between.
template <class Task>
void sort_in_memory(device& executor, const Task& task) {
  using Item = typename Task::item_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using U = typename Bits::bits_type;
  const auto cut = [&](memory_cutter& memory, auto& job, bool rounds) {
    const bool in_place = task.in == task.out || is_memory(task.values_in, task.values_out);
    if (rounds) cut_job_memory(memory, job, reinterpret_cast<U*>(task.out), task.values_out, in_place);
    job.at_home[0] = task.in == task.out && !task.has_values;
    job.at_home[in_place ? 2 : 1] = task.out && task.bits.is_plain();
  };
  const int end_bit = task.bits.mask == 0 ? task.begin_bit : task.end_bit;
  const auto sort = [&](auto ordered) {
    sort_keys_by_splits<ordered>(executor, task, items_as_keys<Item, Bits>{task.in, task.bits},
                                 items_of_keys<Item, Bits>{task.out, task.bits}, end_bit, cut);
  };
  // Where equal keys cannot be told apart nobody sees their order.
  if constexpr (!Task::has_values) {
    if (task.bits.is_whole(task.begin_bit, task.end_bit)) return sort(std::false_type{});
  }
  sort(std::true_type{});
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
  const KeyIn in{task.in, task.bits, number, 0, width, nullptr};
  const auto cut = [&](memory_cutter& memory, auto& job, bool rounds) {
    U* keys = memory.take<U>(task.n);
    job.key_in.keys = keys;
    if (rounds) cut_job_memory(memory, job, keys, nullptr, true);
    if (!memory.only_adds()) gpu::for_each_index(executor, task.n, computed_keys<KeyIn>{in, keys});
  };
  sort_keys_by_splits<Task::has_values>(executor, task, keys_in_memory<U>{nullptr},
                                        items_of_segments<Item, Bits, Offset>{task.out, task.bits, places},
                                        width + number_bits, cut);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

namespace upsweep::inline UPSWEEP_ABI::detail {

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
    gpu::sort_in_memory(executor, task);
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
    if (number_bits > 32) throw std::invalid_argument("offsets: more than 2^32 segments are not supported");
    if constexpr (Bits::invertible && sizeof(Value) <= 8) {
      if (task.bits.is_whole(task.begin_bit, task.end_bit))
        return gpu::sort_in_segments(executor, task, number, number_bits, places);
    }
    with_index_type(task.n, [&](auto index) {
      using P = decltype(index);
      gpu::sort_by_index<P>(
          executor, task, places,
          gpu::index_job<P>(gpu::keys_in_segments<Item, Bits, Offset, P>{task.in, task.bits, number, task.begin_bit,
                                                                         task.end_bit - task.begin_bit, nullptr},
                            task.n, 0, task.end_bit - task.begin_bit + number_bits));
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

}  // namespace upsweep::inline UPSWEEP_ABI::detail
