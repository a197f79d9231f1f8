// How a sweep on the host is cut into parts and who works on them. A job has three steps for a part:
//   load(scratch, part)       in any order: reads its items, folds them
//   advance(scratch, part)    in turn: takes the prefix of everything before, leaves the one behind
//   store(scratch, part)      in any order: hands the items their prefixes, stores
// It may have a way of its own through a few items: run_few() says whether it has taken it.
#pragma once
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/host/chain.hpp>
#include <upsweep/host/chunks.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What a thread keeps in its L2 cache.
inline constexpr std::size_t tile_bytes = std::size_t{256} << 10;
//! For less than this, threads that come at once cost more than they save; and for less than that, threads that sleep:
//! waking one took 15 to 40 us, a sum of 2 MiB takes 55 (a Xeon of 2 cores, virtual, 2026-11-25).
inline constexpr std::size_t parallel_bytes = std::size_t{256} << 10;
#ifdef UPSWEEP_WAKING_BYTES  // tests set it, so that the same threads work in every run
inline constexpr std::size_t waking_bytes = UPSWEEP_WAKING_BYTES;
#else
inline constexpr std::size_t waking_bytes = std::size_t{2} << 20;
#endif
//! Of so many threads, how many should go through so many bytes, once and with little work for each?
inline int threads_for(std::size_t bytes, int threads) {
  const bool repays = bytes >= parallel_bytes && (bytes >= waking_bytes || helpers_are_awake());
  return repays ? threads : 1;
}
inline constexpr std::size_t stack_bytes = std::size_t{64} << 10;

//! Items of a tile, the part of a thread among several. A multiple of `round`: so many items are done while the
//! first-level cache has them, and are the part of a thread that works alone.
constexpr index_t tile_items(std::size_t item_bytes, index_t round) {
  const auto fit = static_cast<index_t>(tile_bytes / (item_bytes ? item_bytes : 1));
  return fit < round ? round : fit / round * round;
}

template <bool Reversed>
part part_at(index_t n, index_t number, index_t items) {
  const index_t first = number * items, count = n - first < items ? n - first : items;
  return {number, first, count, Reversed ? n - first - count : first};
}

template <class Job>
void run_alone(Job& job, index_t n, std::byte* memory) {
  auto scratch = cut_scratch<typename Job::scratch>(memory, Job::round);
  const index_t parts = (n + Job::round - 1) / Job::round;
  for (index_t number = 0; number < parts; number++) {
    const part p = part_at<Job::reversed>(n, number, Job::round);
    job.load(scratch, p);
    job.advance(scratch, p);
    job.store(scratch, p);
  }
  fence_streams();
}

template <class Job>
void run_parallel(host_memory& memory, Job& job, index_t n, int threads) {
  const index_t parts = (n + Job::tile - 1) / Job::tile;
  if (parts < threads) threads = static_cast<int>(parts);
  const thread_pieces pieces(memory, threads, scratch_bytes<typename Job::scratch>(Job::tile));
  run_in_order(threads, [&](tile_order& order, int thread) {
    auto scratch = cut_scratch<typename Job::scratch>(pieces.of(thread), Job::tile);
    for (index_t number = order.take_ticket(); number < parts && !order.failed(); number = order.take_ticket()) {
      const part p = part_at<Job::reversed>(n, number, Job::tile);
      job.load(scratch, p);
      if (!order.wait_for_turn(number)) break;
      job.advance(scratch, p);
      order.pass_on(number);
      job.store(scratch, p);
    }
    fence_streams();
  });
}

//! Does it need no memory to run on one thread? Then several threads may run one each.
template <class Job>
inline constexpr bool fits_on_stack = scratch_bytes<typename Job::scratch>(Job::round) <= stack_bytes;

//! Runs a job over n > 0 items.
template <class Job>
void run_job(host_memory& memory, Job& job, index_t n, int threads) {
  if constexpr (requires { job.run_few(); })
    if (job.run_few()) return;
  const bool parallel = n > Job::tile && threads_for(static_cast<std::size_t>(n) * Job::item_bytes, threads) > 1;
  job.start(parallel ? Job::tile : Job::round);
  if (parallel) {
    run_parallel(memory, job, n, threads);
  } else if constexpr (fits_on_stack<Job>) {
    alignas(scratch_cutter::cache_line) std::byte on_stack[scratch_bytes<typename Job::scratch>(Job::round)];
    run_alone(job, n, on_stack);
  } else {
    const lent_memory lent(memory, scratch_bytes<typename Job::scratch>(Job::round));
    run_alone(job, n, lent.data());
  }
}

//! Scratch memory of what goes through a few items one by one: that of columns which are computed.
template <class View>
struct few_items {
  View items;
  constexpr void cut(scratch_cutter& pieces, index_t capacity) { items.cut(pieces, capacity); }
};

//! Room for the item that is last along the scan, for `finish`.
template <class Item>
struct last_item {
  alignas(Item) unsigned char memory[sizeof(Item)];
  const Item& get() const { return *reinterpret_cast<const Item*>(memory); }
  //! Takes it from the part that has it.
  template <bool Reversed, class View>
  void take(const View& items, const part& p, index_t n) {
    const index_t k = p.first + p.count - 1;
    if (k < n - 1) return;
    const index_t i = Reversed ? n - 1 - k : k;
    ::new (static_cast<void*>(memory))
        Item(k == 0 ? items.template item<true, Reversed>(i) : items.template item<false, Reversed>(i));
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
