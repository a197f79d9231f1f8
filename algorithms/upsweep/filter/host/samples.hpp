// Samples of any type as doubles, and back. Jobs of filters see them through a sample_source and a sample_sink, and so
// are compiled once for all types.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/filter/host/lanes.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What a signal is cut into.
inline constexpr index_t filter_run = 128;

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

//! Where the samples of channels come from, a thousand at a time.
class sample_source {
 public:
  //! `count` samples of a channel from number `first` on.
  virtual void read(index_t channel, index_t first, index_t count, double* to) const = 0;
  //! The same as up to eight runs side by side, each in a lane; the last one may be short.
  virtual void read_runs(index_t channel, index_t first, index_t count, double* to) const = 0;
  //! `count` moments of interleaved channels, of up to eight from one on.
  virtual void read_moments(index_t channel, int channels, index_t first, index_t count, double* to) const = 0;

 protected:
  ~sample_source() = default;
};
//! And where they go to.
class sample_sink {
 public:
  virtual void write(index_t channel, index_t first, index_t count, const double* from) const = 0;
  virtual void write_runs(index_t channel, index_t first, index_t count, const double* from) const = 0;
  virtual void write_moments(index_t channel, int channels, index_t first, index_t count, const double* from) const = 0;

 protected:
  ~sample_sink() = default;
};

//! A signal's, in the order of time or against it.
template <class In, bool Interleaved>
class source_of final : public sample_source {
 public:
  source_of(const signal<const In, Interleaved>& in, bool reversed) : in_(in), reversed_(reversed) {}

  void read(index_t channel, index_t first, index_t count, double* to) const override {
    read_samples(in_.samples(channel, reversed_).from(first), count, to);
  }
  void read_runs(index_t channel, index_t first, index_t count, double* to) const override {
    const samples_of<const In> all = in_.samples(channel, reversed_).from(first);
    for (index_t k = 0; k < count; k += filter_run, to++)
      read_samples(all.from(k), std::min(count - k, filter_run), to, filter_lanes);
  }
  void read_moments(index_t channel, int channels, index_t first, index_t count, double* to) const override {
    if constexpr (Interleaved) detail::read_moments(in_.samples(channel, reversed_).from(first), count, channels, to);
  }

 private:
  signal<const In, Interleaved> in_;
  bool reversed_;
};
template <class Out, bool Interleaved>
class sink_of final : public sample_sink {
 public:
  sink_of(const signal<Out, Interleaved>& out, bool reversed) : out_(out), reversed_(reversed) {}

  void write(index_t channel, index_t first, index_t count, const double* from) const override {
    write_samples(from, count, out_.samples(channel, reversed_).from(first));
  }
  void write_runs(index_t channel, index_t first, index_t count, const double* from) const override {
    const samples_of<Out> all = out_.samples(channel, reversed_).from(first);
    for (index_t k = 0; k < count; k += filter_run, from++)
      write_samples(from, std::min(count - k, filter_run), all.from(k), filter_lanes);
  }
  void write_moments(index_t channel, int channels, index_t first, index_t count, const double* from) const override {
    if constexpr (Interleaved)
      detail::write_moments(from, count, channels, out_.samples(channel, reversed_).from(first));
  }

 private:
  signal<Out, Interleaved> out_;
  bool reversed_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
