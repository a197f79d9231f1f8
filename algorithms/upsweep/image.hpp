// Images in ranges: rows with a pitch, regions of interest, batches. A plain range is an image of one row.
//   image_layout              width, height, pitch, and the images of a batch
//   image(range, layout), image(pointer, layout)   go wherever a call takes pixels
//   masked(pixels, mask)      pixels of which only some count: for histograms and tables
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

//! Where the pixels of images lie in a range, all in items. A region of interest is an image too: the range begins with
//! its first pixel, and the pitch is the whole image's. An image whose width or height is 0 is empty; negative numbers
//! are refused.
struct image_layout {
  index_t width = 0;
  index_t height = 1;
  index_t pitch = 0;        // from a row to the next; 0: the width
  index_t count = 1;        // images of a batch
  index_t image_pitch = 0;  // from an image to the next; 0: height rows
};

//! A range with a layout. `T` is const for what is only read.
template <class T>
struct image_range {
  static constexpr index_t as_laid_out = -1;
  T* data;
  index_t size;  // as_laid_out: what the layout takes
  image_layout layout;
};

//! A range as an image, or as a batch of images of one size. It need not hold more than the last pixel.
//!   upsweep::histogram(exec, upsweep::image(in, {.width = 640, .height = 480, .pitch = 704}), counts);
template <detail::shown_range R>
auto image(R&& range, const image_layout& layout) {
  UPSWEEP_CHECK_SHOWN(R, "image()");
  using T = std::remove_pointer_t<decltype(std::data(range))>;
  return image_range<T>{std::data(range), static_cast<index_t>(std::size(range)), layout};
}

//! The same from a pointer to the first pixel: that there is so much memory is the caller's word.
//!   upsweep::equalize_histogram(exec, upsweep::image(pixels, {.width = 640, .height = 480}), out);
template <class P>
  requires std::is_pointer_v<P>
auto image(const P& first, const image_layout& layout) {
  using T = std::remove_pointer_t<P>;
  return image_range<T>{first, image_range<T>::as_laid_out, layout};
}

UPSWEEP_SHOW_USAGE(image, "image(range, {.width = 640, .height = 480}), or a pointer in place of the range")

namespace detail {
template <class A>
struct is_image : std::false_type {};
template <class T>
struct is_image<image_range<T>> : std::true_type {};
template <class T>
inline constexpr bool is_borrowed<image_range<T>> = true;
template <class T>
struct is_writable<image_range<T>> : std::bool_constant<!std::is_const_v<T>> {};
template <class T>
struct is_writable<const image_range<T>> : is_writable<image_range<T>> {};
}  // namespace detail

//! Pixels: a contiguous range, or image(range, layout).
template <class A>
concept pixel_range = contiguous_range<A> || detail::is_image<std::remove_cvref_t<A>>::value;

//! Pixels and the bytes that say which of them count.
template <pixel_range In, pixel_range Mask>
struct masked_pixels {
  In in;
  Mask mask;
};

namespace detail {
//! Pixels as they are kept: a range by where it lies.
template <class T>
image_range<T> kept_pixels(const image_range<T>& image) {
  return image;
}
template <contiguous_range R>
std::span<const element_t<const R>> kept_pixels(const R& range) {
  return {std::data(range), static_cast<std::size_t>(std::size(range))};
}
//! Pixels as the backends see them: a layout without zeros that stand for something, checked against the range.
template <class T>
struct pixels {
  T* data;
  index_t size;
  const char* name;
  index_t width, height, pitch, count, image_pitch;

