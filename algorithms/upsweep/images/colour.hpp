// RGB and YCbCr in integers of 14 fractional bits, as OpenCV converts bytes.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

struct rgb_pixel {
  int r, g, b;

  UPSWEEP_HD int luma() const { return (r * 4899 + g * 9617 + b * 1868 + half) >> bits; }
  //! The same chroma with another luma.
  UPSWEEP_HD rgb_pixel with_luma(int y) const {
    const int before = luma();
    const int cr = byte(((r - before) * 11682 + half) >> bits, 128),
              cb = byte(((b - before) * 9241 + half) >> bits, 128);
    const rgb_pixel p{y + ((cr * 22987 + half) >> bits), y + ((cb * -5636 + cr * -11698 + half) >> bits),
                      y + ((cb * 29049 + half) >> bits)};
    return {byte(p.r, 0), byte(p.g, 0), byte(p.b, 0)};
  }

 private:
  static constexpr int bits = 14, half = 1 << (bits - 1);
  //! The nearest value that is a byte when `zero` is added.
  UPSWEEP_HD static int byte(int value, int zero) {
    return value < -zero ? -zero : value > 255 - zero ? 255 - zero : value;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
