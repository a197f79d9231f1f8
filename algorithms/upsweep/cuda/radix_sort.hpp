// Radix sort on the device: most significant digits first, until what is left fits a CTA (split.hpp), which sorts it
// (sort_units.hpp). Two launches; one for up to a tile.
//
// What moves between the rounds is unsigned keys with payloads of up to 8 bytes. Larger values, and items that their
// key does not tell, are fetched at the end by the index that was sorted in their stead.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/engine.hpp>
#include <upsweep/cuda/sort_units.hpp>
#include <upsweep/cuda/split.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/sort_task.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

template <class Job, bool Ordered>
inline constexpr tuning::sort_shape split_tuning = tuning::split_tiles(Job::item_bytes, Ordered);
template <class Job, bool Ordered>
inline constexpr tuning::sort_shape unit_tuning = tuning::sort_units(sizeof(typename Job::key_type), Ordered);
template <class Job, bool Ordered>
using split_tile =
    tile_shape<split_tuning<Job, Ordered>.warps, split_tuning<Job, Ordered>.rows, split_tuning<Job, Ordered>.ctas>;
template <class Job, bool Ordered>
using unit_tile =
    tile_shape<unit_tuning<Job, Ordered>.warps, unit_tuning<Job, Ordered>.rows, unit_tuning<Job, Ordered>.ctas>;

//! CTAs of a kernel that the device holds at once.
template <auto Kernel>
int resident_ctas(device& executor, int threads, int shared) {
  static std::atomic<int> of_device[64];
  std::atomic<int>& known = of_device[executor.ordinal() % 64];
  if (known.load(std::memory_order_relaxed) == 0) {
    UPSWEEP_CUDA_CHECK(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int ctas = 0;
    UPSWEEP_CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, Kernel, threads, static_cast<std::size_t>(shared)));
    known.store(ctas * executor.multiprocessors(), std::memory_order_relaxed);
  }
  return known.load(std::memory_order_relaxed);
}

//! Cuts a block of memory into pieces. With no block it only adds up what they need.
class memory_cutter {
 public:
  explicit memory_cutter(std::byte* block) : block_(block) {}
  template <class T>
  T* take(index_t count) {
    T* piece = reinterpret_cast<T*>(block_ + bytes_);
    bytes_ += (static_cast<std::size_t>(count) * sizeof(T) + 255) / 256 * 256;
    return piece;
  }
  std::size_t bytes() const { return bytes_; }
  bool only_adds() const { return block_ == nullptr; }

 private:
  std::byte* block_;
  std::size_t bytes_ = 0;
};

//! The most units that splitting can leave. A segment of s units' length leaves 4·s alone and at most 4·s + 4/3·s + 2
//! groups between them; what is queued again may do so in every round, where there are at most n of them.
template <class Job>
index_t units_of(const Job& job, index_t most_queued) {
  const index_t rounds = (job.end_bit - job.begin_bit + digit_bits - 1) / digit_bits;
  return (10 + 4 * rounds) * most_queued + 2 * rounds + digit_values;
}

//! Cuts the memory that the kernels of a sort share, and gives them the two memories that keys and payloads move
//! between: `spare`, which is cut too, and one of the caller's.
template <class Job>
void cut_split_memory(memory_cutter& memory, split_args<Job>& args, index_t tiles, index_t most_queued, int ctas) {
  const index_t segments = args.most_segments;
  args.state = memory.take<split_state>(1);
  args.queue = memory.take<segment_to_split>(args.queue_mask + 1);
  args.units = memory.take<unit_to_sort>(units_of(args.job, most_queued));
  args.owners = memory.take<tile_owner>(tiles + segments);
  args.before_tile = memory.take<std::uint32_t>((tiles + segments) * digit_values);
  args.part_counts = memory.take<std::uint32_t>((ctas + segments) * digit_values);
  args.part_places = memory.take<index_t>((ctas + segments) * digit_values);
  for (auto& totals : args.totals) totals = memory.take<unsigned long long>(segments * digit_values);
}