  UPSWEEP_HD index_t per_image() const { return width * height; }
  UPSWEEP_HD T* row(index_t image, index_t y) const { return data + image * image_pitch + y * pitch; }
  //! Items from the first pixel to the last one.
  index_t extent() const { return per_image() == 0 ? 0 : (count - 1) * image_pitch + (height - 1) * pitch + width; }
  //! The same pixels as items of another type of their size.
  template <class U>
  pixels<U> as() const {
    static_assert(sizeof(U) == sizeof(T));
    return {.data = reinterpret_cast<U*>(data),
            .size = size,
            .name = name,
            .width = width,
            .height = height,
            .pitch = pitch,
            .count = count,
            .image_pitch = image_pitch};
  }
  //! One image of the batch.
  pixels one(index_t image) const {
    pixels p = *this;
    p.data += image * image_pitch;
    p.count = 1;
    return p;
  }
  //! Rows that follow one another without a gap are one row.
  pixels joined_rows() const {
    pixels p = *this;
    if (p.pitch == p.width) {
      p.pitch = p.width = p.width * p.height;
      p.height = 1;
    }
    return p;
  }
};

template <class A>
struct pixel_of {
  using type = element_t<A>;
};
template <class T>
struct pixel_of<image_range<T>> {
  using type = std::remove_cv_t<T>;
};
template <class In, class Mask>
struct pixel_of<masked_pixels<In, Mask>> : pixel_of<In> {};
template <class A>
using pixel_t = typename pixel_of<std::remove_cvref_t<A>>::type;

template <class A>
struct is_masked : std::false_type {};
template <class In, class Mask>
struct is_masked<masked_pixels<In, Mask>> : std::true_type {};

//! a·b + c; throws when it is no index.
inline index_t extent_of_rows(const char* name, index_t a, index_t b, index_t c) {
  index_t product = 0, sum = 0;
  require(!__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, &sum), name,
          ": its layout is too large for 64 bits");
  return sum;
}

template <class T>
pixels<T> lay_out(const named_range<T>& range, const image_layout& layout) {
  const char* name = range.name;
  require(layout.width >= 0, name, ": width is ", layout.width, ", must not be negative");
  require(layout.height >= 0, name, ": height is ", layout.height, ", must not be negative");
  require(layout.count >= 1, name, ": count is ", layout.count, ", must be positive");
  const index_t pitch = layout.pitch ? layout.pitch : layout.width;
  require(pitch >= layout.width, name, ": pitch is ", pitch, ", less than the width, ", layout.width);
  const bool is_empty = layout.width == 0 || layout.height == 0;
  const index_t one = is_empty ? 0 : extent_of_rows(name, layout.height - 1, pitch, layout.width);
  const index_t image_pitch = layout.image_pitch ? layout.image_pitch : extent_of_rows(name, layout.height, pitch, 0);
  require(layout.count == 1 || image_pitch >= one, name, ": image_pitch is ", image_pitch, ", less than an image, ",
          one);
  const index_t all = extent_of_rows(name, layout.count - 1, image_pitch, one);
  const index_t size = range.size == image_range<T>::as_laid_out ? is_empty ? 0 : all : range.size;
  return {.data = range.data,
          .size = size,
          .name = name,
          .width = is_empty ? 0 : layout.width,
          .height = is_empty ? 1 : layout.height,
          .pitch = is_empty ? 0 : pitch,
          .count = layout.count,
          .image_pitch = is_empty ? 0 : image_pitch};
}

//! Pixels for reading, in memory that the executor reaches.
template <class Executor, class A>
auto pixels_in(const Executor& executor, const char* name, const A& argument) {
  using T = const pixel_t<A>;
  pixels<T> result;
  if constexpr (is_image<A>::value) {
    result = lay_out(named_range<T>{argument.data, argument.size, name}, argument.layout);
  } else {
    const auto range = input(name, argument);
    result = {.data = range.data,
              .size = range.size,
              .name = name,
              .width = range.size,
              .height = 1,
              .pitch = range.size,
              .count = 1,
              .image_pitch = range.size};
  }
  check_range(executor, named_range<T>{result.data, result.size, name}, result.extent());
  return result;
}

//! What a call counts: the pixels, without their mask.
template <class A>
const auto& pixels_of(const A& argument) {
  if constexpr (is_masked<A>::value) return argument.in;
  else return argument;
}

//! Throws unless two images have the same shape.
template <class A, class B>
void check_same_shape(const pixels<A>& a, const pixels<B>& b) {
  require(a.width == b.width && a.height == b.height && a.count == b.count, b.name, "is ", b.width, " x ", b.height,
          " x ", b.count, ", ", a.name, " ", a.width, " x ", a.height, " x ", a.count, " (width, height, images)");
}

