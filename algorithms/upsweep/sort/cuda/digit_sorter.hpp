// The launches of a radix sort by digits, and their memory. Two: the split (split.hpp, by_digits.hpp) and the units
// that it leaves; one for up to a unit. Many keys have more: a split by samples, which may decline (by_samples.hpp),
// goes before the one by digits, and each has its launch for units; what can be counted is (counting_sort.hpp). Those
// that have nothing to do end at once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/by_samples.hpp>
#include <upsweep/sort/cuda/counting_launch.hpp>
#include <upsweep/sort/cuda/sort_units.hpp>
#include <upsweep/sort/cuda/split_launch.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A split by digits and the units that it leaves: their launches, and the memory that they need besides a job's input
//! and output.
template <class Unit, bool Ordered, class Job>
class digit_split {
  using U = typename Job::key_type;
  using P = typename Job::payload_type;
  static constexpr tuning::sort_shape shape = tuning::split_tiles(sizeof(U), Job::item_bytes, Ordered);

 public:
  Job job;

 protected:
  using Rule = digit_rule<Job, Ordered>;
  using SplitShape = tile_shape<shape.warps, shape.rows, shape.ctas>;
  using Split = split_run<Rule, SplitShape>;
  std::optional<Split> split_;  // none: all is one unit

  explicit digit_split(const Job& of) : job(of) {}
  //! Results may go to `keys` and `payloads` if they are not null; those are what the first round writes, or the
  //! second: place `home`.
  void cut_places(detail::scratch_cutter& scratch, U* keys, P* payloads, int home) {
    job.keys[home] = keys ? keys : scratch.take<U>(job.n);
    job.keys[3 - home] = scratch.take<U>(job.n);
    if constexpr (Job::has_payload) {
      job.payloads[home] = payloads ? payloads : scratch.take<P>(job.n);
      job.payloads[3 - home] = scratch.take<P>(job.n);
    }
  }
  template <class Shape>
  static constexpr auto sort_units = &sort_units_kernel<Job, Shape, Ordered>;
  template <class Shape>
  static constexpr int units_shared = sizeof(typename unit_sorter<Job, Shape, Ordered>::shared_memory);
  template <class Shape>
  void launch_units(device& executor, const Job& of, bool after_first) const {
    static_assert(
        units_shared<Shape> + sizeof(typename unit_sorter<Job, Shape, Ordered>::shared_state) + sizeof(unit_to_sort) <=
            1024 * tuning::shared_of_a_cta(),
        "a CTA has not so much shared memory");
    launch<sort_units<Shape>>(
        executor, ctas_for_units(executor, job.n, Shape::tile), Shape::threads, units_shared<Shape>,
        unit_args<Job>{of, of.counted(of.end_bit), split_->memory.state, split_->memory.units, after_first});
  }
  //! What a kernel of units is told that works on its own.
  unit_args<Job> alone() const { return {job, job.counted(job.end_bit), nullptr, nullptr, false}; }
};

//! The sort of all keys.
template <class Unit, bool Ordered, class Job>
class digit_sorter : public digit_split<Unit, Ordered, Job> {
  using base = digit_split<Unit, Ordered, Job>;
  using base::split_;
  using typename base::Rule, typename base::Split;
  using U = typename Job::key_type;
  using P = typename Job::payload_type;
  // Many keys are split by samples where they crowd. (Keys alone are in order only by some of their bits.)
  static constexpr bool may_sample = sizeof(U) >= 4 && Job::keys_are_items && (Job::has_payload || !Ordered);
  using SampleRule = sample_rule<Job, Ordered>;
  static constexpr tuning::sort_shape large = tuning::large_sort_units;
  static constexpr tuning::sort_shape sampled = tuning::sampled_tiles(Job::item_bytes, Ordered);
  using SampleShape = tile_shape<sampled.warps, sampled.rows, sampled.ctas>;
  using SampleSplit =
      std::conditional_t<may_sample, split_run<SampleRule, SampleShape>, Split>;  // never made, then: not a kernel more
  static_assert(!may_sample || SampleShape::tile <= base::SplitShape::tile,
                "memory for the tiles of the split by samples is enough for the other's");
  using LargeUnit =
      std::conditional_t<sizeof(U) == 4 && !Ordered, tile_shape<large.warps, large.rows, large.ctas>, Unit>;

