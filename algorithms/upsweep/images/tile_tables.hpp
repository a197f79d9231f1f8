// Adaptive equalization: where tiles lie in an image, the formulas of their tables, and how four of them are blended,
// for both backends. All as OpenCV's createCLAHE computes it, float by float.
//   tile_grid   how many tiles an image has across and down
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/images/level_table.hpp>

namespace UPSWEEP_NAMESPACE {

//! Tiles across and down an image.
struct tile_grid {
  int x = 8, y = 8;
};

namespace detail {
//! a·b rounded to a float, never contracted with a sum.
UPSWEEP_HD inline float rounded_product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return static_cast<float>(static_cast<double>(a) * b);  // exact before it is rounded
#endif
}

//! Tiles along one side of an image. Cell c is what lies between the centres of tiles c - 1 and c.
struct tile_axis {
  int length, tiles, size;  // pixels of the image, tiles, pixels of a tile
  float inverse;

  UPSWEEP_HD int cells() const { return tiles + 1; }
  //! Where a pixel lies: k at the centre of tile k.
  UPSWEEP_HD float place(int pixel) const { return rounded_product(static_cast<float>(pixel), inverse) - 0.5f; }
  UPSWEEP_HD int cell(int pixel) const { return static_cast<int>(std::floor(place(pixel))) + 1; }
  UPSWEEP_HD int first_of_cell(int c) const {
    if (c <= 0) return 0;
    if (c > tiles) return length;
    const std::int64_t middle = (2 * static_cast<std::int64_t>(c) - 1) * size / 2;
    int pixel = middle < length ? static_cast<int>(middle) : length;
    while (pixel > 0 && cell(pixel - 1) >= c) pixel--;
    while (pixel < length && cell(pixel) < c) pixel++;
    return pixel;
  }
  UPSWEEP_HD int tile_before(int c) const { return c > 0 ? c - 1 : 0; }
  UPSWEEP_HD int tile_behind(int c) const { return c < tiles ? c : tiles - 1; }
  //! Tiles that reach beyond the image see it reflected at its last pixel.
  UPSWEEP_HD int reflected(int pixel) const {
    if (length == 1) return 0;
    while (pixel < 0 || pixel >= length) pixel = pixel < 0 ? -pixel : 2 * (length - 1) - pixel;
    return pixel;
  }
  //! Pixels of a tile that are in the image.
  UPSWEEP_HD int inside(int tile) const {
    const std::int64_t left = length - static_cast<std::int64_t>(tile) * size;
    return left < 0 ? 0 : left < size ? static_cast<int>(left) : size;
  }
};

struct tile_plan {
  tile_axis x, y;
  std::uint32_t limit;  // the most that a level may count; without a limit the largest number
  float scale;
  UPSWEEP_HD int tiles() const { return x.tiles * y.tiles; }
};
template <class T>
tile_plan plan_tiles(int width, int height, double clip_limit, const tile_grid& grid) {
  const bool divides = width % grid.x == 0 && height % grid.y == 0;  // otherwise both sides grow, if by a tile's pixel
  const auto axis = [&](int length, int tiles) {
    const int size = divides ? length / tiles : length / tiles + 1;
    return tile_axis{length, tiles, size, 1.0f / static_cast<float>(size)};
  };
  tile_plan plan{axis(width, grid.x), axis(height, grid.y), ~0u, 0.f};
  const std::int64_t area = static_cast<std::int64_t>(plan.x.size) * plan.y.size;
  plan.scale = static_cast<float>(top_level<T>) / static_cast<float>(area);
  const auto all = static_cast<double>(area);
  if (clip_limit > 0)
    plan.limit = static_cast<std::uint32_t>(std::max(std::min(clip_limit * all / levels_of<T>, all), 1.0));
  return plan;
}

//! Counts of levels cut at a limit; what was cut off is spread evenly, the rest of it at a stride.
template <class T>
struct clipped_levels {
  std::uint32_t limit, each, rest, stride;
  UPSWEEP_HD clipped_levels(std::uint32_t most, std::uint32_t excess)
      : limit(most), each(excess / levels_of<T>), rest(excess % levels_of<T>), stride(rest ? levels_of<T> / rest : 1) {}
  UPSWEEP_HD std::uint32_t count(std::uint32_t level, std::uint32_t counted) const {
    const std::uint32_t kept = counted < limit ? counted : limit;
    return kept + each + (rest && level % stride == 0 && level / stride < rest ? 1u : 0u);
  }
  //! What all levels below this one get of what was cut off.
  UPSWEEP_HD std::uint32_t gained_below(std::uint32_t level) const {
    const std::uint32_t strides = (level + stride - 1) / stride;
    return each * level + (strides < rest ? strides : rest);
  }
};
template <class T>
UPSWEEP_HD T tile_entry(std::uint32_t upto, float scale) {
  const float entry = std::nearbyint(static_cast<float>(upto) * scale);
  return static_cast<T>(entry < static_cast<float>(top_level<T>) ? entry : static_cast<float>(top_level<T>));
}

//! A blend of four entries: above left, above right, below left, below right.
struct blend_weights {
  float right, below;
};
UPSWEEP_INLINE UPSWEEP_HD float blended(float a, float b, float c, float d, const blend_weights& w) {
  UPSWEEP_ROUND_EACH
  const float left = 1.0f - w.right, above = 1.0f - w.below;
#if defined(__CUDA_ARCH__)
  const float upper = __fadd_rn(__fmul_rn(a, left), __fmul_rn(b, w.right));
  const float lower = __fadd_rn(__fmul_rn(c, left), __fmul_rn(d, w.right));
  return __fadd_rn(__fmul_rn(upper, above), __fmul_rn(lower, w.below));
#else
  return (a * left + b * w.right) * above + (c * left + d * w.right) * w.below;
#endif
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
