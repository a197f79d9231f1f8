// Linear recurrences that stay the same along the way, as what a sweep scans in place of a monoid: s ↦ A·s + B·x.
//
// A run of items stands for one state: what it leaves behind when nothing stood before it. To put an earlier state in
// front of a run takes the power of A that spans the run, which depends on its length alone; so states are scanned
// alone, and the few powers are computed once. (Pairs of a matrix and a vector, the monoid of recurrences that change,
// carry all powers along and lose their digits: 1e-2 of the signal in float where this keeps 1e-7.)
//   R::size        entries of a state, K
//   R::block       A is lower triangular in blocks of so many entries
//   r.advance(s, x)   takes the state s, an array of K, over the item x, which becomes the output: double, long double
//   or
//                     a vector
#pragma once
#include <cmath>
#include <concepts>
#include <type_traits>

#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI {

template <class R>
concept recurrence = R::size > 0 && R::size % R::block == 0 &&
                     requires(const R& r, double (&s)[R::size], double& x) { r.advance(s, x); };

// How the engine on a GPU cuts a range: into lanes' shares, tiles of warps and blocks of 32 tiles, the same at every
// size, so that the state in front of a block is computed from the one before in one way only.
template <int StateEntries>
inline constexpr int filter_warps = StateEntries <= 4 ? 8 : 4;
template <int ItemBytes>
inline constexpr int filter_lane_bytes = ItemBytes <= 2 ? 40 * ItemBytes : 144;
//! Items of a block of the largest tiles; blocks of smaller ones divide it.
template <int ItemBytes>
inline constexpr index_t recurrence_block =
    index_t{32} * filter_warps<1> * 32 * filter_lane_bytes<ItemBytes> / ItemBytes;

template <int K>
struct state_vector {
  double at[K];
};

//! A recurrence with what it takes to span runs of `Unit` items, and of 2, 4, … 2^(Levels−1) times as many.
template <recurrence R, int Unit, int Levels>
struct spanning {
  static constexpr int size = R::size, entries = size * (size + R::block) / 2;
  using value_type = state_vector<size>;
  R rule;
  alignas(16) double weights[Unit][size];      // of an item in what a unit leaves: A^(Unit−1−k)·B
  alignas(16) double powers[Levels][entries];  // A^(Unit·2^level), row by row, without what is zero by structure

  explicit spanning(const R& recurrence) : rule(recurrence) {
    const auto advance = [&](long double(&state)[size], long double x = 0) { rule.advance(state, x); };
    // In long double: squares of nearly defective matrices lose digits.
    long double impulse[size] = {}, power[size][size] = {}, square[size][size];
    advance(impulse, 1);
    for (int k = Unit - 1; k >= 0; k--, advance(impulse))
      for (int r = 0; r < size; r++) weights[k][r] = rounded(impulse[r]);
    for (int c = 0; c < size; c++) {
      long double column[size] = {};
      column[c] = 1;
      for (int k = 0; k < Unit; k++) advance(column);
      for (int r = 0; r < size; r++) power[r][c] = column[r];
    }
    for (int level = 0;; level++) {
      for (int r = 0; r < size; r++)
        for (int c = 0; c < reach(r); c++) powers[level][row(r) + c] = rounded(power[r][c]);
      if (level == Levels - 1) return;
      for (int r = 0; r < size; r++)
        for (int c = 0; c < reach(r); c++) {
          square[r][c] = 0;
          for (int k = c / R::block * R::block; k < reach(r); k++) square[r][c] += power[r][k] * power[k][c];
        }
      for (int r = 0; r < size; r++)
        for (int c = 0; c < reach(r); c++) power[r][c] = square[r][c];
    }
  }

  //! The state of nothing.
  UPSWEEP_HD static constexpr value_type identity() { return {}; }
  //! The state behind an item.
  UPSWEEP_HD value_type next(value_type state, double x) const {
    rule.advance(state.at, x);
    return state;
  }
  //! Adds what the k-th item of a unit leaves behind the unit.
  UPSWEEP_HD void weigh(value_type& sum, int k, double x) const {
    for (int r = 0; r < size; r++) sum.at[r] += weights[k][r] * x;
  }
  //! What `earlier` is after a run of 2^level units of nothing.
  UPSWEEP_HD value_type later_by(int level, const value_type& earlier) const {
    value_type result;
    for (int r = 0; r < size; r++) {
      double sum = powers[level][row(r)] * earlier.at[0];
      for (int c = 1; c < reach(r); c++) sum += powers[level][row(r) + c] * earlier.at[c];
      result.at[r] = sum;
    }
    return result;
  }
  //! Puts `earlier` in front of a run of 2^level units.
  UPSWEEP_HD value_type join(int level, const value_type& earlier, const value_type& run) const {
    value_type result;
    for (int r = 0; r < size; r++) {
      double sum = run.at[r];
      for (int c = 0; c < reach(r); c++) sum += powers[level][row(r) + c] * earlier.at[c];
      result.at[r] = sum;
    }
    return result;
  }

  //! The columns of a row that are not zero by structure; what is zero must not meet an infinity.
  UPSWEEP_HD static constexpr int reach(int r) { return (r / R::block + 1) * R::block; }
  //! Where a row begins among the entries.
  UPSWEEP_HD static constexpr int row(int r) {
    const int blocks = r / R::block;
    return R::block * R::block * (blocks * (blocks + 1) / 2) + r % R::block * reach(r);
  }
  //! Powers of what grows without bound stay finite, so that silence stays silent.
  UPSWEEP_HD static double bounded(double x) {
    if (x > 1e300 || x != x) return 1e300;
    return x < -1e300 ? -1e300 : x;
  }

 private:
  static double rounded(long double x) {
    if (x > 1e300L || x != x) return 1e300;
    return x < -1e300L ? -1e300 : static_cast<double>(x);
  }
};

template <class M>
inline constexpr bool spans_runs = false;
template <class R, int Unit, int Levels>
inline constexpr bool spans_runs<spanning<R, Unit, Levels>> = true;

}  // namespace upsweep::inline UPSWEEP_ABI
