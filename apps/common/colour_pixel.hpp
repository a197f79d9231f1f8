// Pixels of several channels, and their luma: Y, Cb and Cr as OpenCV has them (ITU-R BT.601 of all levels, in
// integers).
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/tuple.hpp>

namespace app {

//! Red, green, blue, and alpha if there are four.
template <class T, int Channels>
struct colour_pixel {
  T channel[Channels];
};

//! The level of a grey pixel, or of a channel.
template <class P>
struct level_of {
  using type = P;
};
template <class T, int Channels>
struct level_of<colour_pixel<T, Channels>> {
  using type = T;
};
template <class P>
using level_t = typename level_of<P>::type;

UPSWEEP_HD inline std::int32_t rounded_shift(std::int32_t x) { return (x + (1 << 13)) >> 14; }

struct luma_of {
  template <class T, int Channels>
  UPSWEEP_HD T operator()(const colour_pixel<T, Channels>& p) const {
    return static_cast<T>(rounded_shift(p.channel[0] * 4899 + p.channel[1] * 9617 + p.channel[2] * 1868));
  }
};

//! A constant, since device code may not call the functions of numeric_limits.
template <class T>
inline constexpr std::int32_t top_level = std::numeric_limits<T>::max();

//! A pixel with another luma, its Cb, Cr and alpha as they are.
struct with_luma {
  template <class T>
  UPSWEEP_HD static T clamped(std::int32_t x) {
    return static_cast<T>(x < 0 ? 0 : x < top_level<T> ? x : top_level<T>);
  }
  template <class T, int Channels>
  UPSWEEP_HD colour_pixel<T, Channels> operator()(const colour_pixel<T, Channels>& p, T luma) const {
    constexpr std::int32_t middle = top_level<T> / 2 + 1;
    const std::int32_t before = luma_of{}(p), y = luma;
    const std::int32_t cr = clamped<T>(rounded_shift((p.channel[0] - before) * 11682 + (middle << 14))) - middle;
    const std::int32_t cb = clamped<T>(rounded_shift((p.channel[2] - before) * 9241 + (middle << 14))) - middle;
    colour_pixel<T, Channels> result = p;
    result.channel[0] = clamped<T>(y + rounded_shift(cr * 22987));
    result.channel[1] = clamped<T>(y + rounded_shift(cb * -5636 + cr * -11698));
    result.channel[2] = clamped<T>(y + rounded_shift(cb * 29049));
    return result;
  }
  template <class P, class T>
  UPSWEEP_HD P operator()(const upsweep::tuple<P, T>& both) const {
    return (*this)(upsweep::get<0>(both), upsweep::get<1>(both));
  }
};

}  // namespace app
