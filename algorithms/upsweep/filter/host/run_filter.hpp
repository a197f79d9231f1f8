// What a rule does to runs of 128 samples, in double, whatever they were read from: compiled once a rule, in versions
// for the processor's vectors. Every loop rounds alike in all versions.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t filter_run = 128;

template <filter_rule R>
class run_filter {
 public:
  using V = state_vector<R::size>;

  explicit run_filter(const R& rule) : m_(rule) {
    for (index_t k = 0; k < filter_run; k++)
      for (int r = 0; r < K; r++) weights_[r][k] = m_.weights[k][r];
  }

  //! states[r] becomes what the r-th of so many runs leaves, a weighted sum of its samples.
  void leave(const double* samples, index_t runs, V* states) const {
    with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      for (index_t r = 0; r < runs; r++) leave_by<lanes_by<decltype(bytes)>>(samples + r * filter_run, states[r]);
    });
  }
  //! The same of a run of eight signals side by side, for the first so many of them.
  void leave_side_by_side(const double* samples, int signals, V* states) const {
    with_vectors<true, 32>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      leave_side_by_side_by<lanes_by<decltype(bytes)>>(samples, signals, states);
    });
  }
  //! Puts the state in front of a signal's runs: what each left, `stride` items apart, becomes the state in front of
  //! it. The state moves on behind them.
  void join(V* states, index_t runs, index_t stride, V& state) const {
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t r = 0; r < runs; r++) {
        const V before = state;
        state = m_.join(0, before, states[r * stride]);
        states[r * stride] = before;
      }
    });
  }
  //! Filters eight signals side by side, so many samples of each: those become outputs. The states of the first signals
  //! move on; the others start from 0.
  void walk(double* samples, index_t count, int signals, V* states) const {
    with_vectors<true>(
        [&](auto bytes) UPSWEEP_LAMBDA_INLINE { walk_by<lanes_by<decltype(bytes)>>(samples, count, signals, states); });
  }

 private:
  static constexpr int K = R::size;

  //! Eight sums a state's entry, added up in pairs.
  template <class Lanes>
  UPSWEEP_INLINE void leave_by(const double* run, V& state) const {
    Lanes sums[K] = {};
    for (index_t k = 0; k < filter_run; k += filter_lanes) {
      Lanes x;
      load_lanes(x, run + k);
      for (int r = 0; r < K; r++) {
        Lanes weight;
        load_lanes(weight, weights_[r] + k);
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
  //! The same sums of each signal, in the same order.
  template <class Lanes>
  UPSWEEP_INLINE void leave_side_by_side_by(const double* run, int signals, V* states) const {
    for (int r = 0; r < K; r++) {
      Lanes sums[filter_lanes] = {};
      for (index_t k = 0; k < filter_run; k += filter_lanes)
        for (index_t j = 0; j < filter_lanes; j++) {
          Lanes x;
          load_lanes(x, run + (k + j) * filter_lanes);
          sums[j] = sums[j] + weights_[r][k + j] * x;
        }
      for (int half = filter_lanes / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++) sums[j] = sums[j] + sums[j + half];
      double of_signals[filter_lanes];
      store_lanes(of_signals, sums[0]);
      for (int signal = 0; signal < signals; signal++) states[signal].at[r] = of_signals[signal];
    }
  }
  template <class Lanes>
  UPSWEEP_INLINE void walk_by(double* samples, index_t count, int signals, V* states) const {
    Lanes state[K];
    double of_signals[filter_lanes] = {};
    for (int r = 0; r < K; r++) {
      for (int signal = 0; signal < signals; signal++) of_signals[signal] = states[signal].at[r];
      load_lanes(state[r], of_signals);
    }
    const R rule = m_.rule;
    for (index_t k = 0; k < count; k++) {
      Lanes x;
      load_lanes(x, samples + k * filter_lanes);
      rule.advance(state, x);
      store_lanes(samples + k * filter_lanes, x);
    }
    for (int r = 0; r < K; r++) {
      store_lanes(of_signals, state[r]);
      for (int signal = 0; signal < signals; signal++) states[signal].at[r] = of_signals[signal];
    }
  }

  spanning<R, static_cast<int>(filter_run), 1> m_;
  alignas(64) double weights_[K][filter_run];  // of a run's samples, by entry of the state
};

//! Filters less than a run, which takes none of the powers that join runs: they are most of the time of a short call.
template <filter_rule R>
void filter_short(const R& rule, double* samples, index_t count, state_vector<R::size>& state) {
  with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (index_t k = 0; k < count; k++) rule.advance(state.at, samples[k]);
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
