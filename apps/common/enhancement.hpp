// A picture's levels, or the luma of its colours, enhanced where an executor works: what the app equalize does.
#pragma once
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <type_traits>

#include <upsweep/buffer.hpp>
#include <upsweep/clahe.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/luma.hpp>
#include <upsweep/scan.hpp>

#include "colour_pixel.hpp"
#include "comparison_picture.hpp"
#include "image_file.hpp"
#include "luma_sweeps.hpp"
#include "own_device.hpp"
#include "transfer.hpp"

namespace app {
using upsweep::buffer;
using upsweep::index_t;

//! What is asked of the program.
struct equalize_options {
  std::string in, out, scene = "1024x768", mode = "opencv", match, compare;
  bool clahe = false, check = false;
  double clip = 2;
  int tiles = 8, repeat = 20;

  std::string method() const {
    if (clahe) {
      char text[80];
      std::snprintf(text, sizeof text, "CLAHE, clip %g, %d x %d tiles", clip, tiles, tiles);
      return text;
    }
    return match.empty() ? "equalized (" + mode + ")" : "matched with " + match;
  }
  upsweep::equalize_mode whose() const {
    return mode == "pil"        ? upsweep::equalize_mode::pil
           : mode == "textbook" ? upsweep::equalize_mode::textbook
                                : upsweep::equalize_mode::opencv;
  }
};

//! Calls f(span of all pixels), where they are one thing each: levels of grey, or colours.
template <class T, class F>
auto with_pixels(const raster& image, const F& f) {
  if (image.channels == 3) return f(std::span<const colour_pixel<T, 3>>(image.as<colour_pixel<T, 3>>()));
  if (image.channels == 4) return f(std::span<const colour_pixel<T, 4>>(image.as<colour_pixel<T, 4>>()));
  return f(std::span<const T>(image.as<T>()));
}

//! Levels as they are, the luma of colours in `memory`.
template <class P>
std::span<const level_t<P>> luma(upsweep::any_executor& exec, std::span<const P> pixels, buffer<level_t<P>>& memory) {
  if constexpr (std::is_integral_v<P>) {
    return pixels;
  } else {
    with_own_code(exec, [&](auto&& chosen) { take_luma(chosen, pixels, all_of(memory)); });
    return all_of(memory);
  }
}

template <class T>
level_counts count_levels(upsweep::any_executor& exec, std::span<const T> levels) {
  buffer<index_t> counts(exec, level_counts::levels), upto(exec, level_counts::levels);
  if constexpr (sizeof(T) == 1) upsweep::histogram(exec, levels, counts);
  else upsweep::histogram_even(exec, levels, counts, 0, 65536);
  upsweep::inclusive_scan(exec, counts, upto, upsweep::plus<index_t>{});
  level_counts result;
  const std::size_t bytes = sizeof(index_t) * level_counts::levels;
  exec.copy(result.counts.data(), counts.data(), bytes);
  exec.copy(result.upto.data(), upto.data(), bytes);
  return result;
}

//! What is asked for, of levels. Does not wait.
template <class T>
void enhance(upsweep::any_executor& exec, const equalize_options& asked, std::span<const T> in, std::span<const T> like,
             const upsweep::image_layout& layout, std::span<T> out) {
  if (asked.clahe) upsweep::clahe(exec, upsweep::image(in, layout), out, {asked.clip, {asked.tiles, asked.tiles}});
  else if (!asked.match.empty()) upsweep::match_histogram(exec, in, like, out);
  else upsweep::equalize_histogram(exec, in, out, asked.whose());
}

//! A picture where the executor works, and what becomes of it. P: a level, or a colour.
template <class P>
class enhancement {
  using T = level_t<P>;
  static constexpr bool is_grey = std::is_integral_v<P>;

 public:
  enhancement(upsweep::any_executor& exec, const equalize_options& asked, const raster& image,
              std::span<const P> pixels, const raster* like)
      : exec_(exec),
        asked_(asked),
        layout_{.width = image.width, .height = image.height},
        in_(bring(exec, pixels, in_copy_)),
        out_(exec, image.pixels()) {
    if constexpr (!is_grey) {
      luma_ = buffer<T>(exec, image.pixels());
      new_luma_ = buffer<T>(exec, image.pixels());
    }
    if (like) with_pixels<T>(*like, [&](auto reference) { bring_reference(reference); });
  }

  void operator()() {
    if constexpr (is_grey) enhance<T>(exec_, asked_, in_, like_, layout_, out());
    else if (sizeof(T) == 1 && !asked_.clahe && asked_.match.empty()) equalize_colours();
    else enhance_luma();
    exec_.synchronize();
  }
  level_counts levels_before() { return count_levels(exec_, luma(exec_, in_, luma_)); }
  level_counts levels_after() { return count_levels(exec_, luma(exec_, std::span<const P>(out()), luma_)); }
  void fetch(const raster& to) { exec_.copy(to.bytes.get(), out_.data(), to.size()); }

 private:
  std::span<P> out() { return {out_.data(), in_.size()}; }
  //! One call, which stores no luma: of bytes alone.
  void equalize_colours() {
    if constexpr (sizeof(T) == 1) {
      const std::span from(reinterpret_cast<const T*>(in_.data()), in_.size_bytes());
      const std::span to(reinterpret_cast<T*>(out_.data()), in_.size_bytes());
      upsweep::equalize_luma(exec_, from, to, {sizeof(P), asked_.whose()});
    }
  }
  //! Whatever is done with levels: with the luma, in three calls.
  void enhance_luma() {
    if constexpr (!is_grey) {
      const std::span<T> to(new_luma_.data(), in_.size());
      enhance<T>(exec_, asked_, luma(exec_, in_, luma_), like_, layout_, to);
      with_own_code(exec_, [&](auto&& chosen) { put_luma(chosen, in_, std::span<const T>(to), out()); });
    }
  }
  template <class Q>
  void bring_reference(std::span<const Q> pixels) {
    buffer<Q> copy;
    const std::span<const Q> there = bring(exec_, pixels, copy);
    like_levels_ = buffer<T>(exec_, static_cast<index_t>(pixels.size()));
    if constexpr (std::is_integral_v<Q>) exec_.copy(like_levels_.data(), there.data(), there.size_bytes());
    else luma(exec_, there, like_levels_);
    exec_.synchronize();
    like_ = {like_levels_.data(), pixels.size()};
  }

  upsweep::any_executor& exec_;
  const equalize_options& asked_;
  upsweep::image_layout layout_;
  buffer<P> in_copy_;
  std::span<const P> in_;
  buffer<P> out_;
  buffer<T> luma_, new_luma_, like_levels_;
  std::span<const T> like_;
};

}  // namespace app
