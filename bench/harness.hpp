// The one harness. A row is a maker of trials, registered under a name:
//   large("inclusive_sum/int32", inclusive_sum<int>, 28)     2^28 items on a GPU, a quarter of that on a CPU
//   sizes("inclusive_sum/int32", inclusive_sum<int>)         2^0, 2^4, 2^8, 2^10, …: speed over size
// Names are group/what/mode/2^k; pick rows by --benchmark_filter=REGEX. First the result is checked against each peer's
// on the data that is then timed, and once more after timing; outputs are poisoned before either. Ours, the peers and
// the plain copy of as many bytes take turns, a sample each a round. The time that Google Benchmark shows is the mean
// of ours; the counters hold medians over the rounds:
//   us, peer_us, peer2_us …, copy_us  microseconds a call; of a trial that does several works in one, a work
//   preparation_us, preparation2_us … what a peer took once before, outside all timing, for these very data
//   items; bytes, GB/s                how many; each input byte once and each output byte once
//   of_copy, of_best                  our speed over the copy's and the best peer's
//   rounds                            how many: fewer of rows that take long, at least 15 (of a peer far behind, 3)
//   spread                            (third − first quartile) / median, the largest of ours and the best peer's
//   temporary_bytes, allocations      what ours needed beside its data in the first call; how often it asked for memory
//                                     in all timed ones
//   rms_error                         of ours over the rms of what is right, where that is known to more digits
//   launches                          of one call of ours on a GPU
//   same_bits                         how many calls of ours in turn, beside other work, gave the same bits; of numbers
//                                     that are rounded, also where those that were timed are not
// UPSWEEP_BENCH_ROUNDS, UPSWEEP_BENCH_SEED: other than usual.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "contender.hpp"
#include "data.hpp"
#if UPSWEEP_HAS_CUDA
#include "cuda_side.hpp"
#else
#include "host_side.hpp"
#endif

namespace bench {

//! Makes a row's trial: n items in the memory of `bed`, drawn from `seed`.
using maker = std::function<trial(bed&, index_t n, std::uint64_t seed)>;

//! The same of a number of items that no power of two divides.
inline maker of_odd_size(const maker& make) {
  return [=](bed& b, index_t n, std::uint64_t seed) {
    const index_t items = n - n / 7 - 13;
    trial t = make(b, items | 1, seed);
    t.items = items | 1;
    return t;
  };
}
//! The same of ranges that begin an item or two into their memory.
inline maker off_by_one(const maker& make) {
  return [=](bed& b, index_t n, std::uint64_t seed) {
    b.off_by_one = true;
    return make(b, n, seed);
  };
}

//! How many sorts of n keys a call of a host makes, each of other keys: a processor learns the jumps that the same few
//! keys take. (Again and again the same 16: std::sort 35 ns, of others each time 107; ours 73.)
constexpr index_t sorts_a_call(index_t n) { return UPSWEEP_HAS_CUDA || n > 256 ? 1 : 4096 / n; }
//! Calls sort(in, out) for each n of them.
template <class T, class Sort>
void sort_in_turn(std::span<const T> in, std::span<T> out, index_t n, const Sort& sort) {
  const auto size = static_cast<std::size_t>(n);
  for (std::size_t at = 0; at < in.size(); at += size) sort(in.subspan(at, size), out.subspan(at, size));
}

inline std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}
//! Fresh in every run of the program.
inline std::uint64_t seed_of_this_run() {
  static const std::uint64_t seed = environment("UPSWEEP_BENCH_SEED", std::random_device{}());
  return seed;
}

//! Items in host memory.
template <class T>
std::vector<T> fetched(bed& b, std::span<const T> items) {
  std::vector<T> copy(items.size());
  b.exec.copy(copy.data(), items.data(), items.size_bytes());
  return copy;
}
//! In the bed's memory, and no output that is poisoned.
template <class T>
std::span<const T> placed(bed& b, const std::vector<T>& items) {
  const auto there = b.scratch<T>(static_cast<index_t>(items.size()));
  b.exec.copy(there.data(), items.data(), there.size_bytes());
  return there;
}

