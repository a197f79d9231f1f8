// Contrast-limited adaptive histogram equalization (CLAHE): every pixel by the tables of the four tiles around it.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/host/clahe.hpp>
#include <upsweep/images/tile_tables.hpp>
#include <upsweep/require.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/images/cuda/clahe.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/images/library/clahe.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! Options of clahe: OpenCV's, with its defaults.
struct clahe_options {
  double clip_limit = 40.0;  // how many times the mean a level may weigh; 0 or less: no limit
  tile_grid tiles = {};      // 8 x 8
};

namespace detail {
template <class T>
void check_tiles(const pixels<const T>& in, double clip_limit, const tile_grid& tiles) {
  require(!std::isnan(clip_limit), "clip_limit", "is nan, must be a number");
  const auto check = [](const char* what, int count) {
    require(1 <= count && count <= 4096, "tiles", ": ", what, " is ", count, ", must be from 1 to 4096");
  };
  check("x", tiles.x);
  check("y", tiles.y);
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  require(in.width <= most - 4096 && in.height <= most - 4096, in.name,
          "is wider or higher than clahe takes, 2^31 - 4097 pixels");
  require((in.width / tiles.x + 1) * (in.height / tiles.y + 1) <= most, "tiles", "of ", in.name,
          " have more than 2^31 pixels: more tiles are needed");
}
//! What a backend is asked for. (One that has all of it compiled takes this one's place.)
template <class Executor, class T>
void adapt(Executor& executor, const pixels<const T>& in, const pixels<T>& out, double clip_limit,
           const tile_grid& tiles) {
  adapt(executor, in, out, plan_tiles<T>(static_cast<int>(in.width), static_cast<int>(in.height), clip_limit, tiles));
}
}  // namespace detail

//! Equalizes every part of an image by its own histogram: a grid of tiles, each with a table in which no level weighs
//! more than clip_limit times the mean (0 or less: no limit), and between the centres of tiles the four nearest tables
//! blended. Images of 8 or 16 bits, ranges or image(range, layout) of one shape; each image of a batch on its own. A
//! grid that does not divide an image is filled up by reflection. `out` may be exactly `in`. The results are those of
//! OpenCV 4.6's createCLAHE(clip_limit, tiles). Costs two reads and a write, and for each tile two tables' worth of
//! memory at the most, three of 16 bits: 65,536 entries each; a thread of the host takes 1 KiB more for each column of
//! tiles. Device work is enqueued: a launch for all tables, a CTA a tile, and one that blends, whatever the number of
//! images (before that a memset, of 16 bits). Throws std::invalid_argument, std::bad_alloc, cuda_error. Method:
//! K. Zuiderveld, Graphics Gems IV, 1994.
//!   const auto picture = upsweep::image(in, {.width = 640, .height = 480});
//!   upsweep::clahe(exec, picture, out, {.clip_limit = 2, .tiles = {.x = 4, .y = 4}});
template <executor Executor, pixel_range In, class Out>
  requires pixel_range<Out>
void clahe(Executor&& executor, const In& in, Out&& out, const clahe_options& options = {}) {
  UPSWEEP_CHECK_OUTPUT(out);
  using T = detail::pixel_t<In>;
  static_assert(detail::level<T> && std::is_same_v<T, detail::pixel_t<Out>>, "images are of uint8 or of uint16");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = detail::pixels_out_like(executor, from, "out", out);
  detail::check_images_apart(from, to, true);
  detail::check_tiles(from, options.clip_limit, options.tiles);
  if (from.per_image() == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { adapt(chosen, from, to, options.clip_limit, options.tiles); });
}
UPSWEEP_EXPLAIN(clahe, "clahe(executor, in, out, {.clip_limit = 40, .tiles = {.x = 8, .y = 8}})")

}  // namespace UPSWEEP_NAMESPACE
