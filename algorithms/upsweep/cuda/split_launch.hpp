// Launches a split (split.hpp) with the memory that it needs.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/protocol.hpp>
#include <upsweep/cuda/split.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! CTAs of a kernel that the device holds at once.
template <auto Kernel>
int resident_ctas(device& executor, int threads, int shared) {
  static std::atomic<int> of_device[64];
  std::atomic<int>& known = of_device[executor.ordinal() % 64];
  if (known.load(std::memory_order_relaxed) == 0) {
    allow_shared<Kernel>(executor, shared);
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

template <class Known>
void cut_split_memory(memory_cutter& memory, split_memory<Known>& m, index_t tiles, index_t most_units, int ctas) {
  const index_t segments = m.most_segments;
  m.state = memory.take<split_state>(1);
  m.queue = memory.take<segment_to_split<Known>>(m.queue_mask + 1);
  m.units = memory.take<unit_to_sort>(most_units);
  m.owners = memory.take<tile_owner>(tiles + segments);
  m.before_tile = memory.take<std::uint32_t>((tiles + segments) * digit_values);
  m.part_counts = memory.take<std::uint32_t>((ctas + segments) * digit_values);
  m.part_places = memory.take<index_t>((ctas + segments) * digit_values);
  for (auto& totals : m.totals) totals = memory.take<unsigned long long>(segments * digit_values);
}

//! Splits n items by a rule until units are left. cut(memory, rule, most_segments) cuts what the rule needs besides, in
//! front of all else: it lies where the next sort finds it.
//! Rule::most_units(s) bounds the units that may be left of s units' length, rounded up.
template <class Rule, class Shape, class Cut>
split_args<Rule> split(device& executor, const Rule& rule, index_t n, int unit_length, const Cut& cut) {
  constexpr auto kernel = &split_kernel<Rule, Shape>;
  constexpr int shared = sizeof(typename splitter<Rule, Shape>::shared_memory);
  const index_t tiles = tiles_of(n, Shape::tile), most_queued = n / unit_length + 1;  // each is more than a unit
  const int ctas = static_cast<int>(std::min<index_t>(resident_ctas<kernel>(executor, Shape::threads, shared), tiles));
  split_args<Rule> args{rule, {}};
  args.memory.head = reinterpret_cast<progress*>(executor.workspace(sizeof(progress)).data);
  args.memory.unit_length = unit_length;
  args.memory.most_segments = static_cast<int>(std::min<index_t>(4096, most_queued));
  const auto queue = static_cast<std::uint64_t>(most_queued + args.memory.most_segments + 1);
  args.memory.queue_mask = static_cast<index_t>(std::bit_ceil(queue)) - 1;
  // Not `ctas`, which another kernel may have more of: the memory would grow, and be lost, between two sorts.
  const auto most_ctas =
      static_cast<int>(std::min<index_t>(tiles, index_t{2048 / Shape::threads} * executor.multiprocessors()));
  const auto cut_all = [&](std::byte* block) {
    memory_cutter memory(block);
    cut(memory, args.rule, args.memory.most_segments);
    cut_split_memory(memory, args.memory, tiles, rule.most_units(most_queued), most_ctas);
    return memory.bytes();
  };
  cut_all(executor.scratch(cut_all(nullptr)));
  launch_together<kernel>(executor, ctas, Shape::threads, shared, args);
  return args;
}

//! CTAs for the units that a split of n items leaves.
inline index_t ctas_for_units(const device& executor, index_t n, int unit_length) {
  return std::min<index_t>(4 * tiles_of(n, unit_length) + 1, index_t{8} * executor.multiprocessors());
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu
