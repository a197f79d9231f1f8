// A moment of a few interleaved channels as one item: its samples side by side.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE {

template <class T, int Channels>
struct moment {
  T at[Channels];
};
//! Of one channel it is a sample.
template <class T, int Channels>
using moment_of = std::conditional_t<Channels == 1, T, moment<T, Channels>>;

template <class T>
inline constexpr int channels_of_item = 1;
template <class T, int Channels>
inline constexpr int channels_of_item<moment<T, Channels>> = Channels;

template <class T>
UPSWEEP_HD T& channel_of(T& sample, int) {
  return sample;
}
template <class T, int Channels>
UPSWEEP_HD T& channel_of(moment<T, Channels>& all, int c) {
  return all.at[c];
}

namespace detail {
//! A sample as a number, or a moment's.
struct number_of_sample {
  UPSWEEP_HD double operator()(std::int16_t x) const {
#if defined(__CUDA_ARCH__)
    // 2^52 + 2^15 + x is put together from its bits, and the rest taken away: no conversion, which takes four times as
    // long as a sum.
    return __hiloint2double(0x4330'0000, static_cast<std::uint16_t>(x) ^ 0x8000) - (0x1p52 + 0x1p15);
#else
    return x;
#endif
  }
  UPSWEEP_HD double operator()(double x) const { return x; }
  UPSWEEP_HD double operator()(float x) const { return static_cast<double>(x); }
  template <class T, int Channels>
  UPSWEEP_HD moment<double, Channels> operator()(const moment<T, Channels>& x) const {
    moment<double, Channels> numbers;
    for (int c = 0; c < Channels; c++) numbers.at[c] = (*this)(x.at[c]);
    return numbers;
  }
};
//! Outputs as samples of type T, or as a moment of them.
template <class T>
struct sample_of_number {
  UPSWEEP_HD T operator()(double y) const { return to_sample<T>(y); }
};
template <class T, int Channels>
struct sample_of_number<moment<T, Channels>> {
  UPSWEEP_HD moment<T, Channels> operator()(const moment<double, Channels>& y) const {
    moment<T, Channels> samples;
    for (int c = 0; c < Channels; c++) samples.at[c] = to_sample<T>(y.at[c]);
    return samples;
  }
};
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
