// The order of tiles on the host: threads take tiles from a ticket, and each tile's prefix is passed on in turn.
//   tile_order      ticket, turn and first exception of one parallel sweep
//   run_in_order    runs a worker on every thread and rethrows what one of them threw
#pragma once
#include <exception>
#include <limits>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/crew.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// A thread waits only for tiles that were handed out before its own, so the one with the smallest ticket never waits:
// progress does not depend on how many threads really run. Whoever waits gives its core away.
class tile_order {
 public:
  //! The next tile; one behind all of them for a helper that should go.
  index_t take_ticket() noexcept { return is_tired_helper() ? behind_all : ticket_.add(1); }

  //! Waits until all tiles before `tile` have passed on; false when the sweep has failed meanwhile.
  bool wait_for_turn(index_t tile) const noexcept {
    bool is_our_turn = false;
    wait_until([&] { return (is_our_turn = turn_.acquire() == tile) || failed(); });
    return is_our_turn;
  }
  void pass_on(index_t tile) noexcept { turn_.release(tile + 1); }

  bool failed() const noexcept { return failed_.get(); }
  //! Keeps the exception being handled if it is the first, and releases everybody who waits.
  void fail() noexcept {
    if (!caught_.swap(true)) first_exception_ = std::current_exception();
    failed_.set(true);
  }
  //! To be called when all threads have finished.
  void rethrow() const {
    if (first_exception_) std::rethrow_exception(first_exception_);
  }

 private:
  static constexpr index_t behind_all = std::numeric_limits<index_t>::max();
  alignas(64) atomic<index_t> ticket_{0};
  alignas(64) atomic<index_t> turn_{0};
  alignas(64) atomic<bool> failed_{false};
  atomic<bool> caught_{false};
  std::exception_ptr first_exception_;
};

//! Calls worker(order, number) on up to `threads` threads, which are numbered from 0.
inline void run_in_order(int threads, const function_view<tile_order&, int>& worker) {
  tile_order order;
  share_with_crew(threads, [&](int number) {
    try {
      worker(order, number);
    } catch (...) {
      order.fail();
    }
  });
  order.rethrow();
}

}  // namespace UPSWEEP_NAMESPACE::detail
