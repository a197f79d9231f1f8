// The host engine: one sweep on OpenMP threads, or on the caller's when OpenMP is missing or the input small.
//   chunks.hpp    what is combined with what, the same for any number of threads; chunk_values.hpp: what is kept of it
//   job.hpp       parts, threads, turns (chain.hpp); columns.hpp and memory.hpp: what parts read and write
//   prefixes.hpp  dense, several and each stores, reductions;  pack.hpp: packed stores;  run_lengths.hpp: of run
//   lengths
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/pack.hpp>
#include <upsweep/host/prefixes.hpp>
#include <upsweep/host/run_lengths.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Scans n items and calls finish once. Memory is read once and written once.
template <class Load, class Lift, class M, class Store, class Finish, class Direction>
void sweep(host& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
           const Finish& finish, Direction) {
  if (n == 0) return finish.empty(m.identity());
  if constexpr (is_packed_v<Store>) {
    using inner = std::remove_cvref_t<decltype(m.inner)>;
    const auto run = [&](auto& job) {
      run_job(executor.lender(), job, n, executor.threads());
      typename M::value_type total;
      for (int k = 0; k < Store::counts; k++) total.counts[k] = job.counts[k];
      if constexpr (!std::is_same_v<inner, nothing>) total.value = job.total();
      finish(job.last.get(), total);
    };
    if constexpr (counts_runs<Load, inner, Store>) {
      run_length_job<Load, Store> job{{n, load, store, executor.lender()}};
      run(job);
    } else {
      using job_type = pack_job<Load, std::remove_cvref_t<decltype(lift.lift)>, inner, Store>;
      const auto& scan_lift = job_type::lifts::of(lift.lift);
      job_type job{{n, load, store, executor.lender()}, {n, scan_lift, m.inner}};
      run(job);
    }
  } else {
    prefix_job<Load, Lift, M, Store, Direction::reversed> job{n, load, store, {n, lift, m}};
    run_job(executor.lender(), job, n, executor.threads());
    finish(job.last.get(), job.running.get());
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
