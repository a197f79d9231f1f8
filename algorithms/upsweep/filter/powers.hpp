// The powers of a filter's rule, which put a state in front of runs of items: computed once, from the rule alone.
#pragma once
#include <algorithm>
#include <cstring>
#include <list>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/filter/moment.hpp>
#include <upsweep/filter/rule.hpp>

namespace UPSWEEP_NAMESPACE {

//! The sync() of one lane that computes alone: there is nobody to wait for.
struct alone {
  UPSWEEP_HD void operator()() const {}
};
//! Memory to square powers in: one is read while the next is written.
template <filter_rule R, class Wide>
struct span_room {
  Wide powers[2][R::size][R::size];
};
//! A rule with what it takes to span runs of `Unit` items, and of 2, 4, … 2^(Levels−1) times as many. Items may be
//! moments of `Channels` channels, which are filtered side by side: then states are all channels', one behind another.
template <filter_rule R, int Unit, int Levels, int Channels = 1>
struct spanning {
  static constexpr int unit = Unit, size = R::size, entries = size * (size + R::order) / 2, channels = Channels;
  using value_type = state_vector<Channels * size>;
  using number = moment_of<double, Channels>;
  R rule;
  alignas(16) double weights[Unit][size];      // of an item in what a unit leaves: A^(Unit−1−k)·B
  alignas(16) double powers[Levels][entries];  // A^(Unit·2^level), row by row, without what is zero by structure

  spanning() = default;
  explicit spanning(const R& by) : rule(by) {
    span_room<R, long double> room{};
    span(room, 0, 1, alone{});
  }
  //! Computes all from the rule, by so many lanes that wait for one another in sync(). (In more than double: squares of
  //! nearly defective matrices lose digits.)
  template <class Wide, class Sync>
  UPSWEEP_HD void span(span_room<R, Wide>& room, int lane, int lanes, const Sync& sync) {
    span_with(room, lane, lanes, sync, no_outputs{});
  }

 protected:
  struct no_outputs {
    UPSWEEP_HD void note(int, int, double) const {}
  };
  //! outputs.note(r, k, y) gets what comes out k items behind an impulse (r = size), or behind a state that is 1 in
  //! entry r and 0 elsewhere (its own item is the first).
#if defined(__CUDACC__)  // long double is for hosts alone, a twofold for devices
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20208
#endif
  template <class Wide, class Sync, class Outputs>
  UPSWEEP_HD void span_with(span_room<R, Wide>& room, int lane, int lanes, const Sync& sync, Outputs&& outputs) {
    if constexpr (std::is_same_v<Sync, alone>) {
      follow_impulse<Wide>(outputs);
      for (int s = 0; s < size / R::order; s++) follow_section(room, s, outputs);
    } else {
      for (int c = lane; c <= size; c += lanes) {
        Wide state[size];
        for (int r = 0; r < size; r++) state[r] = r == c;
        for (int k = 0; k < Unit; k++) {
          Wide x = c == size && k == 0;
          rule.advance(state, x);
          outputs.note(c, k, bounded(static_cast<double>(x)));
          if (c == size)
            for (int r = 0; r < size; r++) weights[Unit - 1 - k][r] = bounded(static_cast<double>(state[r]));
        }
        if (c < size)
          for (int r = 0; r < size; r++) room.powers[0][r][c] = state[r];
      }
    }
    for (int level = 0; level < Levels; level++) {
      sync();
      const auto& power = room.powers[level % 2];
      for (int e = lane; e < size * size; e += lanes) {
        const int r = e / size, c = e % size;
        if (c >= reach(r)) continue;
        powers[level][row(r) + c] = bounded(static_cast<double>(power[r][c]));
        if (level + 1 == Levels) continue;
        Wide square = 0;
        for (int k = c / R::order * R::order; k < reach(r); k++) square = square + power[r][k] * power[k][c];
        room.powers[1 - level % 2][r][c] = square;
      }
    }
  }
  //! The same bits by one lane: an impulse, and of each section its first entry, which is what the j-th becomes in j
  //! items.
  template <class Wide, class Outputs>
  UPSWEEP_HD void follow_impulse(Outputs&& outputs) {
    Wide state[size] = {};
    for (int k = 0; k < Unit; k++) {
      Wide x = k == 0;
      rule.advance(state, x);
      outputs.note(size, k, bounded(static_cast<double>(x)));
      for (int r = 0; r < size; r++) weights[Unit - 1 - k][r] = static_cast<double>(state[r]);
    }
    for (auto& of_item : weights)  // apart, in vectors
      for (double& weight : of_item) weight = bounded(weight);
  }
  template <class Wide, class Outputs>
  UPSWEEP_HD void follow_section(span_room<R, Wide>& room, int section, Outputs&& outputs) {
    const int first = section * R::order;
    for (int j = Unit; j < R::order; j++)
      for (int r = 0; r < size; r++) room.powers[0][r][first + j] = r == first + j - Unit;
    Wide state[size] = {};
    state[first] = 1;
    for (int k = 0; k < Unit; k++) {
      Wide x = 0;
      rule.advance(state, x, section);
      for (int j = 0; j < R::order; j++) {
        if (k < j) outputs.note(first + j, k, 0);
        if (k + j < Unit) outputs.note(first + j, k + j, bounded(static_cast<double>(x)));
        if (k + j + 1 == Unit)
          for (int r = 0; r < size; r++) room.powers[0][r][first + j] = state[r];
      }
    }
  }
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