//! Sorts. cut(memory, job, rounds) cuts what the job needs besides, between rounds if there are any.
template <bool Ordered, class Job, class Cut>
void sort_by_splits(device& executor, Job job, const Cut& cut) {
  using Shape = split_tile<Job, Ordered>;
  using Unit = unit_tile<Job, Ordered>;
  using U = typename Job::key_type;
  constexpr auto split = &split_kernel<Job, Shape, Unit::tile, Ordered>;
  constexpr auto sort_units = &sort_units_kernel<Job, Unit, Ordered>;
  constexpr int split_shared = sizeof(typename splitter<Job, Shape, Unit::tile, Ordered>::shared_memory);
  constexpr int unit_shared = sizeof(typename unit_sorter<Job, Unit, Ordered>::shared_memory);
  const std::uint64_t below = job.end_bit == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << job.end_bit) - 1;
  unit_args<Job> units{job, static_cast<U>(below >> job.begin_bit << job.begin_bit), nullptr, nullptr};
  if (job.n <= Unit::tile) {
    memory_cutter sum(nullptr);
    cut(sum, units.job, false);
    if (sum.bytes() > 0) {
      memory_cutter memory(executor.scratch(sum.bytes()));
      cut(memory, units.job, false);
    }
    return launch<sort_units>(executor, 1, Unit::threads, unit_shared, units);
  }
  const int resident = resident_ctas<split>(executor, Shape::threads, split_shared);
  const index_t tiles = (job.n + Shape::tile - 1) / Shape::tile;
  const int ctas = static_cast<int>(std::min<index_t>(resident, tiles));
  split_args<Job> args{};
  args.job = job;
  args.head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  const index_t most_queued = job.n / Unit::tile + 1;  // each is more than a unit
  args.most_segments = static_cast<int>(std::min<index_t>(4096, most_queued));
  args.queue_mask =
      static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(most_queued + args.most_segments + 1))) - 1;
  const auto cut_all = [&](std::byte* block) {
    memory_cutter memory(block);
    cut_split_memory(memory, args, tiles, most_queued, ctas);
    cut(memory, args.job, true);
    return memory.bytes();
  };
  cut_all(executor.scratch(cut_all(nullptr)));
  const void* pointers[] = {&args};
  UPSWEEP_CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(split),
                                                 dim3(static_cast<unsigned>(ctas)), dim3(Shape::threads),
                                                 const_cast<void**>(pointers), split_shared, executor.stream()));
  units.job = args.job;
  units.state = args.state;
  units.units = args.units;
  launch<sort_units>(executor, std::min<index_t>(4 * tiles + 1, index_t{8} * executor.multiprocessors()), Unit::threads,
                     unit_shared, units);
}

//! Where results may be written: everywhere, or between the first offset and the last.
struct all_places {
  __device__ bool operator()(index_t) const { return true; }
};
template <class Offset>
struct places_of_segments {
  const Offset* offsets;
  index_t segments;
  __device__ bool operator()(index_t i) const {
    return static_cast<index_t>(offsets[0]) <= i && i < static_cast<index_t>(offsets[segments]);
  }
};

// ---------------------------------------------------------------- where keys and payloads come from and go
//! The item that is sorted as i: item i, or the one that an earlier sort left there.
template <class P>
__device__ index_t item_at(const P* index, index_t i) {
  return index ? static_cast<index_t>(index[i]) : i;
}
template <class Item, class Bits, class P>
struct keys_of_items {  // keys that may be less than their items
  using U = typename Bits::bits_type;
  const Item* items;
  Bits bits;
  const P* index;
  UPSWEEP_CALLS_USER
  __device__ U raw(index_t i) const { return bits(items[item_at(index, i)]); }
  __device__ U encode(U key) const { return key; }
};
template <class Offset>
struct segment_of_item {  // 1 + its number; 0 before the first segment
  const Offset* offsets;
  index_t count;
  __device__ std::uint64_t operator()(index_t i) const {
    return static_cast<std::uint64_t>(detail::lower_bound(offsets, count, i + 1));
  }
};
template <class Item, class Bits, class Offset, class P>
struct keys_in_segments {  // the segment's number, and behind it `width` bits of the key
  using U = std::uint64_t;
  const Item* items;
  Bits bits;
  segment_of_item<Offset> number;
  int begin_bit, width;
  const P* index;
  UPSWEEP_CALLS_USER
  __device__ U raw(index_t i) const {
    const index_t at = item_at(index, i);
    return number(at) << width | (U{bits(items[at])} >> begin_bit & detail::lowest_bits<U>(width));
  }
  __device__ U encode(U key) const { return key; }
};
//! Keys that have been computed.
template <class Key>
struct keys_in_memory {
  using U = Key;
  const U* keys;
  __device__ U raw(index_t i) const { return keys[i]; }
  __device__ U encode(U key) const { return key; }
};
template <class KeyIn>
__global__ void compute_keys_kernel(KeyIn in, typename KeyIn::U* keys, index_t n) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) keys[i] = in.raw(i);
}
template <class Offset, class P>
struct number_as_key {
  using U = std::uint64_t;
  segment_of_item<Offset> number;
  const P* index;
  __device__ U raw(index_t i) const { return number(item_at(index, i)); }
  __device__ U encode(U key) const { return key; }
};
template <class Item, class Bits>
struct items_as_keys {  // keys as large as their items, which can be moved first and understood later
  using U = typename Bits::bits_type;
  const Item* items;
  Bits bits;
  __device__ U raw(index_t i) const { return reinterpret_cast<const U*>(items)[i]; }
  __device__ U encode(U raw) const {
    Item item;
    memcpy(&item, &raw, sizeof item);
    return bits.unmasked(item);
  }
};
template <class Item, class Bits>
struct items_of_keys {
  Item* items;  // null: not wanted
  Bits bits;
  __device__ void operator()(index_t i, typename Bits::bits_type key) const {
    if (items) items[i] = bits.item(key);
  }
  __device__ bool takes(index_t) const { return true; }
};
template <class Item, class Bits, class Offset>
struct items_of_segments {
  Item* items;  // null: not wanted
  Bits bits;
  places_of_segments<Offset> places;
  __device__ void operator()(index_t i, std::uint64_t key) const {
    if (items && takes(i)) items[i] = bits.item(static_cast<typename Bits::bits_type>(key));
  }
  __device__ bool takes(index_t i) const { return places(i); }
};
struct keys_not_wanted {
  template <class U>
  __device__ void operator()(index_t, U) const {}
  __device__ bool takes(index_t) const { return true; }
};
template <class P>
struct payload_index {
  const P* index;
  __device__ P operator()(index_t i) const { return static_cast<P>(item_at(index, i)); }
};

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

