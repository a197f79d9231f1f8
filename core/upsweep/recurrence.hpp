// Linear recurrences that stay the same along the way, as what a sweep scans in place of a monoid: s ↦ A·s + B·x.
//
// A run of items stands for one state: what it leaves behind when nothing stood before it. To put an earlier state in
// front of a run takes the power of A that spans the run, which depends on its length alone; so states are scanned
// alone, and the few powers are computed once. (Pairs of a matrix and a vector, the monoid of recurrences that change,
// carry all powers along and lose their digits: 1e-2 of the signal in float where this keeps 1e-7.)
//   R::size        entries of a state, K
//   R::block       A is lower triangular in blocks of so many entries
//   r.advance(s, x)   takes the state s, an array of K, over the item x, which becomes the output: double, long
//                     double, twofold or a vector
// The store of a sweep is called with an item's index and its output.
#pragma once
#include <cmath>
#include <concepts>
#include <numeric>
#include <type_traits>

#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI {

template <class R>
concept recurrence = R::size > 0 && R::size % R::block == 0 &&
                     requires(const R& r, double (&s)[R::size], double& x) { r.advance(s, x); };

// How the engine on a GPU cuts a range: into lanes' shares, tiles of warps and blocks of 32 tiles, the same at every
// size, so that the state in front of a block is computed from the one before in one way only.
//! States of so many entries are swept by matrices (cuda/run_matrix.hpp).
template <int StateEntries>
inline constexpr bool filter_by_matrices = StateEntries > 4;
template <int StateEntries>
inline constexpr int filter_warps = filter_by_matrices<StateEntries> ? 4 : 8;
//! Items of a lane's run. By matrices: an odd number of blocks of 8, so that rows lie in different banks.
template <int ItemBytes, int StateEntries>
inline constexpr int filter_run_items = filter_by_matrices<StateEntries> ? (ItemBytes <= 4 ? 40 : 24)
                                        : ItemBytes <= 2                 ? 40
                                                                         : 144 / ItemBytes;
//! Items of a block of tiles, whichever they are.
template <int ItemBytes>
inline constexpr index_t recurrence_block =
    index_t{32} * 32 *
    std::lcm(filter_warps<1> * filter_run_items<ItemBytes, 1>, filter_warps<8>* filter_run_items<ItemBytes, 8>);

template <int K>
struct state_vector {
  double at[K];
};

//! One that waits for nobody.
struct alone {
  UPSWEEP_HD void operator()() const {}
};
//! Where powers are squared.
template <recurrence R, class Wide>
struct span_room {
  Wide powers[2][R::size][R::size];
};
//! A recurrence with what it takes to span runs of `Unit` items, and of 2, 4, … 2^(Levels−1) times as many.
template <recurrence R, int Unit, int Levels>
struct spanning {
  static constexpr int size = R::size, entries = size * (size + R::block) / 2;
  using value_type = state_vector<size>;
  R rule;
  alignas(16) double weights[Unit][size];      // of an item in what a unit leaves: A^(Unit−1−k)·B
  alignas(16) double powers[Levels][entries];  // A^(Unit·2^level), row by row, without what is zero by structure

  spanning() = default;
  explicit spanning(const R& recurrence) : rule(recurrence) {
    span_room<R, long double> room;
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
    for (int level = 0; level < Levels; level++) {
      sync();
      const auto& power = room.powers[level % 2];
      for (int e = lane; e < size * size; e += lanes) {
        const int r = e / size, c = e % size;
        if (c >= reach(r)) continue;
        powers[level][row(r) + c] = bounded(static_cast<double>(power[r][c]));
        if (level + 1 == Levels) continue;
        Wide square = 0;
        for (int k = c / R::block * R::block; k < reach(r); k++) square = square + power[r][k] * power[k][c];
        room.powers[1 - level % 2][r][c] = square;
      }
    }
  }
#if defined(__CUDACC__)
#pragma nv_diagnostic pop
#endif

 public:
  //! The state of nothing.
  UPSWEEP_HD static constexpr value_type identity() { return {}; }
  //! Takes the state over an item, and returns the output.
  UPSWEEP_HD double advance(value_type& state, double x) const {
    rule.advance(state.at, x);
    return x;
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
};

//! What comes out along a unit.
template <recurrence R, int Unit>
struct unit_outputs {
  double response[Unit];          // to an impulse, k items behind it
  double outputs[Unit][R::size];  // of the k-th item, by the entries of the state in front of the unit
  UPSWEEP_HD void note(int r, int k, double y) {
    if (r == R::size) response[k] = y;
    else outputs[k][r] = y;
  }
};
//! With the outputs: what matrices need (cuda/run_matrix.hpp).
template <recurrence R, int Unit, int Levels>
struct responding : unit_outputs<R, Unit>, spanning<R, Unit, Levels> {
  static constexpr int unit = Unit, levels = Levels, block = R::block, parts = (R::size + 7) / 8;

  responding() = default;
  explicit responding(const R& recurrence) {
    this->rule = recurrence;
    span_room<R, long double> room;
    span(room, 0, 1, alone{});
  }
  template <class Wide, class Sync>
  UPSWEEP_HD void span(span_room<R, Wide>& room, int lane, int lanes, const Sync& sync) {
    this->span_with(room, lane, lanes, sync, static_cast<unit_outputs<R, Unit>&>(*this));
  }
};

//! What a GPU sweeps a recurrence by.
template <recurrence R, int Unit, int Levels>
using spanning_of =
    std::conditional_t<filter_by_matrices<R::size>, responding<R, Unit, Levels>, spanning<R, Unit, Levels>>;

template <class M>
inline constexpr bool spans_runs = false;
template <class R, int Unit, int Levels>
inline constexpr bool spans_runs<spanning<R, Unit, Levels>> = true;
template <class M>
inline constexpr bool by_matrices = false;
template <class R, int Unit, int Levels>
inline constexpr bool by_matrices<responding<R, Unit, Levels>> = true;
template <class R, int Unit, int Levels>
inline constexpr bool spans_runs<responding<R, Unit, Levels>> = true;

}  // namespace upsweep::inline UPSWEEP_ABI