 public:
  //! Takes the state over an item, and returns the output.
  UPSWEEP_HD number advance(value_type& state, number x) const {
    for (int c = 0; c < Channels; c++)
      rule.advance(reinterpret_cast<double(&)[size]>(state.at[c * size]), channel_of(x, c));
    return x;
  }
  //! Adds what the k-th item of a unit leaves behind the unit.
  UPSWEEP_HD void weigh(value_type& sum, int k, number x) const {
    for (int c = 0; c < Channels; c++)
      for (int r = 0; r < size; r++) sum.at[c * size + r] += weights[k][r] * channel_of(x, c);
  }
  //! What `earlier` is after a run of 2^level units of nothing.
  UPSWEEP_HD value_type later_by(int level, const value_type& earlier) const {
    return product([&](int e) { return powers[level][e]; }, earlier);
  }
  //! Puts `earlier` in front of a run of 2^level units.
  UPSWEEP_HD value_type join(int level, const value_type& earlier, const value_type& run) const {
    UPSWEEP_ROUND_EACH
    value_type result;
    for (int first = 0; first < Channels * size; first += size)
      for (int r = 0; r < size; r++) {
        double sum = run.at[first + r];
        for (int c = 0; c < reach(r); c++) sum += powers[level][row(r) + c] * earlier.at[first + c];
        result.at[first + r] = sum;
      }
    return result;
  }
  //! A power, given by its entries, times a state.
  template <class Entry>
  UPSWEEP_HD static value_type product(const Entry& power, const value_type& state) {
    value_type result;
    for (int first = 0; first < Channels * size; first += size)
      for (int r = 0; r < size; r++) {
        double sum = power(row(r)) * state.at[first];
        for (int c = 1; c < reach(r); c++) sum += power(row(r) + c) * state.at[first + c];
        result.at[first + r] = sum;
      }
    return result;
  }

  //! The columns of a row that are not zero by structure; what is zero must not meet an infinity.
  UPSWEEP_HD static constexpr int reach(int r) { return (r / R::order + 1) * R::order; }
  //! Where a row begins among the entries.
  UPSWEEP_HD static constexpr int row(int r) {
    const int above = r / R::order;
    return R::order * R::order * (above * (above + 1) / 2) + r % R::order * reach(r);
  }
  //! Powers of what grows without bound stay finite, so that silence stays silent.
  UPSWEEP_HD static double bounded(double x) {
    if (x > 1e300 || x != x) return 1e300;
    return x < -1e300 ? -1e300 : x;
  }
};

//! The outputs along a unit, as sums of its items and of the state in front of it.
template <filter_rule R, int Unit>
struct unit_outputs {
  double response[Unit];          // the output k items behind an impulse
  double outputs[Unit][R::size];  // what each entry of the state in front of the unit adds to the k-th output
  UPSWEEP_HD void note(int r, int k, double y) {
    if (r == R::size) response[k] = y;
    else outputs[k][r] = y;
  }
};
//! With the outputs: what matrices need (cuda/by_matrices.hpp).
template <filter_rule R, int Unit, int Levels>
struct responding : unit_outputs<R, Unit>, spanning<R, Unit, Levels> {
  static constexpr int levels = Levels, order = R::order, state_eights = (R::size + 7) / 8;

  responding() = default;
  explicit responding(const R& by) {
    this->rule = by;
    span_room<R, long double> room{};
    span(room, 0, 1, alone{});
  }
  template <class Wide, class Sync>
  UPSWEEP_HD void span(span_room<R, Wide>& room, int lane, int lanes, const Sync& sync) {
    this->span_with(room, lane, lanes, sync, static_cast<unit_outputs<R, Unit>&>(*this));
  }
};

//! Are these the powers that sweeps by matrices take?
template <class M>
inline constexpr bool for_matrices = requires { M::state_eights; };

namespace detail {
//! Filters whose powers a thread keeps.
inline constexpr std::size_t most_kept_powers = 16;
//! The powers that a rule takes, computed anew where it is none of the last ones: a signal that comes in blocks is
//! filtered by the same, and each of a few channels by its own. (8 sections on a host: 0.04 ms, a Zen 4, and 36 KB.)
template <class Powers, filter_rule R>
const Powers& powers_of(const R& rule) {
  thread_local std::list<Powers> kept;  // the last one first
  const auto at = std::find_if(kept.begin(), kept.end(), [&](const Powers& powers) {
    return std::memcmp(&powers.rule, &rule, sizeof(R)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison): of bits
  });
  if (at != kept.end()) {
    kept.splice(kept.begin(), kept, at);
  } else {
    kept.emplace_front(rule);
    if (kept.size() > most_kept_powers) kept.pop_back();
  }
  return kept.front();
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
