// Filters on the host of three and more interleaved channels by one rule: eight channels side by side, one in each lane
// of a vector, so that memory is read and written as it lies. Runs, and what is combined with what, are those of single
// channels (filter.hpp): results are the same, bit for bit.
#pragma once
#include <algorithm>
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Interleaved channels that fill enough of the lanes to be filtered side by side.
inline constexpr index_t least_interleaved = 3;

//! The job (host/job.hpp) of up to `most` channels, whose items are moments: a sample of each channel.
template <filter_rule R, class In, class Out, class Finish>
struct interleaved_job {
  using M = typename run_powers<R>::M;
  using V = typename M::value_type;
  static constexpr bool reversed = false;  // steps run backwards instead
  static constexpr int K = R::size, most = 64, groups = most / filter_lanes;
  static constexpr std::size_t item_bytes = parallel_bytes;  // who calls says whether threads repay
  static constexpr index_t round = filter_run, tile = 8 * filter_run;

  struct lane_state {  // of eight channels
    double at[K][filter_lanes];
  };
  struct scratch {
    lane_state* states = nullptr;  // of each group in front of each run, and behind the last whole one
    double* run = nullptr;         // samples of a run, eight channels side by side
    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<lane_state>((capacity / filter_run + 1) * groups);
      run = pieces.take<double>(filter_run * filter_lanes);
    }
  };

  const M& m;
  const double (&weights)[K][filter_run];
  samples_of<const In> in;  // of the first channel
  samples_of<Out> out;
  index_t n;
  int channels;
  const Finish& finish;
  index_t first_channel;
  lane_state running[groups];  // in front of the next part

  void start(index_t) {
    for (int c = 0; c < channels; c++) {
      const V state = finish.of_channel(first_channel + c).start();
      for (int r = 0; r < K; r++) running[c / filter_lanes].at[r][c % filter_lanes] = state.at[r];
    }
  }
  void load(scratch& s, const part& p) {
    with_vectors<true, 32>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      using lanes = lanes_by<decltype(bytes)>;
      for (index_t r = 0; (r + 1) * filter_run <= p.count; r++)
        for (int group = 0; group * filter_lanes < channels; group++) {
          read(p.first + r * filter_run, filter_run, group, s.run);
          leave<lanes>(s.run, s.states[r * groups + group]);
        }
    });
  }
  void advance(scratch& s, const part& p) {
    with_16_bytes([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      using lanes = lanes_by<decltype(bytes)>;
      const index_t whole = p.count / filter_run;
      for (int group = 0; group * filter_lanes < channels; group++) {
        lane_state state = running[group];
        for (index_t r = 0; r < whole; r++) {
          lane_state& left = s.states[r * groups + group];
          const lane_state before = state;
          join<lanes>(state, left);
          left = before;
        }
        s.states[whole * groups + group] = running[group] = state;
      }
    });
  }
  void store(scratch& s, const part& p) {
    with_vectors<true, 32>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
      using lanes = lanes_by<decltype(bytes)>;
      for (index_t begin = 0; begin < p.count; begin += filter_run)
        for (int group = 0; group * filter_lanes < channels; group++) {
          const index_t count = std::min(p.count - begin, filter_run);
          read(p.first + begin, count, group, s.run);
          walk<lanes>(s.run, count, s.states[begin / filter_run * groups + group]);
          write(p.first + begin, count, group, s.run);
        }
    });
    if (p.first + p.count == n) finish_all(s.states + p.count / filter_run * groups);
  }

 private:
  UPSWEEP_INLINE int lanes_of(int group) const { return std::min(filter_lanes, channels - group * filter_lanes); }
  UPSWEEP_INLINE void read(index_t first, index_t count, int group, double* to) const {
    const In* from = in.data + first * in.step + group * filter_lanes;
    const int lanes = lanes_of(group);
    if (lanes == filter_lanes) {
      for (index_t k = 0; k < count; k++, from += in.step, to += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++) to[lane] = static_cast<double>(from[lane]);
    } else {
      for (index_t k = 0; k < count; k++, from += in.step, to += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++) to[lane] = lane < lanes ? static_cast<double>(from[lane]) : 0;
    }
  }
  UPSWEEP_INLINE void write(index_t first, index_t count, int group, const double* from) const {
    Out* to = out.data + first * out.step + group * filter_lanes;
    const int lanes = lanes_of(group);
    if (lanes == filter_lanes) {
      for (index_t k = 0; k < count; k++, to += out.step, from += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++) to[lane] = to_sample<Out>(from[lane]);
    } else {
      for (index_t k = 0; k < count; k++, to += out.step, from += filter_lanes)
        for (int lane = 0; lane < lanes; lane++) to[lane] = to_sample<Out>(from[lane]);
    }
  }
  //! What a run leaves: eight sums a state's entry, added up in pairs.
  template <class Lanes>
  UPSWEEP_INLINE void leave(const double* run, lane_state& state) const {
    for (int r = 0; r < K; r++) {
      Lanes sums[filter_lanes] = {};
      for (index_t k = 0; k < filter_run; k += filter_lanes)
        for (index_t j = 0; j < filter_lanes; j++) {
          Lanes x;
          load_lanes(x, run + (k + j) * filter_lanes);
          sums[j] = sums[j] + weights[r][k + j] * x;
        }
      for (int half = filter_lanes / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++) sums[j] = sums[j] + sums[j + half];
      store_lanes(state.at[r], sums[0]);
    }
  }
  //! M::join, lane by lane.
  template <class Lanes>
  UPSWEEP_INLINE void join(lane_state& earlier, const lane_state& run) const {
    lane_state result;
    for (int r = 0; r < K; r++) {
      Lanes sum;
      load_lanes(sum, run.at[r]);
      for (int c = 0; c < M::reach(r); c++) {
        Lanes entry;
        load_lanes(entry, earlier.at[c]);
        sum = sum + m.powers[0][M::row(r) + c] * entry;
      }
      store_lanes(result.at[r], sum);
    }
    earlier = result;
  }
  //! Filters a run. A state in front of a short one becomes that behind it.
  template <class Lanes>
  UPSWEEP_INLINE void walk(double* samples, index_t count, lane_state& before) const {
    Lanes state[K];
    for (int r = 0; r < K; r++) load_lanes(state[r], before.at[r]);
    const R rule = m.rule;
    for (index_t k = 0; k < count; k++) {
      Lanes x;
      load_lanes(x, samples + k * filter_lanes);
      rule.advance(state, x);
      store_lanes(samples + k * filter_lanes, x);
    }
    if (count == filter_run) return;
    for (int r = 0; r < K; r++) store_lanes(before.at[r], state[r]);
  }
  void finish_all(const lane_state* last) const {
    for (int c = 0; c < channels; c++) {
      V state;
      for (int r = 0; r < K; r++) state.at[r] = last[c / filter_lanes].at[r][c % filter_lanes];
      finish.of_channel(first_channel + c)(nothing{}, state);
    }
  }
};

