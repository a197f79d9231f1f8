// Filters on the host. A signal is cut into runs of 128 samples. What a run leaves is a weighted sum of its samples;
// the runs' states are joined left to right; then eight runs are walked side by side, one in each lane of a vector.
// Nothing else enters a result: not the threads, not the vectors. Interleaved channels: interleaved_filter.hpp; short
// ones, and many with filters of their own: filter_many.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/host/filter_many.hpp>
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
struct filter_job {
  static constexpr bool reversed = false;  // sources and sinks run backwards instead
  // Who calls says whether threads repay.
  static constexpr std::size_t item_bytes = std::max(parallel_bytes, waking_bytes);
  static constexpr index_t round = filter_lanes * filter_run;
  static constexpr index_t tile = tile_items(2 * sizeof(double), round);

  struct scratch {
    // Before their turn what each run leaves, then in front of each, and behind the last whole one.
    double* states = nullptr;
    double* samples = nullptr;  // of up to eight runs

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<double>((capacity / filter_run + 1) * run_filter::most_entries);
      samples = pieces.take<double>(round);
    }
  };

  const run_filter& by;
  const sample_source& in;
  const sample_sink& out;
  index_t channel, n;
  double* state;  // in front of the next part; in the end behind the last sample

  void start(index_t) {}
  void load(scratch& s, const part& p) {
    // The last run of all may be short: nobody asks for what it leaves.
    for (index_t first = 0; first < p.count; first += round) {
      const index_t runs = std::min(p.count - first, round) / filter_run;
      in.read(channel, p.first + first, runs * filter_run, s.samples);
      by.leave(s.samples, runs, state_of(s, first));
    }
  }
  void advance(scratch& s, const part& p) {
    by.join(s.states, p.count / filter_run, state);
    std::copy_n(state, by.entries, state_of(s, p.count));
  }
  void store(scratch& s, const part& p) {
    const double* last = nullptr;
    for (index_t first = 0; first < p.count; first += round)
      last = walk(s, state_of(s, first), p.first + first, std::min(p.count - first, round));
    if (p.first + p.count == n) std::copy_n(last, by.entries, state);
  }

 private:
  //! The state in front of the run that has this sample of the part.
  double* state_of(const scratch& s, index_t sample) const { return s.states + sample / filter_run * by.entries; }
  //! Filters `count` samples from number `first` on, of up to eight runs that start in `states`, each in a lane.
  //! Returns the state behind them.
  const double* walk(scratch& s, double* states, index_t first, index_t count) const {
    const int runs = static_cast<int>((count + filter_run - 1) / filter_run);
    in.read_runs(channel, first, count, s.samples);
    // All walk as far as the last one, which may be short; then the others go on.
    const index_t together = count - (runs - 1) * filter_run, longest = std::min(count, filter_run);
    by.walk(s.samples, together, runs, states);
    if (together < longest) by.walk(s.samples + together * filter_lanes, longest - together, runs - 1, states);
    out.write_runs(channel, first, count, s.samples);
    // What the next run would start from.
    return states + index_t{by.entries} * (together < filter_run ? runs - 1 : runs);
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

//! From so many filters on each channel's own are filtered by lanes: less work in all, and for each eight a thread.
//! Below that their powers are kept, and all threads go along each long channel.
inline constexpr std::size_t many_filters = most_kept_powers;
//! Filters all channels by the powers of one rule, or each of its own: one after another, or several at once on threads
//! of their own.
template <filter_rule R, std::size_t Rules, class Finish>
void filter_by_powers(host& executor, std::span<const R, Rules> rules, const sample_source& in, const sample_sink& out,
                      index_t channels, index_t length, int threads, const Finish& finish) {
  const run_filter* of_channels[Rules == 1 ? 1 : many_filters];
  for (std::size_t c = 0; c < rules.size(); c++) of_channels[c] = &powers_of<run_filter_by<R>>(rules[c]);
  const auto filter = [&](index_t channel, int helpers) {
    const Finish own = finish.of_channel(channel);
    auto state = own.start();
    static_assert(fits_on_stack<filter_job>, "channels are filtered side by side");
    const run_filter& by = *of_channels[Rules == 1 ? 0 : static_cast<std::size_t>(channel)];
    filter_job job{.by = by, .in = in, .out = out, .channel = channel, .n = length, .state = state.at};
    run_job(executor.lender(), job, length, helpers);
    own(nothing{}, state);
  };
  if (channels >= executor.threads()) {
    share_out(threads, channels, [&](index_t channel) { filter(channel, 1); });
  } else {
    for (index_t channel = 0; channel < channels; channel++) filter(channel, threads);
  }
}
//! `finish`, moved to a channel, gives its first state and takes its last.
template <filter_rule R, std::size_t Rules, class In, class Out, bool Interleaved, class Finish,
          class Direction = forward_t>
void filter_channels(host& executor, std::span<const R, Rules> rules, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, const Finish& finish, std::byte*, Direction = {}) {
  if (in.length == 0) return;
  // The entries of a state say how much there is to do for a sample.
  const auto entries = static_cast<std::size_t>(in.channels * in.length * R::size);
  const int threads = threads_for(entries * (sizeof(In) + sizeof(Out)) / 2, executor.threads());
  if constexpr (Interleaved && !Direction::reversed)
    if (rules.size() == 1 && in.channels > 1) return filter_interleaved(rules[0], in, out, threads, finish);
  const source_of<In, Interleaved> from(in, Direction::reversed);
  const sink_of<Out, Interleaved> to(out, Direction::reversed);
  if (in.length < filter_run || rules.size() >= many_filters)
    return filter_many(rules, from, to, in.channels, in.length, threads, finish);
  filter_by_powers(executor, rules, from, to, in.channels, in.length, threads, finish);
}

}  // namespace UPSWEEP_NAMESPACE::detail
