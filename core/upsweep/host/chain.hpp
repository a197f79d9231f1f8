// The order of tiles on the host: threads take tiles from a ticket, and each tile's prefix is passed on in turn.
//   tile_order      ticket, turn and first exception of one parallel sweep
//   run_in_order    runs a worker on every thread and rethrows what one of them threw
#pragma once
#include <atomic>
#include <exception>
#if __has_include(<sched.h>)
#include <sched.h>
#else
#include <thread>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Gives the core to a thread that has something to do.
inline void give_way() noexcept {
#if __has_include(<sched.h>)
  sched_yield();
#else
  std::this_thread::yield();
#endif
}

// A thread waits only for tiles that were handed out before its own, so the one with the smallest ticket never waits:
// progress does not depend on how many threads really run. Whoever waits gives its core away.
class tile_order {
 public:
  index_t take_ticket() noexcept { return ticket_.fetch_add(1, std::memory_order_relaxed); }

  //! Waits until all tiles before `tile` have passed on; false when the sweep has failed meanwhile.
  bool wait_for_turn(index_t tile) const noexcept {
    for (int spins = 0; turn_.load(std::memory_order_acquire) != tile; spins++) {
      if (failed()) return false;
      if (spins > spins_before_yield) give_way();
    }
    return true;
  }
  void pass_on(index_t tile) noexcept { turn_.store(tile + 1, std::memory_order_release); }

  bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
  //! Keeps the exception being handled if it is the first, and releases everybody who waits.
  void fail() noexcept {
    if (!caught_.test_and_set()) first_exception_ = std::current_exception();
    failed_.store(true, std::memory_order_relaxed);
  }
  //! To be called when all threads have finished.
  void rethrow() const {
    if (first_exception_) std::rethrow_exception(first_exception_);
  }

 private:
  static constexpr int spins_before_yield = 100;
  alignas(64) std::atomic<index_t> ticket_{0};
  alignas(64) std::atomic<index_t> turn_{0};
  alignas(64) std::atomic<bool> failed_{false};
  std::atomic_flag caught_ = ATOMIC_FLAG_INIT;
  std::exception_ptr first_exception_;
};

//! Calls worker(order, number) on up to `threads` OpenMP threads, which are numbered from 0.
template <class Worker>
void run_in_order([[maybe_unused]] int threads, const Worker& worker) {
  tile_order order;
  const auto guarded = [&] {
    try {
#ifdef _OPENMP
      worker(order, omp_get_thread_num());
#else
      worker(order, 0);
#endif
    } catch (...) {
      order.fail();
    }
  };
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
  guarded();
  order.rethrow();
}

}  // namespace UPSWEEP_NAMESPACE::detail