//! Filters all channels by one rule: many on a thread for so many of them, fewer together on all threads.
template <filter_rule R, class In, class Out, class Finish>
void filter_interleaved(host& executor, const run_powers<R>& by, const signal<const In, true>& in,
                        const signal<Out, true>& out, const Finish& finish, bool reversed) {
  using job_type = interleaved_job<R, In, Out, Finish>;
  static_assert(fits_on_stack<job_type>, "jobs run side by side");
  const auto filter = [&](index_t first, int threads) {
    job_type job{.m = by.m,
                 .weights = by.weights,
                 .in = in.samples(first, reversed),
                 .out = out.samples(first, reversed),
                 .n = in.length,
                 .channels = static_cast<int>(std::min<index_t>(in.channels - first, job_type::most)),
                 .finish = finish,
                 .first_channel = first,
                 .running = {}};
    run_job(executor.lender(), job, in.length, threads);
  };
  const index_t jobs = (in.channels + job_type::most - 1) / job_type::most;
  if (jobs >= executor.threads())
    return share_out(executor.threads(), jobs, [&](index_t job) { filter(job * job_type::most, 1); });
  const auto bytes = static_cast<std::size_t>(in.channels * in.length) * (sizeof(In) + sizeof(Out));
  for (index_t job = 0; job < jobs; job++)
    filter(job * job_type::most, bytes >= parallel_bytes ? executor.threads() : 1);
}

}  // namespace UPSWEEP_NAMESPACE::detail
