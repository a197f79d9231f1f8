// The launches of a sort of segments: windows of them (sort_segments.hpp), and for those that no CTA holds the split
// and the units of a radix sort (digit_sorter.hpp), whose first round the offsets are.
#pragma once
#include <algorithm>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/for_each_index.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/cuda/digit_sorter.hpp>
#include <upsweep/sort/cuda/sort_segments.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A sorter of segments, as digit_sorter is one of all keys.
template <class Unit, bool Ordered, class Job, class Offset>
class segments_sorter : public digit_split<Unit, Ordered, Job> {
  using base = digit_split<Unit, Ordered, Job>;
  static constexpr tuning::sort_shape shape = tuning::segment_windows(sizeof(typename Job::key_type));
  using Window = tile_shape<shape.warps, shape.rows, shape.ctas>;
  using base::split_;
  using typename base::Rule, typename base::SplitShape;

 public:
  using base::job;
  segments_sorter(device& executor, const Job& of, const places_of_segments<Offset>& segments)
      : base(of), segments_(segments), windows_(tiles_of(of.n + segments.count, window_length<Window>)) {
    split_.emplace(executor, Rule{of}, of.n, Unit::tile);
    split_->memory.is_queued = true;
    split_->memory.most_units += most_left<Window>(of.n);
  }
  template <class U, class P>
  void cut(detail::scratch_cutter& scratch, U* keys, P* payloads, int home) {
    base::cut_places(scratch, keys, payloads, home);
    split_->cut(scratch);
    starts_ = scratch.take<window_start>(windows_ + 1);
  }
  void sort(device& executor) const {
    gpu::for_each_index(executor, windows_ + 1,
                        window_starts<Window, Offset, typename Rule::known>{segments_, starts_, split_->memory});
    using sorter = segment_sorter<Job, Rule, Window, SplitShape, Ordered, Offset>;
    launch<&sort_segments_kernel<Job, Rule, Window, SplitShape, Ordered, Offset>>(
        executor, std::min<index_t>(windows_, index_t{32} * executor.multiprocessors()), Window::threads,
        sizeof(typename sorter::shared_memory),
        typename sorter::args_type{base::alone(), segments_, starts_, static_cast<unsigned int>(windows_),
                                   split_->memory});
    if (job.n > Unit::tile) split_->launch(executor, Rule{job});
    base::template launch_units<Unit>(executor, job, false);
  }

 private:
  places_of_segments<Offset> segments_;
  index_t windows_;
  window_start* starts_ = nullptr;
};

}  // namespace UPSWEEP_NAMESPACE::gpu
