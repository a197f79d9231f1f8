// Signals of one or many channels: how their samples lie in a range, and the types of samples.
//   planar{channels, length, pitch}   each channel's samples in a row
//   interleaved{channels}             all channels' samples of a moment side by side
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

//! Channels one behind another: sample t of channel c is item c·pitch + t. A length of 0 stands for the pitch, or for
//! all that the range holds; a pitch of 0 for the length.
struct planar {
  index_t channels = 1, length = 0, pitch = 0;
};
//! Sample t of channel c is item t·channels + c.
struct interleaved {
  index_t channels = 1;
};

namespace detail {
template <class T>
inline constexpr bool is_sample =
    std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int16_t>;

//! A result as a sample: integers rounded to the nearest (halves to even) and held to their range, not a number as 0.
template <class T>
UPSWEEP_HD T to_sample(double y) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double low = -32768, high = 32767;
    static_assert(std::is_same_v<T, std::int16_t>);
#if defined(__CUDA_ARCH__)
    // One conversion, held to what an int holds: they run at a quarter of the speed of sums.
    const int nearest = __double2int_rn(y), held = min(max(nearest, -32768), 32767);
    return y == y ? static_cast<T>(held) : T{};
#endif
    if (!(y > low)) return y <= low ? static_cast<T>(low) : T{};
    return y >= high ? static_cast<T>(high) : static_cast<T>(std::rint(y));
  } else {
    return static_cast<T>(y);
  }
}

//! Samples of one channel, `step` items apart.
template <class T>
struct samples_of {
  T* data;
  index_t step;
  UPSWEEP_HD T& operator[](index_t t) const { return data[t * step]; }
  samples_of from(index_t t) const { return {data + t * step, step}; }
};
//! All channels of a signal.
template <class T, bool Interleaved>
struct signal {
  static constexpr bool is_interleaved = Interleaved;
  T* data;
  index_t channels, length, pitch;  // of planar ones
  UPSWEEP_HD index_t step() const { return Interleaved ? channels : 1; }
  UPSWEEP_HD T* channel(index_t c) const { return data + (Interleaved ? c : c * pitch); }
  //! The samples of a channel, in the order of time or against it.
  UPSWEEP_HD samples_of<T> samples(index_t c, bool reversed) const {
    return reversed ? samples_of<T>{channel(c) + (length - 1) * step(), -step()} : samples_of<T>{channel(c), step()};
  }
  //! Items from the first sample to the last.
  index_t extent() const {
    if (length == 0) return 0;
    return Interleaved ? channels * length : (channels - 1) * pitch + length;
  }
};

inline void check_count(const char* name, index_t value, index_t least) {
  require(value >= least, name, "is ", value, ", must be at least ", least);
}
template <class T>
index_t length_of_channels(const named_range<T>& range, index_t channels) {
  check_count("channels", channels, 1);
  require(range.size % channels == 0, range.name, "has ", range.size, " items, which is no multiple of the ", channels,
          " channels");
  return range.size / channels;
}
template <class T>
signal<T, false> lay_out(const named_range<T>& range, const planar& layout) {
  check_count("channels", layout.channels, 1);
  check_count("length", layout.length, 0);
  check_count("pitch", layout.pitch, 0);
  index_t length = layout.length;
  if (length == 0) length = layout.pitch > 0 ? layout.pitch : length_of_channels(range, layout.channels);
  const index_t pitch = layout.pitch > 0 ? layout.pitch : length;
  require(pitch >= length, "pitch", "is ", pitch, ", less than the length ", length);
  return {range.data, layout.channels, length, pitch};
}
template <class T>
signal<T, true> lay_out(const named_range<T>& range, const interleaved& layout) {
  return {range.data, layout.channels, length_of_channels(range, layout.channels), 0};
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
