// Filters on the host. A signal is cut into runs of 128 samples. What a run leaves is a weighted
// sum of its samples; the runs' states are joined left to right; then eight runs are walked side by side, one in each
// lane of a vector. Nothing else enters a result: not the threads, not the vectors.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/host/interleaved_filter.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The job (host/job.hpp) of one channel.
template <filter_rule R, class In, class Out, class Finish>
struct filter_job {
  using M = typename run_powers<R>::M;
  using V = typename M::value_type;
  static constexpr bool reversed = false;  // steps run backwards instead
  static constexpr int K = R::size;
  static constexpr std::size_t item_bytes = sizeof(In) + sizeof(Out);
  static constexpr index_t round = filter_lanes * filter_run;
  static constexpr index_t tile = tile_items(item_bytes, round);

  struct scratch {
    V* states = nullptr;    // in front of each run, and behind the last whole one; before their turn, what each leaves
    double* run = nullptr;  // samples of up to eight runs, lane by lane
    V last;                 // behind the last sample of all, if this part has it

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<V>(capacity / filter_run + 1);
      run = pieces.take<double>(round);
    }
  };

  const M& m;
  const double (&weights)[K][filter_run];
  samples_of<const In> in;
  samples_of<Out> out;
  index_t n;
  const Finish& finish;
  V running;  // the state in front of the next part

  void start(index_t) { running = finish.start(); }
  void load(scratch& s, const part& p) {
    with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      // The last run of all may be short: nobody asks for what it leaves.
      for (index_t r = 0; (r + 1) * filter_run <= p.count; r++) {
        read<1>(in.from(p.first + r * filter_run), filter_run, s.run);
        leave<lanes_by<decltype(bytes)>>(s.run, s.states[r]);
      }
    });
  }
  void advance(scratch& s, const part& p) {
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      const index_t whole = p.count / filter_run;
      for (index_t r = 0; r < whole; r++) {
        const V before = running;
        running = m.join(0, before, s.states[r]);
        s.states[r] = before;
      }
      s.states[whole] = running;
    });
  }
  void store(scratch& s, const part& p) {
    with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      for (index_t r = 0; r * filter_run < p.count; r += filter_lanes) {
        const index_t first = r * filter_run, left = p.count - first;
        walk<lanes_by<decltype(bytes)>>(s, s.states + r, p.first + first, left < round ? left : round);
      }
    });
    if (p.first + p.count == n) finish(nothing{}, s.last);
  }

 private:
  template <int Step>
  UPSWEEP_INLINE static void read(const samples_of<const In>& from, index_t count, double* to) {
    if (from.step == 1) {
      for (index_t k = 0; k < count; k++) to[k * Step] = static_cast<double>(from.data[k]);
    } else {
      for (index_t k = 0; k < count; k++) to[k * Step] = static_cast<double>(from[k]);
    }
  }
  //! What a run leaves: eight sums a state's entry, added up in pairs.
  template <class Lanes>
  UPSWEEP_INLINE void leave(const double* run, V& state) const {
    Lanes sums[K] = {};
    for (index_t k = 0; k < filter_run; k += filter_lanes) {
      Lanes x;
      load_lanes(x, run + k);
      for (int r = 0; r < K; r++) {
        Lanes weight;
        load_lanes(weight, weights[r] + k);
        sums[r] = sums[r] + weight * x;
      }
    }
    for (int r = 0; r < K; r++) {
      double sum[filter_lanes];
      store_lanes(sum, sums[r]);
      for (int half = filter_lanes / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
      state.at[r] = sum[0];
    }
  }
  //! Filters `count` samples from number `first` on, of up to eight runs that start in `states`.
  template <class Lanes>
  UPSWEEP_INLINE void walk(scratch& s, const V* states, index_t first, index_t count) {
    const int runs = static_cast<int>((count + filter_run - 1) / filter_run);
    Lanes state[K];
    for (int r = 0; r < K; r++) {
      double of_lanes[filter_lanes] = {};
      for (int lane = 0; lane < runs; lane++) of_lanes[lane] = states[lane].at[r];
      load_lanes(state[r], of_lanes);
    }
    double* samples = s.run;
    const auto length = [&](int lane) {
      return count - lane * filter_run < filter_run ? count - lane * filter_run : filter_run;
    };
    for (int lane = 0; lane < runs; lane++) {
      read<filter_lanes>(in.from(first + lane * filter_run), length(lane), samples + lane);
    }
    const index_t longest = length(0), shortest = length(runs - 1);
    const R rule = m.rule;
    const auto keep_last = [&]() UPSWEEP_LAMBDA_INLINE {
      for (int r = 0; r < K; r++) {
        double of_lanes[filter_lanes];
        store_lanes(of_lanes, state[r]);
        s.last.at[r] = of_lanes[runs - 1];
      }
    };
    for (index_t k = 0; k < longest; k++) {
      if (k == shortest) keep_last();
      Lanes x;
      load_lanes(x, samples + k * filter_lanes);
      rule.advance(state, x);
      store_lanes(samples + k * filter_lanes, x);
    }
    if (shortest == filter_run) s.last = states[runs];  // what the next run would start from
    else if (shortest == longest) keep_last();
    for (int lane = 0; lane < runs; lane++) {
      const auto to = out.from(first + lane * filter_run);
      const index_t end = length(lane);
      if (to.step == 1) {
        for (index_t k = 0; k < end; k++) to.data[k] = to_sample<Out>(samples[k * filter_lanes + lane]);
      } else {
        for (index_t k = 0; k < end; k++) to[k] = to_sample<Out>(samples[k * filter_lanes + lane]);
      }
    }
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

//! Filters less than a run, which takes none of the powers that join runs: they are most of the time of a short call.
template <filter_rule R, class In, class Out, class Finish>
void filter_short(const R& rule, const samples_of<const In>& in, const samples_of<Out>& out, index_t n,
                  const Finish& finish) {
  auto state = finish.start();
  with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (index_t k = 0; k < n; k++) {
      auto x = static_cast<double>(in[k]);
      rule.advance(state.at, x);
      out[k] = to_sample<Out>(x);
    }
  });
  finish(nothing{}, state);
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
      filter_short(rule_of(channel), in.samples(channel, reversed), out.samples(channel, reversed), in.length,
                   finish.of_channel(channel));
    });
  }
  std::optional<run_powers<R>> of_all;
  if (rules.size() == 1) of_all.emplace(rules[0]);
  if constexpr (Interleaved)
    if (of_all && in.channels >= least_interleaved)
      return filter_interleaved(executor, *of_all, in, out, finish, reversed);
  const auto filter_by = [&](const run_powers<R>& by, index_t channel, int threads) {
    const Finish own = finish.of_channel(channel);
    using job_type = filter_job<R, In, Out, Finish>;
    static_assert(fits_on_stack<job_type>, "channels are filtered side by side");
    job_type job{.m = by.m,
                 .weights = by.weights,
                 .in = in.samples(channel, reversed),
                 .out = out.samples(channel, reversed),
                 .n = in.length,
                 .finish = own,
                 .running = {}};
    run_job(executor.lender(), job, in.length, threads);
  };
  const auto filter = [&](index_t channel, int threads) {
    if (of_all) filter_by(*of_all, channel, threads);
    else filter_by(run_powers<R>(rule_of(channel)), channel, threads);
  };
  if (in.channels >= executor.threads()) {
    share_out(executor.threads(), in.channels, [&](index_t channel) { filter(channel, 1); });
  } else {
    for (index_t channel = 0; channel < in.channels; channel++) filter(channel, executor.threads());
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
