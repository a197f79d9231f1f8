// Filters on the host of interleaved channels by one rule: eight channels side by side, one in each lane of a vector,
// from sample to sample. So nothing is computed twice, and memory is read and written once, as it lies.
// A thread goes along all of the time, and several share out channels where there are hundreds: to each its own pages.
// (Two threads that write to neighbouring lines, 32 channels each, took 1.7 times as long as one: a Zen 3 of 2 cores,
// virtual, 2026-11-27.) What a channel gives depends on nothing else: not on threads, vectors or other channels.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/filter/rule.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Samples of neighbouring channels, moment by moment.
template <class T>
struct moments {
  T* first;
  index_t pitch;
  bool in_eights = false;  // does each moment have room for a multiple of eight channels?
  moments from(index_t moment) const { return {first + moment * pitch, pitch, in_eights}; }
};
//! How a section goes along them.
struct moment_walk {
  index_t channels, count;
  index_t step;     // moments of eight channels, before it is the turn of the next eight
  bool prefetches;  // asks for the samples of the next step, which may be far away, and are in one piece
};

//! Copies less than eight items. (A loop would become a call of memcpy.)
template <class T>
UPSWEEP_INLINE void copy_few(T* to, const T* from, int count) {
  const auto copy = [&](auto some) UPSWEEP_LAMBDA_INLINE {
    if ((count & some()) == 0) return;
    std::memcpy(to, from, some() * sizeof(T));
    to += some(), from += some();
  };
  copy(std::integral_constant<int, 4>{});
  copy(std::integral_constant<int, 2>{});
  copy(std::integral_constant<int, 1>{});
}

//! Filters by one section. States, which move on, are those of eight channels beside each other, entry by entry. Where
//! no eight channels are left, the last eight are read again and the last ones kept. Fewer than eight in all are read
//! as eight, on into the next moments.
template <int Order, class In, class Out>
void filter_moments(const cascade<1, Order>& section, const moments<const In>& from, const moments<Out>& to,
                    const moment_walk& along, double* states) {
  with_vectors<true>([&](auto bytes) UPSWEEP_LAMBDA_INLINE {
    const cascade<1, Order> by = section;
    const moments<const In> in = from;
    const moments<Out> out = to;
    const moment_walk w = along;
    for (index_t first = 0; first < w.count; first += w.step) {
      const index_t count = std::min(w.step, w.count - first);
      // From behind: the outputs of the first ones may lie where the last ones' inputs are read again.
      for (index_t c = (w.channels - 1) / filter_lanes * filter_lanes; c >= 0; c -= filter_lanes) {
        const int here = static_cast<int>(std::min<index_t>(w.channels - c, filter_lanes)),
                  again = w.channels > filter_lanes ? filter_lanes - here : 0,
                  kept = out.in_eights ? filter_lanes : here;
        if (w.prefetches) {
          const index_t next = (first + count) * w.channels + (w.channels - c - here) * count;
          if (!in.in_eights) prefetch_items<3>(in.first, next, here * count);
          if (!out.in_eights) prefetch_items<3>(out.first, next, here * count);
        }
        const In* const x = in.first + first * in.pitch + (in.in_eights ? c : c - again);
        Out* const y = out.first + first * out.pitch + c;
        double* const own = states + c * Order;
        lanes_by<decltype(bytes)> state[Order], sample;
        for (index_t r = 0; r < Order; r++) load_lanes(state[r], own + r * filter_lanes);
        for (index_t k = 0; k < count; k++) {
          double samples[filter_lanes];
          for (int lane = 0; lane < filter_lanes; lane++) samples[lane] = static_cast<double>(x[k * in.pitch + lane]);
          load_lanes(sample, samples);
          by.advance(state, sample);
          store_lanes(samples, sample);
          Out few[filter_lanes];
          Out* const outputs = kept == filter_lanes ? y + k * out.pitch : few;
          for (int lane = 0; lane < filter_lanes; lane++) outputs[lane] = to_sample<Out>(samples[lane]);
          if (kept < filter_lanes) copy_few(y + k * out.pitch, few + again, kept);
        }
        for (index_t r = 0; r < Order; r++) store_lanes(own + r * filter_lanes, state[r]);
      }
    }
  });
}

//! A cascade that filters neighbouring channels: `most`, and up to seven more.
template <int Sections, int Order, class In, class Out>
class interleaved_filter {
 public:
  static constexpr index_t most = 2048 / (Sections * Order);  // whose states fill half of a first-level cache

