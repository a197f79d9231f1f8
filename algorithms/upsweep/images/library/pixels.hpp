// Images as the C interface of upsweep::cuda takes them.
#pragma once
#include <upsweep/c/images.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/library/table.hpp>

#define UPSWEEP_LIBRARY_ITEM_NAMES UPSWEEP_LIBRARY_TYPE_NAMES UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_LIBRARY_NAME)

namespace UPSWEEP_NAMESPACE::library {

template <class T>
upsweep_image_layout layout_of(const detail::pixels<T>& p) {
  return {.width = p.width, .height = p.height, .pitch = p.pitch, .count = p.count, .image_pitch = p.image_pitch};
}
template <class T>
upsweep_image_input image_of(const detail::pixels<const T>& p) {
  return {.pixels = input_of(p.data, p.extent()), .layout = layout_of(p)};
}
template <class T>
upsweep_image_output image_to(const detail::pixels<T>& p) {
  return {.pixels = output_of(p.data, p.extent()), .layout = layout_of(p)};
}
//! A mask, if there is one.
struct mask_image {
  upsweep_image_input image{};
  const upsweep_image_input* pointer = nullptr;
  explicit mask_image(const detail::pixels<const std::uint8_t>* mask) {
    if (!mask) return;
    image = image_of(*mask);
    pointer = &image;
  }
  mask_image(const mask_image&) = delete;
  mask_image& operator=(const mask_image&) = delete;
};

}  // namespace UPSWEEP_NAMESPACE::library