//! Pixels that go with others of a known shape. A plain range holds them without gaps.
template <class Executor, class Like, class T>
pixels<T> pixels_like(const Executor& executor, const pixels<Like>& like, const named_range<T>& range,
                      const image_layout* layout) {
  pixels<T> result;
  if (layout) {
    result = lay_out(range, *layout);
    check_same_shape(like, result);
  } else {
    result = {.data = range.data,
              .size = range.size,
              .name = range.name,
              .width = like.width,
              .height = like.height,
              .pitch = like.width,
              .count = like.count,
              .image_pitch = like.per_image()};
  }
  check_range(executor, named_range<T>{result.data, result.size, result.name}, result.extent());
  return result;
}
template <class Executor, class Like, class A>
auto pixels_in_like(const Executor& executor, const pixels<Like>& like, const char* name, const A& argument) {
  using T = const pixel_t<A>;
  if constexpr (is_image<A>::value)
    return pixels_like(executor, like, named_range<T>{argument.data, argument.size, name}, &argument.layout);
  else return pixels_like(executor, like, input(name, argument), nullptr);
}
template <class Executor, class Like, class A>
auto pixels_out_like(const Executor& executor, const pixels<Like>& like, const char* name, A&& argument) {
  if constexpr (is_image<std::remove_cvref_t<A>>::value) {
    using T = std::remove_pointer_t<decltype(argument.data)>;
    return pixels_like(executor, like, named_range<T>{argument.data, argument.size, name}, &argument.layout);
  } else {
    return pixels_like(executor, like, output(name, argument), nullptr);
  }
}

//! Do images lie beside each other in rows of the same pitch?
template <class A, class B>
bool beside_each_other(const pixels<A>& a, const pixels<B>& b) {
  const auto bytes = [](const auto& p, index_t items) { return items * static_cast<index_t>(sizeof(*p.data)); };
  const index_t pitch = bytes(a, a.pitch);
  if (pitch != bytes(b, b.pitch) || (a.count > 1 && bytes(a, a.image_pitch) % pitch != 0) ||
      (b.count > 1 && bytes(b, b.image_pitch) % pitch != 0))
    return false;
  const auto apart =
      static_cast<index_t>(reinterpret_cast<std::uintptr_t>(b.data) - reinterpret_cast<std::uintptr_t>(a.data)) % pitch;
  const index_t right = apart < 0 ? apart + pitch : apart;
  return right >= bytes(a, a.width) && pitch - right >= bytes(b, b.width);
}
//! Throws when images that are written lie on others. `may_be_same`: exactly on them is fine.
template <class A, class B>
void check_images_apart(const pixels<A>& read, const pixels<B>& written, bool may_be_same) {
  const extent a = extent_of(named_range<A>{read.data, read.size, read.name}, read.extent());
  const extent b = extent_of(named_range<B>{written.data, written.size, written.name}, written.extent());
  if (!overlap(a, b) || beside_each_other(read, written)) return;
  const bool same = a.begin == b.begin && a.item == b.item && read.pitch == written.pitch &&
                    (read.count == 1 || read.image_pitch == written.image_pitch);
  if (may_be_same && same) return;
  refuse_overlap(b, a, may_be_same ? ": it must be the same image or a disjoint one" : ": it must be disjoint");
}
}  // namespace detail

//! What histogram, histogram_even, histogram_range and equalization_table count: pixels, or some of them.
template <class A>
concept countable_pixels = pixel_range<A> || detail::is_masked<std::remove_cvref_t<A>>::value;

//! Of the pixels of `in` those whose byte in `mask` is not zero. `mask` has the shape of `in`, or is a plain range of
//! as many bytes. Both are ranges or images, and stay where they are: nothing is copied.
//!   upsweep::histogram(exec, upsweep::masked(in, mask), counts);
template <class In, class Mask>
  requires(pixel_range<In> && pixel_range<Mask>)
auto masked(In&& in, Mask&& mask) {
  static_assert(detail::lives_on<In> && detail::lives_on<Mask>,
                "upsweep: masked() would refer to a temporary that is gone: keep the range in a variable");
  static_assert(sizeof(detail::pixel_t<Mask>) == 1, "a mask has one byte a pixel");
  return masked_pixels<decltype(detail::kept_pixels(in)), decltype(detail::kept_pixels(mask))>{
      detail::kept_pixels(in), detail::kept_pixels(mask)};
}

}  // namespace UPSWEEP_NAMESPACE
