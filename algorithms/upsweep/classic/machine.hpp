// A backend as the scans of the textbooks see it: something that lends memory and has work done by teams.
#pragma once
#include <atomic>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/classic/team.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/classic/cuda/team.hpp>
#endif

namespace UPSWEEP_NAMESPACE::classic {

template <class Executor, class Witness>
class machine {
 public:
  machine(Executor& executor, const Witness& witness) : executor_(executor), witness_(witness) {}
  Executor& executor() const { return executor_; }
  //! Memory of items as the witness wants it to be seen.
  template <class T>
  auto memory(T* p) const {
    return witness_.memory(p);
  }

  //! Memory of the call's own for so many values of each type, not initialized: a std::tuple. Once a call.
  template <class... Ts, class... Counts>
  auto lend(Counts... counts) const {
    std::tuple<Ts*...> pieces;
    detail::in_scratch(executor_, [&](detail::scratch_cutter& cut) { pieces = {cut.take<Ts>(counts)...}; });
    return pieces;
  }
  //! Has everything there is do work(team), in one launch. `count`: how many things there are to do at once.
  template <class Work>
  void together([[maybe_unused]] index_t count, const Work& work) const {
    witness_.launched();
    if constexpr (std::is_same_v<Executor, host>) {
      const host_team<Witness> team(executor_, witness_);
      work(team);
    } else {
#if UPSWEEP_HAS_CUDA
      const gpu::current_device here(executor_.ordinal());
      gpu::run_by_grid(executor_, count, work);
#endif
    }
  }
  //! Has work(team, b, shared) done for 0 <= b < blocks by a team each, in one launch. `shared` is memory of the team's
  //! own for a Work::shared, not initialized.
  template <class Work>
  void by_blocks(index_t blocks, const Work& work) const {
    witness_.launched();
    if constexpr (std::is_same_v<Executor, host>) {
      using shared = typename Work::shared;
      const detail::thread_pieces pieces(executor_.lender(), executor_.threads(), sizeof(shared));
      std::atomic<bool> failed{false};
      const lone_team<Witness> team(witness_, failed);
      detail::share_out(executor_.threads(), blocks, [&](index_t b, int thread) {
        try {
          work(team, b, reinterpret_cast<shared*>(pieces.of(thread)));
        } catch (const another_failed&) {
        } catch (...) {  // a monoid's; nobody may wait for this team
          failed.store(true, std::memory_order_relaxed);
          throw;
        }
      });
    } else {
#if UPSWEEP_HAS_CUDA
      const gpu::current_device here(executor_.ordinal());
      gpu::run_by_blocks(executor_, blocks, work);
#endif
    }
  }

 private:
  Executor& executor_;
  const Witness& witness_;
};

//! What every scan here begins with: checks its ranges, and calls run(machine, n, in, out) with the backend that was
//! chosen, unless there is nothing to scan.
template <monoid M, class Executor, class T, class Out, class Witness, class Run>
void scan_on(Executor& executor, const named_range<T>& in, const named_range<Out>& out, const Witness& witness,
             const Run& run) {
  using load = decltype(contiguous(in));
  detail::check_sweep_runs_on<Executor, load, lift_to<typename M::value_type>, M, decltype(dense(out))>();
  const index_t n = in.size;
  detail::run_on_backend(executor, [&](auto& chosen) {
    detail::check_range(chosen, in, n);
    detail::check_range(chosen, out, n);
    detail::check_in_place(detail::extent_of(in, n), detail::extent_of(out, n), true);
    if (n == 0) return;
    const machine mine(chosen, witness);
    run(mine, n, mine.memory(in.data), mine.memory(out.data));
  });
}
//! The same for reductions, which have no range to write: run(machine, n, in).
template <monoid M, class Executor, class T, class Witness, class Run>
void reduce_on(Executor& executor, const named_range<T>& in, const Witness& witness, const Run& run) {
  detail::check_sweep_runs_on<Executor, decltype(contiguous(in)), lift_to<typename M::value_type>, M,
                              decltype(discard)>();
  detail::run_on_backend(executor, [&](auto& chosen) {
    detail::check_range(chosen, in, in.size);
    if (in.size == 0) return;
    const machine mine(chosen, witness);
    run(mine, in.size, mine.memory(in.data));
  });
}

}  // namespace UPSWEEP_NAMESPACE::classic