  interleaved_filter(const cascade<Sections, Order>& rule, index_t channels) : channels_(channels) {
    for (int s = 0; s < Sections; s++) {
      sections_[s].b0[0] = rule.b0[s];
      std::copy_n(rule.c[s], Order, sections_[s].c[0]);
      std::copy_n(rule.a[s], Order, sections_[s].a[0]);
    }
  }
  //! An entry of a channel's state.
  double& entry(index_t channel, int k) {
    const index_t vector = channel / filter_lanes, whole = channels_ / filter_lanes;
    const index_t again = whole > 0 && vector == whole ? filter_lanes - channels_ % filter_lanes : 0;
    return states_[k / Order][(vector * Order + k % Order) * filter_lanes + channel % filter_lanes + again];
  }
  //! Filters so many moments; `far`: of samples that are in one piece, and in no cache.
  void operator()(const moments<const In>& in, const moments<Out>& out, index_t count, bool far) {
    if (channels_ >= filter_lanes) return filter(in, out, count, far);
    // Vectors are read on into the next moments: behind the last ones there must be room.
    const index_t end = std::min<index_t>(count, filter_lanes), before = count - end;
    In last[filter_lanes * filter_lanes] = {};
    for (index_t k = 0; k < end; k++) std::copy_n(in.from(before + k).first, channels_, last + k * channels_);
    filter(in, out, before, far);
    filter({last, channels_}, out.from(before), end, false);
  }

 private:
  // Of a step: for one section they come from memory in turn with the sums; for several they stay in the first-level
  // cache from section to section.
  static constexpr index_t samples_of_step = Sections == 1 ? 512 : 2048;

  void filter(const moments<const In>& in, const moments<Out>& out, index_t count, bool far) {
    const index_t eights = (channels_ + filter_lanes - 1) / filter_lanes * filter_lanes,
                  step = std::max<index_t>(samples_of_step / eights, 1);
    if constexpr (Sections == 1) {
      filter_moments(sections_[0], in, out, {channels_, count, step, far}, states_[0]);
    } else {
      alignas(64) double samples[samples_of_step];
      const moments<double> between{samples, eights, true};
      const moments<const double> again{samples, eights, true};
      for (index_t first = 0; first < count; first += step) {
        const index_t some = std::min(step, count - first);
        const moment_walk at_ends{channels_, some, some, far}, inside{channels_, some, some, false};
        filter_moments(sections_[0], in.from(first), between, at_ends, states_[0]);
        for (int s = 1; s < Sections - 1; s++) filter_moments(sections_[s], again, between, inside, states_[s]);
        filter_moments(sections_[Sections - 1], again, out.from(first), at_ends, states_[Sections - 1]);
      }
    }
  }

  index_t channels_;
  cascade<1, Order> sections_[Sections];
  alignas(64) double states_[Sections][(most + filter_lanes) * Order] = {};
};

//! Filters all channels by one rule.
template <int Sections, int Order, class In, class Out, class Finish>
void filter_interleaved(const cascade<Sections, Order>& rule, const signal<const In, true>& in,
                        const signal<Out, true>& out, int threads, const Finish& finish) {
  using filter = interleaved_filter<Sections, Order, In, Out>;
  constexpr index_t samples_in_cache = index_t{1} << 17;  // the second-level one, inputs and outputs
  // Fewer than eight are not left alone, or they would read what another thread writes.
  const index_t shares = std::max<index_t>((in.channels + filter::most - filter_lanes) / filter::most, 1);
  share_out(threads, shares, [&](index_t number) {
    const index_t first = number * filter::most, count = number + 1 < shares ? filter::most : in.channels - first;
    filter by(rule, count);
    for (index_t c = 0; c < count; c++) {
      const auto start = finish.of_channel(first + c).start();
      for (int k = 0; k < Sections * Order; k++) by.entry(c, k) = start.at[k];
    }
    by({in.data + first, in.channels}, {out.data + first, in.channels}, in.length,
       count == in.channels && in.extent() > samples_in_cache);
    for (index_t c = 0; c < count; c++) {
      state_vector<Sections * Order> last;
      for (int k = 0; k < Sections * Order; k++) last.at[k] = by.entry(c, k);
      finish.of_channel(first + c)(nothing{}, last);
    }
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
