// Scans in shared memory by an access pattern (access_patterns.hpp), to see what bank conflicts cost:
//   scan_block(values, pattern, m)                 one block, on the host, for any number of banks
//   scan_blocks<Pattern>(exec, in, out, block)     every `block` items on their own; on a GPU one CTA scans a block
//   scan_by_blocks<Pattern>(exec, in, out, block)  all items: blocks, the blocks' totals likewise, and added
// For reading and measuring. The library's own scans are in scan.hpp.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include <upsweep/checks.hpp>
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/pattern_task.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scratch.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/classic/cuda/pattern_scan.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

//! A host's lanes: one after the other, the last one first where each reads what the one behind it writes.
struct lanes_in_turn {
  template <class Step>
  void step(index_t count, const Step& f) const {
    for (index_t i = 0; i < count; i++) f(i);
  }
  template <class Step>
  void exchange(index_t count, const Step& f) const {
    for (index_t i = count; i-- > 0;) f.write(i, f.read(i));
  }
};

template <class Pattern, class Task>
void scan_block_of(const Pattern& pattern, const Task& task, index_t block) {
  using V = typename Task::value_type;
  std::vector<V> slots(static_cast<std::size_t>(task.slots(pattern)), task.m.identity());
  const plain_memory<V> memory{slots.data()};
  const index_t first = block * task.block, count = task.count(block);
  for (index_t i = 0; i < count; i++) memory.store(pattern.slot(i), task.item(first + i));
  const lanes_in_turn lanes;
  sweep_block(pattern, memory, task.levels, task.m, lanes);
  for (index_t i = 0; i < count; i++) task.finish(pattern, memory, block, i);
}

template <class Pattern, class Task>
void scan_blocks_on(host& executor, const Task& task) {
  const auto pattern = Pattern::over(classic::banks_of_items(sizeof(typename Task::value_type)));
  share_out(executor.threads(), task.blocks(), [&](index_t block) { scan_block_of(pattern, task, block); });
}
template <class U, class M>
void add_totals_on(host& executor, const totals_task<U, M>& task) {
  share_out(executor.threads(), task.blocks() - 1, [&](index_t k) {
    for (index_t i = 0; i < task.count(k + 1); i++) task.add(k + 1, i);
  });
}
#if UPSWEEP_HAS_CUDA
template <class Pattern, class Task>
void scan_blocks_on(device& executor, const Task& task) {
  gpu::scan_blocks<Pattern>(executor, task);
}
template <class U, class M>
void add_totals_on(device& executor, const totals_task<U, M>& task) {
  gpu::add_totals(executor, task);
}
#endif

//! How many totals all levels have.
inline index_t count_totals(index_t n, index_t block) {
  index_t count = 0;
  while (n > block) {
    n = in_blocks{n, block}.blocks();
    count += n;
  }
  return count;
}
//! `totals`: room for those of all levels.
template <class Pattern, class Executor, class T, class U, class M>
void scan_all_blocks(Executor& executor, const T* in, U* out, index_t n, index_t block, const M& m,
                     classic::prefixes which, typename M::value_type* totals) {
  auto task = task_of(in, out, n, block, m, which);
  if (n <= block) return scan_blocks_on<Pattern>(executor, task);
  task.totals = totals;
  scan_blocks_on<Pattern>(executor, task);
  const index_t blocks = task.blocks();
  scan_all_blocks<Pattern>(executor, totals, totals, blocks, block, m, classic::prefixes::exclusive, totals + blocks);
  add_totals_on(executor, totals_task<U, M>{.out = out, .before = totals, .n = n, .block = block, .m = m});
}

template <class Executor, class In, class Out>
void check_blocks(const Executor& executor, const In& in, const Out& out, index_t block, index_t least) {
  constexpr index_t most = index_t{1} << 30;
  require(least <= block && block <= most, "block", "is ", block, ", must be ", least, " to ", most);
  check_same_size(in, out);
  check_range(executor, in, in.size);
  check_range(executor, out, in.size);
  check_in_place(extent_of(in, in.size), extent_of(out, in.size), true);
}

}  // namespace UPSWEEP_NAMESPACE::detail

namespace UPSWEEP_NAMESPACE::classic {

//! Scans values in place by a pattern, which may be one for any number of banks: on the caller's thread, level by level
//! as a CTA does. Any n; the tree is one for the next power of two, filled up by identities. Takes as much memory
//! again.
template <class Pattern, monoid M>
void scan_block(std::span<typename M::value_type> values, const Pattern& pattern, const M& m,
                prefixes which = prefixes::exclusive) {
  using V = typename M::value_type;
  if (values.empty()) return;
  const auto n = static_cast<index_t>(values.size());
  const V* const from = values.data();
  upsweep::detail::scan_block_of(pattern, upsweep::detail::task_of(from, values.data(), n, n, m, which), 0);
}

//! out[i] = the items of its block before i, and with prefixes::inclusive item i, combined; the last block may be
//! shorter. `out` may be exactly `in`. One read of in and one write of out, and what k_model.hpp counts in shared
//! memory a block. On a GPU a block must fit a CTA's shared memory; the pattern is that for 32 banks of 4 bytes. Does
//! not wait on a device. Throws std::invalid_argument, cuda_error.
//!   upsweep::classic::scan_blocks<upsweep::classic::left_right>(exec, in, out, 2048, upsweep::plus<int>{});
template <class Pattern, executor Executor, contiguous_range In, contiguous_range Out, monoid M>
void scan_blocks(Executor&& executor, const In& in, Out&& out, index_t block, const M& m,
                 prefixes which = prefixes::exclusive) {
  const auto from = upsweep::detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  upsweep::detail::check_blocks(executor, from, to, block, 1);
  if (from.size == 0) return;
  const auto task = upsweep::detail::task_of(from.data, to.data, from.size, block, m, which);
  upsweep::detail::run_on_backend(executor,
                                  [&](auto& chosen) { upsweep::detail::scan_blocks_on<Pattern>(chosen, task); });
}

//! The prefixes of all items: blocks are scanned, then their totals, in the same way, and each block but the first
//! takes in what stands before it. Three launches a level; two reads and two writes of all items, which is why nobody
//! does it like that any more. Otherwise as scan_blocks; `block` must be 2 at least.
template <class Pattern, executor Executor, contiguous_range In, contiguous_range Out, monoid M>
void scan_by_blocks(Executor&& executor, const In& in, Out&& out, index_t block, const M& m,
                    prefixes which = prefixes::exclusive) {
  const auto from = upsweep::detail::input("in", in);
  const auto to = UPSWEEP_OUTPUT(out);
  upsweep::detail::check_blocks(executor, from, to, block, 2);
  if (from.size == 0) return;
  upsweep::detail::run_on_backend(executor, [&](auto& chosen) {
    using V = typename M::value_type;
    V* totals = nullptr;
    upsweep::detail::in_scratch(chosen, [&](upsweep::detail::scratch_cutter& cut) {
      totals = cut.take<V>(upsweep::detail::count_totals(from.size, block));
    });
    upsweep::detail::scan_all_blocks<Pattern>(chosen, from.data, to.data, from.size, block, m, which, totals);
  });
}

#if UPSWEEP_HAS_CUDA
//! The largest power of two of items that a CTA of this GPU has shared memory for.
template <class Pattern, class V>
index_t largest_block(const device& executor) {
  return gpu::largest_block<Pattern, V>(executor);
}
#endif

}  // namespace UPSWEEP_NAMESPACE::classic
