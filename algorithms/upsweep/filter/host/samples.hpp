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

//! Where the samples of channels come from, a thousand at a time.
class sample_source {
 public:
  //! `count` samples of a channel from number `first` on, to places so many doubles apart.
  virtual void read(index_t channel, index_t first, index_t count, double* to, int step = 1) const = 0;
  //! The same as up to eight runs side by side, each in a lane; the last one may be short.
  virtual void read_runs(index_t channel, index_t first, index_t count, double* to) const = 0;

 protected:
  ~sample_source() = default;
};
//! And where they go to.
class sample_sink {
 public:
  virtual void write(index_t channel, index_t first, index_t count, const double* from, int step = 1) const = 0;
  virtual void write_runs(index_t channel, index_t first, index_t count, const double* from) const = 0;

 protected:
  ~sample_sink() = default;
};

//! A signal's, in the order of time or against it.
template <class In, bool Interleaved>
class source_of final : public sample_source {
 public:
  source_of(const signal<const In, Interleaved>& in, bool reversed) : in_(in), reversed_(reversed) {}

  void read(index_t channel, index_t first, index_t count, double* to, int step = 1) const override {
    read_samples(in_.samples(channel, reversed_).from(first), count, to, step);
  }
  void read_runs(index_t channel, index_t first, index_t count, double* to) const override {
    const samples_of<const In> all = in_.samples(channel, reversed_).from(first);
    for (index_t k = 0; k < count; k += filter_run, to++)
      read_samples(all.from(k), std::min(count - k, filter_run), to, filter_lanes);
  }

 private:
  signal<const In, Interleaved> in_;
  bool reversed_;
};
template <class Out, bool Interleaved>
class sink_of final : public sample_sink {
 public:
  sink_of(const signal<Out, Interleaved>& out, bool reversed) : out_(out), reversed_(reversed) {}

  void write(index_t channel, index_t first, index_t count, const double* from, int step = 1) const override {
    write_samples(from, count, out_.samples(channel, reversed_).from(first), step);
  }
  void write_runs(index_t channel, index_t first, index_t count, const double* from) const override {
    const samples_of<Out> all = out_.samples(channel, reversed_).from(first);
    for (index_t k = 0; k < count; k += filter_run, from++)
      write_samples(from, std::min(count - k, filter_run), all.from(k), filter_lanes);
  }

 private:
  signal<Out, Interleaved> out_;
  bool reversed_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