 public:
  using base::job;
  digit_sorter(device& executor, const Job& of) : base(of) {
    if constexpr (Rule::counts) counting_.emplace(executor, job);
    if constexpr (may_sample) {
      if (job.n >= tuning::least_sampled && job.begin_bit == 0 && job.end_bit == 8 * static_cast<int>(sizeof(U)))
        sampled_.emplace(executor, SampleRule{{job}, nullptr, nullptr, 0, false}, job.n, Unit::tile,
                         tuning::most_segments_of_two);
    }
    if (job.n > Unit::tile)
      split_.emplace(executor, Rule{job}, job.n, Unit::tile,
                     sampled_ ? tuning::most_segments_of_two : tuning::most_segments);
  }
  void cut(detail::scratch_cutter& scratch, U* keys, P* payloads, int home) {
    if (!split_) return;
    home_ = home;
    base::cut_places(scratch, keys, payloads, home);
    cut_splits(scratch);
    if constexpr (Rule::counts) {
      counting_->cut(scratch, split_->memory.counting, Unit::tile, split_->memory.before_tile);
      if constexpr (may_sample) {
        if (sampled_) sampled_->memory.counting = split_->memory.counting;
      }
    }
  }
  void sort(device& executor) const {
    if (!split_)
      return launch<base::template sort_units<Unit>>(executor, 1, Unit::threads, base::template units_shared<Unit>,
                                                     base::alone());
    if constexpr (may_sample) {
      if (sampled_)
        sampled_->launch(executor, SampleRule{{sampled_job()}, first_table_, tables_, most_cell_bits(), home_ != 2});
    }
    split_->launch(executor, Rule{job});
    if constexpr (Rule::counts) counting_->launch(executor, job, split_->memory.state, split_->memory.counting);
    base::template launch_units<Unit>(executor, job, false);
    if constexpr (may_sample) {
      if (!sampled_) return;
      if (needs_large_units()) base::template launch_units<LargeUnit>(executor, sampled_job(), true);
      else base::template launch_units<Unit>(executor, sampled_job(), true);
    }
  }

 private:
  std::optional<SampleSplit> sampled_;
  int home_ = 1;  // the place that results may have
  std::uint8_t *first_table_ = nullptr, *tables_ = nullptr;
  std::optional<std::conditional_t<Rule::counts, counting_run<Job>, nothing>> counting_;

  //! Tables of samples leave buckets that differ more in size than random keys' digits.
  bool needs_large_units() const { return job.n > index_t{Unit::tile} * digit_values * digit_values * 3 / 5; }
  //! Finer cells pay where two rounds leave units. (Pairs, 2^28 normal floats: 17.9 ms, not 12.6, as half take three.)
  int most_cell_bits() const {
    const index_t most = index_t{sampled_->memory.unit_length} * digit_values * digit_values * 3 / 5;
    return job.n <= most ? SampleRule::first_cell_bits : SampleRule::cell_bits;
  }
  void cut_splits(detail::scratch_cutter& scratch) {
    if constexpr (may_sample) {
      if (sampled_) return cut_both(scratch);
    }
    split_->cut(scratch);
  }
  //! Both splits work in the same memory. The first takes a third of the segments at once, for whose tables there is
  //! room where the second has totals. (It is called twice, as all that cuts scratch memory.)
  void cut_both(detail::scratch_cutter& scratch) {
    auto& memory = sampled_->memory;
    memory.most_segments = split_->memory.most_segments;
    memory.unit_length = Unit::tile;
    sampled_->cut(scratch);
    first_table_ = scratch.take<std::uint8_t>(SampleRule::first_cells);
    split_->memory = memory.template for_second<typename Rule::known>();
    memory.most_segments = std::max(memory.most_segments / 3, 1);
    tables_ = reinterpret_cast<std::uint8_t*>(memory.totals[1] + index_t{memory.most_segments} * digit_values);
    if (needs_large_units()) memory.unit_length = LargeUnit::tile;
  }
  //! The results of the split by samples lie where its second round leaves them, as it seldom takes a third.
  Job sampled_job() const {
    Job of = job;
    if (home_ == 2) return of;
    std::swap(of.keys[1], of.keys[2]);
    std::swap(of.payloads[1], of.payloads[2]);
    std::swap(of.at_home[1], of.at_home[2]);
    return of;
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
