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
struct interleaved_job {
  static constexpr bool reversed = false;  // sources and sinks run backwards instead
  static constexpr int most = 64;
  // Who calls says whether threads repay.
  static constexpr std::size_t item_bytes = std::max(parallel_bytes, waking_bytes);
  static constexpr index_t round = filter_run, tile = 8 * filter_run;

  struct scratch {
    double* states = nullptr;   // of each channel: as those of one (filter_job), a run's beside each other
    double* samples = nullptr;  // of a run, eight channels side by side
    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      states = pieces.take<double>((capacity / filter_run + 1) * most * run_filter::most_entries);
      samples = pieces.take<double>(filter_run * filter_lanes);
    }
  };

  const run_filter& by;
  const sample_source& in;
  const sample_sink& out;
  index_t n, first_channel;
  int channels;
  double running[most * run_filter::most_entries];  // in front of the next part; in the end behind the last moment

  void start(index_t) {}
  void load(scratch& s, const part& p) {
    for (index_t r = 0; (r + 1) * filter_run <= p.count; r++)
      for (int c = 0; c < channels; c += filter_lanes) {
        const int some = std::min(filter_lanes, channels - c);
        in.read_moments(first_channel + c, some, p.first + r * filter_run, filter_run, s.samples);
        by.leave_side_by_side(s.samples, some, state_of(s, r, c));
      }
  }
  void advance(scratch& s, const part& p) {
    const index_t whole = p.count / filter_run;
    for (int c = 0; c < channels; c++) by.join(state_of(s, 0, c), whole, channels, running + index_t{c} * by.entries);
    std::copy_n(running, channels * by.entries, state_of(s, whole, 0));
  }
  void store(scratch& s, const part& p) {
    for (index_t begin = 0; begin < p.count; begin += filter_run)
      for (int c = 0; c < channels; c += filter_lanes) {
        const int some = std::min(filter_lanes, channels - c);
        const index_t count = std::min(p.count - begin, filter_run);
        in.read_moments(first_channel + c, some, p.first + begin, count, s.samples);
        by.walk(s.samples, count, some, state_of(s, begin / filter_run, c));
        out.write_moments(first_channel + c, some, p.first + begin, count, s.samples);
      }
    // Behind the last whole run, or behind the short one, which has taken it further.
    if (p.first + p.count == n) std::copy_n(state_of(s, p.count / filter_run, 0), channels * by.entries, running);
  }

 private:
  double* state_of(const scratch& s, index_t run, int channel) const {
    return s.states + (run * channels + channel) * by.entries;
  }
};

//! Filters all channels by one rule: many on a thread for so many of them, fewer together on all threads.
template <filter_rule R, class Finish>
void filter_interleaved(host& executor, const R& rule, const sample_source& in, const sample_sink& out,
                        index_t channels, index_t length, int threads, const Finish& finish) {
  static_assert(fits_on_stack<interleaved_job>, "jobs run side by side");
  constexpr index_t most = interleaved_job::most;
  const run_filter_by<R> by(rule);
  const auto filter = [&](index_t number, int helpers) {
    const index_t first = number * most;
    interleaved_job job{.by = by,
                        .in = in,
                        .out = out,
                        .n = length,
                        .first_channel = first,
                        .channels = static_cast<int>(std::min(channels - first, most)),
                        .running = {}};
    const auto state_of = [&](int c) { return job.running + c * R::size; };
    for (int c = 0; c < job.channels; c++) std::copy_n(finish.of_channel(first + c).start().at, R::size, state_of(c));
    run_job(executor.lender(), job, length, helpers);
    for (int c = 0; c < job.channels; c++) {
      state_vector<R::size> last;
      std::copy_n(state_of(c), R::size, last.at);
      finish.of_channel(first + c)(nothing{}, last);
    }
  };
  const index_t jobs = (channels + most - 1) / most;
  if (jobs >= executor.threads()) return share_out(executor.threads(), jobs, [&](index_t job) { filter(job, 1); });
  for (index_t job = 0; job < jobs; job++) filter(job, threads);
}

}  // namespace UPSWEEP_NAMESPACE::detail
