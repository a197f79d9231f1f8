// Equalization of colour pictures: of their luma alone, so that hues stay as they are.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/host/luma.hpp>
#include <upsweep/require.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/images/cuda/luma.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/images/library/luma.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! Options of equalize_luma.
struct luma_options {
  int channels = 3;  // items a pixel: 3, or 4 with an alpha channel
  equalize_mode mode = equalize_mode::opencv;
};

namespace detail {
template <class T>
void check_channels(const pixels<T>& in, int channels) {
  require(channels == 3 || channels == 4, "channels", "is ", channels, ", must be 3 or 4");
  require(in.width % channels == 0, in.name, ": width is ", in.width, ", must be a multiple of ", channels,
          ", the channels");
}
}  // namespace detail

//! Equalizes the luma of RGB or RGBA pictures of bytes: to YCbCr, Y through its equalization table, and back, in
//! integers, byte for byte as OpenCV's cvtColor and equalizeHist. `in` and `out` are ranges or image(range, layout) of
//! one shape; channels follow one another, so a layout's width is `channels` items a pixel. A fourth channel is copied.
//! `out` may be exactly `in`. Costs two reads and a write: neither luma nor chroma is stored. Otherwise as
//! equalize_histogram; rows that begin at multiples of 4 bytes are faster on a GPU.
//!   upsweep::equalize_luma(exec, upsweep::image(rgb, {.width = 3 * 640, .height = 480}), out);
//!   upsweep::equalize_luma(exec, rgba, rgba, {.channels = 4});
template <executor Executor, pixel_range In, class Out>
  requires pixel_range<Out>
void equalize_luma(Executor&& executor, const In& in, Out&& out, const luma_options& options = {}) {
  UPSWEEP_CHECK_OUTPUT(out);
  static_assert(std::is_same_v<detail::pixel_t<In>, std::uint8_t> && std::is_same_v<detail::pixel_t<Out>, std::uint8_t>,
                "pictures are of uint8");
  detail::check_mode(options.mode);
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = detail::pixels_out_like(executor, from, "out", out);
  detail::check_channels(from, options.channels);
  detail::check_images_apart(from, to, true);
  if (from.per_image() == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) {
    if (options.channels == 3) equalize_luma_of<3>(chosen, from, to, options.mode);
    else equalize_luma_of<4>(chosen, from, to, options.mode);
  });
}
UPSWEEP_EXPLAIN(equalize_luma, "equalize_luma(executor, in, out, {.channels = 3, .mode = ...})")

}  // namespace UPSWEEP_NAMESPACE
