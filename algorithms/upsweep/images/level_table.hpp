// Tables that map levels to levels: the formulas of histogram equalization and matching, for both backends.
//   equalize_mode   whose equalization: OpenCV's, the textbook's, PIL's
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! With N counted pixels, c of them up to a level, c0 on the lowest level present, h on a level, L the highest level:
enum class equalize_mode {
  opencv,    //!< round((c - c0)·(L / (N - c0))) in float, halves to even: OpenCV's equalizeHist, byte for byte
  textbook,  //!< round(L·(c - c0) / (N - c0)) exactly, halves up
  pil  //!< (step / 2 + c - h) / step with step = (N - h of the highest level present) / L, all rounded down: PIL's
       //!< ImageOps.equalize and torchvision
};

namespace detail {
template <class T>
inline constexpr std::uint32_t top_level = std::numeric_limits<T>::max();
template <class T>
inline constexpr std::uint32_t levels_of = top_level<T> + 1u;

//! The table of an image by what was counted in it: of all, on the lowest level present, on the highest one. An image
//! of one level, or of none, keeps what it has; levels below the lowest become 0.
template <class T>
struct equalizer {
  equalize_mode mode;
  std::uint64_t all, lowest, highest;
  float scale;         // opencv
  std::uint64_t step;  // pil

  UPSWEEP_HD equalizer(equalize_mode how, std::uint64_t n, std::uint64_t on_lowest, std::uint64_t on_highest)
      : mode(how), all(n), lowest(on_lowest), highest(on_highest) {
    scale = all > lowest ? static_cast<float>(top_level<T>) / static_cast<float>(all - lowest) : 0.f;
    step = (all - highest) / top_level<T>;
  }
  //! The entry of a level with `here` pixels, `upto` of them at most as bright.
  UPSWEEP_HD T operator()(std::uint32_t level, std::uint64_t upto, std::uint64_t here) const {
    constexpr std::uint64_t top = top_level<T>;
    if (all == lowest || (mode == equalize_mode::pil && step == 0)) return static_cast<T>(level);
    if (mode == equalize_mode::pil) {
      const std::uint64_t entry = (step / 2 + upto - here) / step;
      return static_cast<T>(entry < top ? entry : top);
    }
    const std::uint64_t above = upto > lowest ? upto - lowest : 0;
    if (mode == equalize_mode::textbook) {
      const std::uint64_t range = all - lowest;
      return static_cast<T>((2 * top * above + range) / (2 * range));
    }
    const float entry = std::nearbyint(static_cast<float>(above) * scale);
    return static_cast<T>(entry < static_cast<float>(top) ? entry : static_cast<float>(top));
  }
};

//! a/b < c/d, of counts.
UPSWEEP_HD inline bool is_less(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  return static_cast<wide_product>(a) * d < static_cast<wide_product>(c) * b;
}
//! The lowest level of a reference up to which at least the same part of all pixels lies; `upto` ascends.
template <class T>
UPSWEEP_HD T matching_level(std::uint64_t part, std::uint64_t all, const std::uint64_t* upto) {
  const std::uint64_t reference = upto[top_level<T>];
  std::uint32_t from = 0, count = top_level<T>;  // the highest one serves if none below does
  while (count > 0) {
    const std::uint32_t half = count / 2;
    const bool below = is_less(upto[from + half], reference, part, all);
    from = below ? from + half + 1 : from;
    count = below ? count - half - 1 : half;
  }
  return static_cast<T>(from);
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
