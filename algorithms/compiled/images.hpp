// Images and histograms as the C interface takes them, before and behind the choice of types.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include <upsweep/c/images.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/image.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

inline image_layout layout_of(const upsweep_image_layout& l) {
  return {.width = l.width, .height = l.height, .pitch = l.pitch, .count = l.count, .image_pitch = l.image_pitch};
}
template <class T>
image_range<const T> image_of(const upsweep_image_input& in) {
  return image(items_of<T>(in.pixels), layout_of(in.layout));
}
template <class T>
image_range<T> image_of(const upsweep_image_output& out) {
  return image(items_of<T>(out.pixels), layout_of(out.layout));
}
//! f(in), of which some pixels count, or all.
template <class T, class F>
void with_mask(const upsweep_image_input& in, const upsweep_image_input* mask, const F& f) {
  if (!mask) return f(image_of<T>(in));
  if (mask->pixels.type != UPSWEEP_UINT8) throw not_compiled("mask: its type is not UPSWEEP_UINT8");
  f(masked(image_of<T>(in), image_of<std::uint8_t>(*mask)));
}

//! f(std::type_identity<T>) for images of 8 or 16 bits.
template <class F>
void with_levels(int type, const char* name, const F& f) {
  if (type == UPSWEEP_UINT8) return f(std::type_identity<std::uint8_t>{});
  if (type == UPSWEEP_UINT16) return f(std::type_identity<std::uint16_t>{});
  throw not_compiled(std::string(name) + ": type " + std::to_string(type) + " is not UPSWEEP_UINT8 or UPSWEEP_UINT16");
}

struct histogram_request {
  device& executor;
  upsweep_image_input in;
  const upsweep_image_input* mask;  // or null
  upsweep_output counts;
};
//! Of items of type T; bounds and edges are of bound_t<T>. Each type has a unit; small ones share one.
template <class T>
void count_levels(const histogram_request& request);
template <class T>
void count_even(const histogram_request& request, const void* low, const void* high);
template <class T>
void count_between(const histogram_request& request, const void* edges);

}  // namespace UPSWEEP_NAMESPACE::compiled
