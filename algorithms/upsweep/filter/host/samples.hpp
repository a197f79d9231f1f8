// Samples of any type as doubles, and back.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! `count` samples of a signal, `step` doubles apart.
template <class In>
void read_samples(const samples_of<const In>& from, index_t count, double* to, int step = 1) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    if (from.step == 1 && step == 1) {
      for (index_t k = 0; k < count; k++) to[k] = static_cast<double>(from.data[k]);
    } else {
      for (index_t k = 0; k < count; k++) to[k * step] = static_cast<double>(from[k]);
    }
  });
}
template <class Out>
void write_samples(const double* from, index_t count, const samples_of<Out>& to, int step = 1) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    if (to.step == 1) {
      for (index_t k = 0; k < count; k++) to.data[k] = to_sample<Out>(from[k * step]);
    } else {
      for (index_t k = 0; k < count; k++) to[k] = to_sample<Out>(from[k * step]);
    }
  });
}

//! `count` moments of up to eight channels whose samples take turns, `from` being the first channel's; lanes without a
//! channel get 0.
template <class In>
void read_moments(const samples_of<const In>& from, index_t count, int channels, double* to) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    const In* moment = from.data;
    if (channels == filter_lanes) {
      for (index_t k = 0; k < count; k++, moment += from.step, to += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++) to[lane] = static_cast<double>(moment[lane]);
    } else {
      for (index_t k = 0; k < count; k++, moment += from.step, to += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++)
          to[lane] = lane < channels ? static_cast<double>(moment[lane]) : 0;
    }
  });
}
template <class Out>
void write_moments(const double* from, index_t count, int channels, const samples_of<Out>& to) {
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    Out* moment = to.data;
    if (channels == filter_lanes) {
      for (index_t k = 0; k < count; k++, moment += to.step, from += filter_lanes)
        for (int lane = 0; lane < filter_lanes; lane++) moment[lane] = to_sample<Out>(from[lane]);
    } else {
      for (index_t k = 0; k < count; k++, moment += to.step, from += filter_lanes)
        for (int lane = 0; lane < channels; lane++) moment[lane] = to_sample<Out>(from[lane]);
    }
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
