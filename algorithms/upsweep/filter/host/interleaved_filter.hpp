// Filters on the host of three and more interleaved channels by one rule: eight channels side by side, one in each lane
// of a vector, so that memory is read and written as it lies. Runs, and what is combined with what, are those of single
// channels (filter.hpp): results are the same, bit for bit.
#pragma once
#include <algorithm>
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/host/run_filter.hpp>
#include <upsweep/filter/host/samples.hpp>
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
  using V = state_vector<R::size>;
  static constexpr bool reversed = false;  // steps run backwards instead
  static constexpr int most = 64;
  static constexpr std::size_t item_bytes =
      std::max(parallel_bytes, waking_bytes);  // who calls says whether threads repay
  static constexpr index_t round = filter_run, tile = 8 * filter_run;

  struct scratch {
    V* states = nullptr;        // of each channel: as those of one (filter_job), a run's beside each other
    double* samples = nullptr;  // of a run, eight channels side by side
    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<V>((capacity / filter_run + 1) * most);
      samples = pieces.take<double>(filter_run * filter_lanes);
    }
  };

  const run_filter<R>& by;
  samples_of<const In> in;  // of the first channel
  samples_of<Out> out;
  index_t n;
  int channels;
  const Finish& finish;
  index_t first_channel;
  V running[most];  // in front of the next part

  void start(index_t) {
    for (int c = 0; c < channels; c++) running[c] = finish.of_channel(first_channel + c).start();
  }
  void load(scratch& s, const part& p) {
    for (index_t r = 0; (r + 1) * filter_run <= p.count; r++)
      for (int c = 0; c < channels; c += filter_lanes) {
        const int some = std::min(filter_lanes, channels - c);
        read_moments(of_channel(in, c).from(p.first + r * filter_run), filter_run, some, s.samples);
        by.leave_side_by_side(s.samples, some, s.states + r * channels + c);
      }
  }
  void advance(scratch& s, const part& p) {
    const index_t whole = p.count / filter_run;
    for (int c = 0; c < channels; c++) {
      by.join(s.states + c, whole, channels, running[c]);
      s.states[whole * channels + c] = running[c];
    }
  }
  void store(scratch& s, const part& p) {
    for (index_t begin = 0; begin < p.count; begin += filter_run)
      for (int c = 0; c < channels; c += filter_lanes) {
        const int some = std::min(filter_lanes, channels - c);
        const index_t count = std::min(p.count - begin, filter_run);
        read_moments(of_channel(in, c).from(p.first + begin), count, some, s.samples);
        by.walk(s.samples, count, some, s.states + begin / filter_run * channels + c);
        write_moments(s.samples, count, some, of_channel(out, c).from(p.first + begin));
      }
    if (p.first + p.count < n) return;
    // Behind the last whole run, or behind the short one, which has taken it further.
    const V* const last = s.states + p.count / filter_run * channels;
    for (int c = 0; c < channels; c++) finish.of_channel(first_channel + c)(nothing{}, last[c]);
  }

 private:
  template <class T>
  static samples_of<T> of_channel(const samples_of<T>& first, int c) {
    return {first.data + c, first.step};
  }
};

//! Filters all channels by one rule: many on a thread for so many of them, fewer together on all threads.
template <filter_rule R, class In, class Out, class Finish>
void filter_interleaved(host& executor, const run_filter<R>& by, const signal<const In, true>& in,
                        const signal<Out, true>& out, const Finish& finish, bool reversed) {
  using job_type = interleaved_job<R, In, Out, Finish>;
  static_assert(fits_on_stack<job_type>, "jobs run side by side");
  const auto filter = [&](index_t first, int threads) {
    job_type job{.by = by,
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
  for (index_t job = 0; job < jobs; job++) filter(job * job_type::most, threads_for(bytes, executor.threads()));
}

}  // namespace UPSWEEP_NAMESPACE::detail