//! What trial.check gives: where the first n items of ours differ from the peer's, or nothing.
template <class T>
std::string compare(bed& b, std::span<const T> ours, std::span<const T> peer, index_t n, double tolerance = 0) {
  const index_t at = b.first_difference(ours.data(), peer.data(), n, constant<double>{tolerance});
  if (at == n) return {};
  return "wrong result: item " + std::to_string(at) + " of " + std::to_string(n) + " differs from the peer's";
}
template <class T>
std::string compare(bed& b, std::span<T> ours, std::span<T> peer, index_t n, double tolerance = 0) {
  return compare(b, std::span<const T>(ours), std::span<const T>(peer), n, tolerance);
}
//! The same against what is right, item i as near as bounds[i].
template <class T>
std::string compare_within(bed& b, std::span<T> items, std::span<const double> right, std::span<const double> bounds) {
  const auto n = static_cast<index_t>(right.size());
  const index_t at = b.first_difference(items.data(), right.data(), n, item_of<double>{bounds.data()});
  if (at == n) return {};
  return "wrong result: item " + std::to_string(at) + " of " + std::to_string(n) +
         " is further off than rounding takes it";
}
//! For compaction: the counts, then the items that were kept.
template <class T, class Count>
std::string compare_kept(bed& b, std::span<T> ours, const index_t* our_count, std::span<T> peer,
                         const Count* peer_count) {
  const auto kept = b.read(our_count), expected = static_cast<index_t>(b.read(peer_count));
  if (kept != expected) return "wrong count: " + std::to_string(kept) + ", the peer has " + std::to_string(expected);
  return compare(b, ours, peer, kept);
}

// Where and what was measured, for the JSON's context.
inline const bool described = [] {
  const auto say = [](const char* key, const std::string& value) { benchmark::AddCustomContext(key, value); };
  say("side", bed::side);
  bed::describe(say);
  say("compiler", __VERSION__);
  say("seed", std::to_string(seed_of_this_run()));
  if (const char* revision = std::getenv("UPSWEEP_REVISION")) say("revision", revision);
  return true;
}();

inline double quantile(std::vector<double> samples, double q) {
  const auto nth = samples.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(samples.size() - 1) + 0.5);
  std::nth_element(samples.begin(), nth, samples.end());
  return *nth;
}

//! How many calls in a row gave the same bits while other work competes.
inline int calls_of_same_bits(bed& b, const trial& t) {
  if (t.roughen) t.roughen();
  t.ours();
  const std::uint64_t expected = b.hash_of_outputs();
  const auto others = b.competition();
  int equal = 1;
  for (; equal < bed::calls_for_bits; equal++) {
    t.ours();
    if (b.hash_of_outputs() != expected) break;
  }
  return equal;
}
//! Whether it can be the best peer: no second way of ours, and nothing prepared for these very data.
inline bool counts(const contender& c) { return !c.name.starts_with("upsweep") && !(c.preparation > 0); }

// A row that takes longer than its seconds ends after so many rounds.
inline constexpr int least_rounds = 15;
inline constexpr double seconds_a_row = 3;
// A peer of long calls that needs twice the time of another one in each of so many rounds has no more of them: of 38
// minutes of a host's sorts 17 went into further rounds of such peers.
inline constexpr int rounds_of_the_slow = 3;

