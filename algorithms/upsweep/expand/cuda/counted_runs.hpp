// Runs that are counted. The counts are read twice: to know where runs begin, and whether there is a sum at all, before
// anything is written (count_runs.hpp); and to write them. The first read leaves each count in four bits, as most are
// small, and the second reads those, and of the counts themselves only what does not fit.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/expand/cuda/lane_counts.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Runs that are counted, in groups of which is known where they begin in the output.
template <class Count>
struct counted_runs {
  static constexpr int in_lane = lane_counts<Count>::count, in_group = in_lane * warp_size;
  static constexpr int groups_in_part = warp_size;
  static constexpr int margin = lane_codes::longest_of_lane;  // of places that for_each gives
  static constexpr int run_bytes = sizeof(Count);
  using lane_type = lane_codes;

  const Count* counts;
  index_t n;
  index_t *parts, *begins;  // where parts begin in the output; where their groups begin in them
  lane_codes* codes;        // of groups' lanes
  index_t* total;           // −1 when there is none

  UPSWEEP_HD index_t groups() const { return (n + in_group - 1) / in_group; }
  UPSWEEP_HD index_t number_of_parts() const { return groups() / groups_in_part + 1; }
  __device__ index_t items() const { return max(*total, index_t{0}); }
  //! Of a group, or behind the last one.
  __device__ index_t begin(index_t group) const {
    return group < groups() ? parts[group / groups_in_part] + begins[group] : *total;
  }

  //! A lane's counts of a group.
  __device__ lane_counts<Count> counts_of(index_t group) const {
    return lane_counts<Count>::read(counts, in_group * group + in_lane * lane_id(), n);
  }
  //! What it reads of them where runs are written.
  __device__ lane_type read(index_t group, int further) const {
    return (codes + (warp_size * group + lane_id()))[warp_size * further];
  }
  //! Calls f(has_items, k, place) for the lane's runs in a group, in any order, at least for those that reach into
  //! [0, count): where they begin, counted from `first` on, −1 if that is long before. Others may be up to `margin`
  //! outside. `at` is where the group begins, if it `is_short`: its runs' places fit 32 bits. By a warp.
  template <class F>
  __device__ void for_each(const lane_type& mine, index_t group, bool is_short, int at, index_t first, int count,
                           const F& f) const {
    if (!is_short) return place_long(group, first, count, f);
    if (__all_sync(~0u, mine.are_all())) return mine.place(at, count, f);
    int lengths[in_lane];
    if (mine.are_all()) {
#pragma unroll
      for (int k = 0; k < in_lane; k++) lengths[k] = mine.at(k);
    } else {
      const lane_counts<Count> all = counts_of(group);
#pragma unroll
      for (int k = 0; k < in_lane; k++) lengths[k] = static_cast<int>(all.at[k]);
    }
    place(lengths, at, count, f);
  }

 private:
  template <class F>
  __device__ static void place(const int (&lengths)[in_lane], int at, int count, const F& f) {
    int sum = 0;
#pragma unroll
    for (int k = 0; k < in_lane; k++) sum += lengths[k];
    at += sums_over_warp(sum) - sum;
#pragma unroll
    for (int k = 0; k < in_lane; k++) {
      const int begin = max(at, -1);
      at += lengths[k];
      f(at > max(begin, 0) && begin < count, k, begin);
    }
  }
  //! Any group, its counts read one by one.
  template <class F>
  __device__ void place_long(index_t group, index_t first, int count, const F& f) const {
    const index_t from = in_group * group + in_lane * lane_id(), to = min(from + in_lane, n);
    index_t sum = 0;
#pragma unroll 1
    for (index_t run = from; run < to; run++) sum += static_cast<index_t>(counts[run]);
    index_t at = begin(group) - first + warp_scan(sum, warp_size, plus<index_t>{}) - sum;
#pragma unroll 1
    for (index_t run = from; run < to; run++) {
      const index_t begin = max(at, index_t{-1});
      at += static_cast<index_t>(counts[run]);
      f(at > max(begin, index_t{0}) && begin < count, static_cast<int>(run - from), static_cast<int>(begin));
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
