// Histogram equalization and matching: a histogram, a table of levels made of its running sums, and the table applied.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/host/level_tables.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/require.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/images/cuda/level_tables.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/images/library/level_tables.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class T>
concept level = std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t>;

template <class T, class U>
void check_table(const named_range<T>& table, index_t images, index_t levels, const pixels<U>& in) {
  require(table.size == levels * images, table.name, "has ", table.size, " items, needs ", levels * images, ": ",
          levels, " for each image of ", in.name);
}
inline void check_mode(equalize_mode mode) {
  require(mode == equalize_mode::opencv || mode == equalize_mode::textbook || mode == equalize_mode::pil, "mode", "is ",
          static_cast<int>(mode), ", must be an equalize_mode");
}
}  // namespace detail

//! Equalizes the histogram of images of 8 or 16 bits: levels are spread so that each is as common as the others. `in`
//! and `out` are ranges or image(range, layout) of one shape, each image of a batch on its own; a plain `out` has no
//! gaps. `out` may be exactly `in`. Modes say whose convention; `opencv` gives the bytes of OpenCV's equalizeHist.
//! An image of one level stays as it is. Costs two reads and a write; on a GPU the second read of an image of up to
//! about the L2's size comes from there. Device work is enqueued: images of 8 bits one launch, or one for each of a few
//! large ones. Throws std::invalid_argument, std::bad_alloc, cuda_error.
//!   upsweep::equalize_histogram(exec, in, out);
template <executor Executor, pixel_range In, class Out>
  requires pixel_range<Out>
void equalize_histogram(Executor&& executor, const In& in, Out&& out, equalize_mode mode = equalize_mode::opencv) {
  UPSWEEP_CHECK_OUTPUT(out);
  using T = detail::pixel_t<In>;
  static_assert(detail::level<T> && std::is_same_v<T, detail::pixel_t<Out>>, "images are of uint8 or of uint16");
  detail::check_mode(mode);
  const auto from = detail::pixels_in(executor, "in", in);
  const auto to = detail::pixels_out_like(executor, from, "out", out);
  detail::check_images_apart(from, to, true);
  if (from.per_image() == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { equalize(chosen, from, to, mode); });
}

//! The table of equalize_histogram: what each level becomes, 256 or 65,536 items for each image. With masked(in, mask)
//! only pixels whose byte in the mask is not zero count. Monotone; the identity when there is one level or none.
//!   upsweep::equalization_table(exec, in, table);   upsweep::apply_table(exec, in, table, out);
//!   upsweep::equalization_table(exec, upsweep::masked(in, mask), table);
template <executor Executor, countable_pixels In, contiguous_range Table>
void equalization_table(Executor&& executor, const In& in, Table&& table, equalize_mode mode = equalize_mode::opencv) {
  using T = detail::pixel_t<In>;
  static_assert(detail::level<T> && std::is_same_v<T, element_t<Table>>, "images and tables are of uint8 or of uint16");
  detail::check_mode(mode);
  const auto from = detail::pixels_in(executor, "in", detail::pixels_of(in));
  const auto to = UPSWEEP_OUTPUT(table);
  detail::check_table(to, from.count, detail::levels_of<T>, from);
  detail::check_range(executor, to, to.size);
  detail::check_disjoint(named_range<const T>{from.data, from.size, from.name}, from.extent(), to, to.size);
  detail::with_mask(executor, from, in, to, [&](const detail::pixels<const std::uint8_t>* mask) {
    detail::run_on_backend(executor, [&](auto& chosen) { equalization_tables(chosen, from, mask, mode, to.data); });
  });
}

//! out[i] = table[in[i]] for images of 8 or 16 bits. `table` is in the executor's memory and has 256 or 65,536 items of
//! out's type: for each image, or once for all. `out` may be exactly `in` when their types are the same. Costs a read
//! and a write. Device work is one launch. Throws std::invalid_argument, cuda_error.
//!   upsweep::apply_table(exec, in, table, out);
template <executor Executor, pixel_range In, contiguous_range Table, class Out>
  requires pixel_range<Out>
void apply_table(Executor&& executor, const In& in, const Table& table, Out&& out) {
  UPSWEEP_CHECK_OUTPUT(out);
  using T = detail::pixel_t<In>;
  using U = element_t<const Table>;
  static_assert(detail::level<T>, "images are of uint8 or of uint16");
  static_assert(std::is_same_v<U, detail::pixel_t<Out>>, "a table holds items of the output's type");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto by = detail::input("table", table);
  const auto to = detail::pixels_out_like(executor, from, "out", out);
  const bool one = by.size == index_t{detail::levels_of<T>};
  detail::check_table(by, one ? 1 : from.count, detail::levels_of<T>, from);
  detail::check_range(executor, by, by.size);
  detail::check_images_apart(from, to, std::is_same_v<T, U>);
  detail::check_disjoint(by, by.size, named_range<U>{to.data, to.size, to.name}, to.extent());
  if (from.per_image() == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) {
    apply_tables(chosen, from, by.data, one ? index_t{0} : index_t{detail::levels_of<T>}, to);
  });
}

//! Gives images the histogram of a reference, as nearly as a table can: level v becomes the lowest level w of which the
//! reference has at least as large a part up to w as `in` has up to v. Exact in integers. `reference` is one image, or
//! one for each image of `in`, of any size but empty. Costs a read of both, and of `in` a second one and a write. `out`
//! may be exactly `in`. Otherwise as equalize_histogram. (scikit-image interpolates between levels, and rounds.)
//!   upsweep::match_histogram(exec, in, reference, out);
template <executor Executor, pixel_range In, pixel_range Reference, class Out>
  requires pixel_range<Out>
void match_histogram(Executor&& executor, const In& in, const Reference& reference, Out&& out) {
  UPSWEEP_CHECK_OUTPUT(out);
  using T = detail::pixel_t<In>;
  static_assert(
      detail::level<T> && std::is_same_v<T, detail::pixel_t<Out>> && std::is_same_v<T, detail::pixel_t<Reference>>,
      "images are of uint8 or of uint16");
  const auto from = detail::pixels_in(executor, "in", in);
  const auto like = detail::pixels_in(executor, "reference", reference);
  const auto to = detail::pixels_out_like(executor, from, "out", out);
  detail::require(like.per_image() > 0, "reference", "is empty");
  detail::require(like.count == 1 || like.count == from.count, "reference", "has ", like.count, " images, needs 1 or ",
                  from.count);
  detail::check_images_apart(from, to, true);
  detail::check_images_apart(like, to, true);
  if (from.per_image() == 0) return;
  detail::run_on_backend(executor, [&](auto& chosen) { match(chosen, from, like, to); });
}
UPSWEEP_EXPLAIN(equalize_histogram, "equalize_histogram(executor, in, out, mode)")
UPSWEEP_EXPLAIN(equalization_table,
                "equalization_table(executor, in, table, mode), of which in may be masked(in, mask)")
UPSWEEP_EXPLAIN(apply_table, "apply_table(executor, in, table, out)")
UPSWEEP_EXPLAIN(match_histogram, "match_histogram(executor, in, reference, out)")

}  // namespace UPSWEEP_NAMESPACE