// Runs a row; throws what its calls throw.
inline void measure(benchmark::State& state, bed& b, const trial& t, index_t n, int rounds) {
  const auto wrong = [&](const std::string& what) { state.SkipWithError(what.c_str()); };
  b.poison();
  const std::size_t live = b.memory.live;
  b.memory.peak = live;
  t.ours();
  const std::size_t temporary = b.memory.peak - live;
  bool compared = false;
  for (const contender& peer : t.peers) {
    if (!peer.apart && compared) {
      b.poison();
      t.ours();
    }
    peer.call();
    if (peer.apart) continue;
    if (const std::string what = t.check(); !what.empty()) return wrong(what + " (" + peer.name + ")");
    compared = true;
  }
  if (!compared)
    if (const std::string what = t.check(); !what.empty()) return wrong(what);

  const double bytes = t.bytes();
  std::vector<contender> field{{"upsweep", t.ours}};
  field.insert(field.end(), t.peers.begin(), t.peers.end());
  field.push_back(b.copy(bytes));
  const std::size_t copy = field.size() - 1;
  std::vector<std::vector<double>> samples(field.size());
  b.poison();
  for (const auto& c : field)
    for (int warm_up = 0; warm_up < 3; warm_up++)
      if (b.seconds(c) > long_call) break;

  const std::size_t asked_before = b.memory.calls;
  for (auto _ : state) {  // once: a row that took long enough cannot leave this loop
    const auto began = std::chrono::steady_clock::now();
    const auto took = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
    std::vector<bool> ended(field.size());
    for (int round = 0; round < rounds && (round < least_rounds || took() < seconds_a_row); round++) {
      if (round == rounds_of_the_slow) {
        double slow = INFINITY;
        for (std::size_t k = 1; k < copy; k++)
          if (counts(field[k])) slow = std::min(slow, 2 * std::ranges::max(samples[k]));
        for (std::size_t k = 1; k < copy; k++) ended[k] = std::ranges::min(samples[k]) > std::max(slow, long_call);
      }
      for (std::size_t k = 0; k < field.size(); k++) {  // another one begins, so that none always follows the same
        const std::size_t turn = (static_cast<std::size_t>(round) + k) % field.size();
        if (ended[turn]) continue;
        samples[turn].push_back(b.seconds(field[turn]) / static_cast<double>(turn == copy ? 1 : t.works));
      }
    }
    const auto& ours = samples[0];
    state.SetIterationTime(std::accumulate(ours.begin(), ours.end(), 0.0) / static_cast<double>(ours.size()));
  }
  const std::size_t asked = b.memory.calls - asked_before;
  if (const std::string what = t.check(); !what.empty()) return wrong(what + " (after the timed calls)");

  auto& counters = state.counters;
  std::vector<double> median;
  std::string peers;
  std::size_t best = 0;
  for (std::size_t k = 0; k < field.size(); k++) {
    median.push_back(quantile(samples[k], 0.5));
    const std::string number = k == 1 ? "" : std::to_string(k);
    counters[k == 0 ? "us" : k == copy ? "copy_us" : "peer" + number + "_us"] = 1e6 * median[k];
    if (k == 0 || k == copy) continue;
    peers += (k > 1 ? "; " : "") + field[k].name;
    if (field[k].preparation > 0) counters["preparation" + number + "_us"] = 1e6 * field[k].preparation;
    if (counts(field[k]) && (best == 0 || median[k] < median[best])) best = k;
  }
  counters["rounds"] = static_cast<double>(samples[0].size());
  counters["items"] = static_cast<double>(t.items > 0 ? t.items : n);
  counters["bytes"] = bytes;
  counters["GB/s"] = 1e-9 * bytes / median[0];
  counters["of_copy"] = median[copy] / median[0];
  const auto spread = [&](std::size_t k) {
    return (quantile(samples[k], 0.75) - quantile(samples[k], 0.25)) / median[k];
  };
  counters["spread"] = std::max(spread(0), spread(best));
  if (best > 0) counters["of_best"] = median[best] / median[0];
  counters["temporary_bytes"] = static_cast<double>(temporary);
  counters["allocations"] = static_cast<double>(asked);
  if (t.rms_error) counters["rms_error"] = t.rms_error();
  if (t.same_bits) counters["same_bits"] = calls_of_same_bits(b, t);
  if (const int launches = b.launches(t.ours); launches >= 0) counters["launches"] = launches;
  state.SetLabel(peers);
}

inline bool add(const std::string& group, const std::string& what, const std::string& mode, const maker& make,
                int log2n) {
  const std::string name = group + "/" + what + "/" + mode + "/2^" + std::to_string(log2n);
  const auto usual = static_cast<std::uint64_t>(bed::rounds(group));
  const auto rounds = static_cast<int>(environment("UPSWEEP_BENCH_ROUNDS", usual));
  const auto run = [=](benchmark::State& state) {
    try {
      bed b(mode);
      const index_t n = index_t{1} << log2n;
      trial t = make(b, n, seed_of_this_run());
      t.same_bits = t.same_bits && (group == "large" || group == "more");
      measure(state, b, t, n, rounds);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  benchmark::RegisterBenchmark(name.c_str(), run)->Iterations(1)->UseManualTime()->Unit(benchmark::kMicrosecond);
  return true;
}
//! A row of large inputs, among the first to look at.
inline bool large(const std::string& what, const maker& make, int log2n, const std::string& group = "large") {
  for (const auto& mode : bed::large_modes()) add(group, what, mode, make, log2n + bed::shift);
  return true;
}
//! A further row of large inputs.
inline bool more(const std::string& what, const maker& make, int log2n) { return large(what, make, log2n, "more"); }
//! Speed over size: 2^0, 2^4, from 2^8 on each second power of two, and 2^largest.
inline bool sizes(const std::string& what, const maker& make, int largest = bed::sweep_to) {
  for (const auto& mode : bed::sweep_modes())
    for (int log2n = 0; log2n <= largest; log2n += log2n < 8 ? 4 : log2n == largest - 1 ? 1 : 2)
      add("sizes", what, mode, make, log2n);
  return true;
}

//! The same on a GPU alone.
inline bool sizes_of_gpu(const std::string& what, const maker& make) { return !UPSWEEP_HAS_CUDA || sizes(what, make); }

#if !UPSWEEP_HAS_CUDA
//! A row against ours on one thread, both while other programs use all cores.
inline bool busy(const std::string& what, const maker& make, int log2n) {
  return add("more", what, "busy", make, log2n);
}
#endif
//! A row of data whose size is their own, for times of one call.
inline bool small(const std::string& what, const maker& make, int log2n) {
  for (const auto& mode : bed::sweep_modes()) add("small", what, mode, make, log2n);
  return true;
}
//! A row of a suite, whose data are their own: at most so many items.
inline bool suite(const std::string& what, const maker& make, int log2n) {
  return add("suite", what, bed::large_modes().front(), make, log2n + bed::shift);
}

}  // namespace bench
