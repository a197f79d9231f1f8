// What a rule does to runs of 128 samples, in double, whatever they were read from, in versions for the processor's
// vectors. Every loop rounds alike in all versions.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/host/samples.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A rule as jobs see it, which are compiled once for all rules. States lie one behind another, of `entries` each.
class run_filter {
 public:
  static constexpr int most_entries = 16;
  const int entries;

  //! The r-th state becomes what the r-th of so many runs leaves, a weighted sum of its samples.
  void leave(const double* samples, index_t runs, double* states) const {
    with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      using lanes = lanes_by<decltype(bytes)>;
      for (index_t r = 0; r < runs; r++) {
        const double* const run = samples + r * filter_run;
        double* const state = states + r * entries;
        if (entries == 2) leave_by<lanes, 2>(run, 0, state);
        else
          for (int first = 0; first < entries; first += 4) leave_by<lanes, 4>(run, first, state);
      }
    });
  }
  //! Puts the state in front of a signal's runs: what each left becomes the state in front of it. The state moves on
  //! behind them.
  virtual void join(double* states, index_t runs, double* state) const = 0;
  //! Filters eight signals side by side, so many samples of each: those become outputs. The states of the first signals
  //! move on; the others start from 0.
  virtual void walk(double* samples, index_t count, int signals, double* states) const = 0;

 protected:
  explicit run_filter(int number) : entries(number) {}
  ~run_filter() = default;
  alignas(64) double weights_[most_entries][filter_run];  // of a run's samples, by entry of the state

 private:
  //! Some of the entries. Eight sums an entry, added up in pairs.
  template <class Lanes, int Some>
  UPSWEEP_INLINE void leave_by(const double* run, int first, double* state) const {
    UPSWEEP_ROUND_EACH
    Lanes sums[Some] = {};
    for (index_t k = 0; k < filter_run; k += filter_lanes) {
      Lanes x;
      load_lanes(x, run + k);
      for (int r = 0; r < Some; r++) {
        Lanes weight;
        load_lanes(weight, weights_[first + r] + k);
        sums[r] = sums[r] + weight * x;
      }
    }
    for (int r = 0; r < Some; r++) {
      double sum[filter_lanes];
      store_lanes(sum, sums[r]);
      for (int half = filter_lanes / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
      state[first + r] = sum[0];
    }
  }
};

//! Filters one signal alone, of samples so far apart: where vectors would have work for eight.
template <filter_rule R>
void filter_alone(const R& rule, double* samples, index_t count, int step, state_vector<R::size>& state) {
  with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
    const R by = rule;  // copies: samples might be one of them
    state_vector<R::size> own = state;
    for (index_t k = 0; k < count; k++) by.advance(own.at, samples[k * step]);
    state = own;
  });
}

//! Filters eight signals side by side, as run_filter::walk, by a rule of double or of lanes.
template <class Lanes, class R>
UPSWEEP_INLINE void walk_lanes(const R& rule, double* samples, index_t count, int signals, double* states) {
  constexpr int K = R::size;
  Lanes state[K];
  double of_signals[filter_lanes] = {};
  for (int r = 0; r < K; r++) {
    for (int signal = 0; signal < signals; signal++) of_signals[signal] = states[signal * K + r];
    load_lanes(state[r], of_signals);
  }
  const R by = rule;  // copies: samples might be one of them
  for (index_t k = 0; k < count; k++) {
    Lanes x;
    load_lanes(x, samples + k * filter_lanes);
    by.advance(state, x);
    store_lanes(samples + k * filter_lanes, x);
  }
  for (int r = 0; r < K; r++) {
    store_lanes(of_signals, state[r]);
    for (int signal = 0; signal < signals; signal++) states[signal * K + r] = of_signals[signal];
  }
}

template <filter_rule R>
void walk_signals(const R& rule, double* samples, index_t count, int signals, double* states) {
  with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
    walk_lanes<lanes_by<decltype(bytes)>>(rule, samples, count, signals, states);
  });
}

template <filter_rule R>
class run_filter_by final : public run_filter, spanning<R, static_cast<int>(filter_run), 1> {
  using powers_of_run = spanning<R, static_cast<int>(filter_run), 1>;

 public:
  using powers_of_run::rule;

  explicit run_filter_by(const R& by) : run_filter(K), powers_of_run(by) {
    for (index_t k = 0; k < filter_run; k++)
      for (int r = 0; r < K; r++) weights_[r][k] = powers_of_run::weights[k][r];
  }

  void join(double* states, index_t runs, double* state) const override {
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      V& running = *reinterpret_cast<V*>(state);
      for (index_t r = 0; r < runs; r++) {
        V& of_run = reinterpret_cast<V*>(states)[r];
        const V before = running;
        running = powers_of_run::join(0, before, of_run);
        of_run = before;
      }
    });
  }
  void walk(double* samples, index_t count, int signals, double* states) const override {
    if (signals == 1) return filter_alone(rule, samples, count, filter_lanes, *reinterpret_cast<V*>(states));
    walk_signals(rule, samples, count, signals, states);
  }

 private:
  static constexpr int K = R::size;
  static_assert(K <= most_entries && (K == 2 || K % 4 == 0));
  using V = state_vector<K>;
};

}  // namespace UPSWEEP_NAMESPACE::detail