//! out[i] = in(index[i]).
template <class Source, class T, class P, class Places>
__global__ void fetch_kernel(Source in, T* out, index_t n, const P* index, Places places) {
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    if (places(i)) out[i] = in(static_cast<index_t>(index[i]));
}
//! Do values come from the memory that they go to?
template <class Source, class T>
bool is_memory(const Source& source, const T* memory) {
  if constexpr (std::is_same_v<Source, detail::values_of<T>>) return source.values == memory;
  else return false;
}
//! CTAs of as many threads for n items, a few a thread.
inline index_t ctas_for(const device& executor, index_t n, int threads) {
  return std::min<index_t>((n + threads - 1) / threads, index_t{32} * executor.multiprocessors());
}
//! `copy` has room for n items, used when in lies in out: it must not be read where it has been written.
template <class Source, class T, class P, class Places>
void fetch(device& executor, Source in, T* out, index_t n, const P* index, T* copy, const Places& places) {
  constexpr int threads = 256;
  if (is_memory(in, out)) {
    UPSWEEP_CUDA_CHECK(cudaMemcpyAsync(copy, out, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice,
                                       executor.stream()));
    if constexpr (std::is_same_v<Source, detail::values_of<T>>) in.values = copy;
  }
  launch<&fetch_kernel<Source, T, P, Places>>(executor, ctas_for(executor, n, threads), threads, 0, in, out, n, index,
                                              places);
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
template <class KeyIn, class KeyOut, class Task, class Cut>
void sort_keys_by_splits(device& executor, const Task& task, const KeyIn& keys, const KeyOut& out, int end_bit,
                         const Cut& cut) {
  using Job = sort_job<typename KeyIn::U, typename Task::value_type, KeyIn,
                       std::remove_cvref_t<decltype(task.values_in)>, KeyOut>;
  const Job job{keys, task.values_in, out, task.values_out, task.n, task.begin_bit, end_bit, {}, {}, {}};
  // Where equal keys cannot be told apart nobody sees their order.
  if constexpr (!Job::has_payload) {
    if (task.bits.is_whole(task.begin_bit, task.end_bit)) return sort_by_splits<false>(executor, job, cut);
  }
  sort_by_splits<true>(executor, job, cut);
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
  sort_keys_by_splits(executor, task, items_as_keys<Item, Bits>{task.in, task.bits},
                      items_of_keys<Item, Bits>{task.out, task.bits}, end_bit, cut);
}
//! Keys behind the numbers of their segments, computed first.
template <class Task, class Offset>
void sort_in_segments(device& executor, const Task& task, const segment_of_item<Offset>& number, int number_bits,
                      const places_of_segments<Offset>& places) {
  using Item = typename Task::item_type;
  using Bits = std::remove_cvref_t<decltype(task.bits)>;
  using KeyIn = keys_in_segments<Item, Bits, Offset, std::uint32_t>;
  using U = typename KeyIn::U;
  constexpr int width = 8 * static_cast<int>(sizeof(typename Bits::bits_type)), threads = 256;
  const KeyIn in{task.in, task.bits, number, 0, width, nullptr};
  const auto cut = [&](memory_cutter& memory, auto& job, bool rounds) {
    U* keys = memory.take<U>(task.n);
    job.key_in.keys = keys;
    if (rounds) cut_job_memory(memory, job, keys, nullptr, true);
    if (memory.only_adds()) return;
    launch<&compute_keys_kernel<KeyIn>>(executor, ctas_for(executor, task.n, threads), threads, 0, in, keys, task.n);
  };
  sort_keys_by_splits(executor, task, keys_in_memory<U>{nullptr},
                      items_of_segments<Item, Bits, Offset>{task.out, task.bits, places}, width + number_bits, cut);
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
