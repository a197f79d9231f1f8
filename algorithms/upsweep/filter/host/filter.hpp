// Filters on the host. A signal is cut into runs of 128 samples. What a run leaves is a weighted
// sum of its samples; the runs' states are joined left to right; then eight runs are walked side by side, one in each
// lane of a vector. Nothing else enters a result: not the threads, not the vectors.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/host/interleaved_filter.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/host/run_filter.hpp>
#include <upsweep/filter/host/samples.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The job (host/job.hpp) of one channel.
template <filter_rule R, class In, class Out, class Finish>
struct filter_job {
  using V = state_vector<R::size>;
  static constexpr bool reversed = false;  // steps run backwards instead
  static constexpr std::size_t item_bytes = sizeof(In) + sizeof(Out);
  static constexpr index_t round = filter_lanes * filter_run;
  static constexpr index_t tile = tile_items(item_bytes, round);

  struct scratch {
    V* states =
        nullptr;  // before their turn what each run leaves, then in front of each, and behind the last whole one
    double* samples = nullptr;  // of up to eight runs
    V last;                     // behind the last sample of all, if this part has it

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<V>(capacity / filter_run + 1);
      samples = pieces.take<double>(round);
    }
  };

  const run_filter<R>& by;
  samples_of<const In> in;
  samples_of<Out> out;
  index_t n;
  const Finish& finish;
  V running;  // the state in front of the next part

  void start(index_t) { running = finish.start(); }
  void load(scratch& s, const part& p) {
    // The last run of all may be short: nobody asks for what it leaves.
    for (index_t first = 0; first < p.count; first += round) {
      const index_t runs = std::min(p.count - first, round) / filter_run;
      read_samples(in.from(p.first + first), runs * filter_run, s.samples);
      by.leave(s.samples, runs, s.states + first / filter_run);
    }
  }
  void advance(scratch& s, const part& p) {
    const index_t whole = p.count / filter_run;
    by.join(s.states, whole, 1, running);
    s.states[whole] = running;
  }
  void store(scratch& s, const part& p) {
    for (index_t first = 0; first < p.count; first += round)
      walk(s, s.states + first / filter_run, p.first + first, std::min(p.count - first, round));
    if (p.first + p.count == n) finish(nothing{}, s.last);
  }

 private:
  //! Filters `count` samples from number `first` on, of up to eight runs that start in `states`, each in a lane.
  void walk(scratch& s, V* states, index_t first, index_t count) const {
    const int runs = static_cast<int>((count + filter_run - 1) / filter_run);
    const auto length = [&](int run) { return std::min(count - run * filter_run, filter_run); };
    for (int run = 0; run < runs; run++)
      read_samples(in.from(first + run * filter_run), length(run), s.samples + run, filter_lanes);
    // All walk as far as the last one, which may be short; then the others go on.
    const index_t together = length(runs - 1), longest = length(0);
    if (together == filter_run) s.last = states[runs];  // what the next run would start from
    by.walk(s.samples, together, runs, states);
    if (together < filter_run) s.last = states[runs - 1];
    if (together < longest) by.walk(s.samples + together * filter_lanes, longest - together, runs, states);
    for (int run = 0; run < runs; run++)
      write_samples(s.samples + run, length(run), out.from(first + run * filter_run), filter_lanes);
  }
};

//! What filter_channels wants of memory for as many filters.
template <class Bank>
std::size_t bytes_for_rules(const host&, const Bank&) {
  return 0;
}
//! A call's signals as filters want them: on a host as they are. (On a device they are planar: cuda/planes.hpp.)
template <class In, class Out, bool Interleaved>
struct filter_signals {
  signal<const In, Interleaved> from;
  signal<Out, Interleaved> to;

  void cut(scratch_cutter&) const {}
  void fill(host&) const {}
  void empty(host&) const {}
};
template <class In, class Out, bool Interleaved>
filter_signals<In, Out, Interleaved> planes_of(const host&, const signal<const In, Interleaved>& in,
                                               const signal<Out, Interleaved>& out) {
  return {in, out};
}

//! Filters all channels by one rule, or each by its own: one after another, or several at once on threads of their own.
//! `finish`, moved to a channel, gives its first state and takes its last.
template <filter_rule R, std::size_t Rules, class In, class Out, bool Interleaved, class Finish,
          class Direction = forward_t>
void filter_channels(host& executor, std::span<const R, Rules> rules, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const Finish& finish, std::byte*, Direction = {}) {
  if (in.length == 0) return;
  constexpr bool reversed = Direction::reversed;
  const auto rule_of = [&](index_t channel) -> const R& {
    return rules[rules.size() == 1 ? 0 : static_cast<std::size_t>(channel)];
  };
  if (in.length < filter_run) {
    return share_out(executor.threads(), in.channels, [&](index_t channel) {
      const Finish own = finish.of_channel(channel);
      auto state = own.start();
      double samples[filter_run];
      read_samples(in.samples(channel, reversed), in.length, samples);
      filter_short(rule_of(channel), samples, in.length, state);
      write_samples(samples, in.length, out.samples(channel, reversed));
      own(nothing{}, state);
    });
  }
  std::optional<run_filter<R>> of_all;
  if (rules.size() == 1) of_all.emplace(rules[0]);
  if constexpr (Interleaved)
    if (of_all && in.channels >= least_interleaved)
      return filter_interleaved(executor, *of_all, in, out, finish, reversed);
  const auto filter_by = [&](const run_filter<R>& by, index_t channel, int threads) {
    const Finish own = finish.of_channel(channel);
    using job_type = filter_job<R, In, Out, Finish>;
    static_assert(fits_on_stack<job_type>, "channels are filtered side by side");
    job_type job{.by = by,
                 .in = in.samples(channel, reversed),
                 .out = out.samples(channel, reversed),
                 .n = in.length,
                 .finish = own,
                 .running = {}};
    run_job(executor.lender(), job, in.length, threads);
  };
  const auto filter = [&](index_t channel, int threads) {
    if (of_all) filter_by(*of_all, channel, threads);
    else filter_by(run_filter<R>(rule_of(channel)), channel, threads);
  };
  if (in.channels >= executor.threads()) {
    share_out(executor.threads(), in.channels, [&](index_t channel) { filter(channel, 1); });
  } else {
    for (index_t channel = 0; channel < in.channels; channel++) filter(channel, executor.threads());
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
