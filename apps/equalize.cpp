// equalize: pictures whose levels are spread out. A histogram, its running sums as a table of levels, and the table
// applied; of colours the luma, so that hues stay.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/executor.hpp>

#include "common/comparison_picture.hpp"
#include "common/contenders.hpp"
#include "common/enhancement.hpp"
#include "common/equalize_check.hpp"
#include "common/file.hpp"
#include "common/image_file.hpp"
#include "common/low_contrast_scene.hpp"
#include "common/output_files.hpp"
#include "common/picture_size.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"

namespace {

using app::level_counts;
using app::raster;

// ---------------------------------------------------------------- pictures
raster read(const std::string& name) {
  return app::about(name, [&] {
    const app::file_bytes file(name);
    const app::stage decoding("decoding " + name);
    return app::decode_image(file.view());
  });
}
raster read_or_render(const app::equalize_options& asked) {
  if (!asked.in.empty()) return read(asked.in);
  std::fprintf(stderr, "equalize: no file is given: hills in haze, --scene %s\n", asked.scene.c_str());
  const auto [width, height] = app::size_of(asked.scene);
  const app::stage rendering("rendering the scene");
  return app::render_low_contrast_scene(width, height);
}

//! Grey with alpha is the only kind whose levels are not together: it is done without, and gets its alpha back.
raster without_alpha(const raster& image) {
  raster grey(image.width, image.height, 1, image.bits);
  const std::size_t level = static_cast<std::size_t>(image.bits) / 8;
  for (std::size_t i = 0; i < grey.size(); i++) grey.bytes[i] = image.bytes[i / level * 2 * level + i % level];
  return grey;
}
raster with_alpha(const raster& grey, const raster& image) {
  raster both(image.width, image.height, 2, image.bits);
  const std::size_t level = static_cast<std::size_t>(image.bits) / 8;
  for (std::size_t i = 0; i < both.size(); i++)
    both.bytes[i] = i / level % 2 ? image.bytes[i] : grey.bytes[i / level / 2 * level + i % level];
  return both;
}

// ---------------------------------------------------------------- all of it
//! Both files, or none of them.
void write_files(const app::equalize_options& asked, const raster& before, const level_counts& levels_before,
                 const raster& after, const level_counts& levels_after) {
  const app::stage writing("writing files");
  app::output_files files;
  if (!asked.compare.empty())
    files.open(asked.compare).write(app::comparison(before, levels_before, after, levels_after).png());
  if (!asked.out.empty()) {
    const std::string bytes = app::about(asked.out, [&] { return app::encode_image(asked.out, after); });
    files.open(asked.out).write(bytes);
  }
  files.commit();
}

std::string middle_half(const level_counts& levels) {
  return std::to_string(levels.quantile(.25)) + " to " + std::to_string(levels.quantile(.75));
}
std::string short_time(double seconds) {
  return seconds < 1e-3 ? app::decimal(1e6 * seconds, 1, "us") : app::duration(seconds);
}

template <class P>
void run(upsweep::any_executor& exec, const app::equalize_options& asked, const raster& image,
         std::span<const P> pixels, const raster* like, double reading) {
  app::stopwatch watch;
  const bool has_alpha_apart = image.channels == 2;
  const raster grey = has_alpha_apart ? without_alpha(image) : raster();
  if constexpr (std::is_integral_v<P>)
    if (has_alpha_apart) pixels = grey.as<P>();
  const raster like_grey = like && like->channels == 2 ? without_alpha(*like) : raster();
  if (like_grey.bytes) like = &like_grey;

  app::enhancement<P> work(exec, asked, image, pixels, like);
  const double to_device = watch.lap();
  std::vector<app::contender> field{{"upsweep", [&] { work(); }}};
  {
    const app::stage enhancing("equalizing");
    app::race(field, asked.repeat);
  }
  const double took = app::median(field[0].samples);
  const level_counts levels_before = work.levels_before(), levels_after = work.levels_after();
  watch.lap();
  raster after(image.width, image.height, has_alpha_apart ? 1 : image.channels, image.bits);
  work.fetch(after);
  const double from_device = watch.lap();
  if (asked.check) {
    const app::stage verifying("verifying");
    app::verify(asked, image, pixels, after, like);
  }
  const double verifying = watch.lap();
  if (has_alpha_apart) after = with_alpha(after, image);
  write_files(asked, image, levels_before, after, levels_after);
  const double writing = watch.lap();

  std::string said = "equalize: " + (asked.in.empty() ? "the scene" : asked.in) + ": " + app::grouped(image.width) +
                     " x " + app::grouped(image.height) + " pixels, " + app::kind_of(image) +
                     ", half of them at levels " + middle_half(levels_before) + ", then " + middle_half(levels_after) +
                     "\nequalize: " + asked.method() + ": " + short_time(took) + " (" +
                     app::rate_of_items(image.pixels(), took, "pixel") + ") on " + exec.name() + ", the median of " +
                     std::to_string(asked.repeat) + "; " + app::duration(reading) + " read";
  if (!exec.is_host()) said += ", " + app::duration(to_device) + " to device, " + app::duration(from_device) + " back";
  if (!asked.out.empty() || !asked.compare.empty()) said += ", " + app::duration(writing) + " written";
  if (asked.check) said += "\nequalize: verified against serial loops (" + app::duration(verifying) + ")";
  if (!asked.compare.empty()) said += "\nequalize: " + asked.compare + " shows before and after";
  std::fprintf(stderr, "%s\n", said.c_str());
}

int equalize_file(upsweep::any_executor& exec, const app::equalize_options& asked) {
  app::stopwatch watch;
  const raster image = read_or_render(asked);
  std::optional<raster> like;
  if (!asked.match.empty()) {
    like = read(asked.match);
    if (like->bits != image.bits)
      throw std::runtime_error(asked.match + ": is " + app::kind_of(*like) + ", the picture " + app::kind_of(image));
  }
  const double reading = watch.lap();
  // Each tile has a table, of 128 KiB for 16 bits, which few pixels are not worth. The default goes with any picture.
  if (asked.clahe && asked.tiles > std::max<std::int64_t>(8, std::min(image.width, image.height)))
    throw std::runtime_error((asked.in.empty() ? "the scene" : asked.in) + ": is " + app::grouped(image.width) + " x " +
                             app::grouped(image.height) + " pixels, too few for --tiles " +
                             std::to_string(asked.tiles));
  if (!asked.out.empty()) app::about(asked.out, [&] { app::check_can_hold(asked.out, image); });
  const auto with_levels = [&]<class T>(T) {
    app::with_pixels<T>(image, [&](auto pixels) { run(exec, asked, image, pixels, like ? &*like : nullptr, reading); });
  };
  if (image.bits == 8) with_levels(std::uint8_t{});
  else with_levels(std::uint16_t{});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Spreads the levels of a picture, so that what is hidden in a few of them shows.", "equalize");
  cli.footer(
      R"(IN and OUT are PNG, JPEG, PGM or PPM files, of 8 or 16 bits, grey or colour, with or without alpha. What IN
is its first bytes say, what OUT becomes its name; - is standard input, and a PNG file on standard
output. Only the pixels are kept: colour profiles, the orientation and the like are not. Without IN a
scene is rendered, the same each time, and the program says so. Without OUT nothing is written.

Equalization replaces a level by how many pixels are at most as bright: the running sums of the
histogram, from 0 to the brightest level. So all levels become about as common as each other.
  --mode opencv    OpenCV's equalizeHist, byte for byte
  --mode textbook  the exact quotient, rounded
  --mode pil       PIL's ImageOps.equalize, which torchvision has too
  --clahe          each tile of the picture by a histogram of its own, and blends of four tables in
                   between; no level counts for more than --clip times the mean (contrast limited
                   adaptive histogram equalization: Zuiderveld 1994, as OpenCV has it)
  --match FILE     gives the picture the histogram of another one instead, as nearly as can be
Of colours the luma is equalized (Y of YCbCr), never red, green and blue one by one: hues stay. Alpha
stays as it is.

--compare draws the picture before and after, below each how common its levels are (dark to bright;
the commonest reach the top) and the curve of the running sums, which equalization makes straight.
--check does the same by serial loops; a difference is an error (of CLAHE: more than a level). Times are
of one call, without transfers: the median of --repeat ones after a first. They are on standard error,
and the levels between which the middle half of all pixels is, of 256. Files are written whole or not
at all: when something fails an old one stays. OUT may be IN.)");
  app::equalize_options asked;
  std::string backend;
  app::option mode = cli.add_option("--mode", asked.mode, "Whose equalization: opencv, textbook or pil")
                         .shows_default()
                         .one_of({"opencv", "textbook", "pil"});
  app::option clahe = cli.add_flag("--clahe", asked.clahe, "Equalize tile by tile").excludes(mode);
  cli.add_option("--clip", asked.clip, "Of CLAHE: what a level counts at most, in means; 0: no limit")
      .shows_default()
      .range(0., 1e6)
      .needs(clahe);
  cli.add_option("--tiles", asked.tiles,
                 "Of CLAHE: tiles across, and down, each of a pixel at least if there are more than 8")
      .shows_default()
      .range(1, 64)
      .needs(clahe);
  cli.add_file("--match", asked.match, "A file: the picture whose histogram is wanted").excludes(mode).excludes(clahe);
  cli.add_file("--compare", asked.compare, "A PNG file: draw before and after");
  cli.add_flag("--check", asked.check, "Compare with serial loops; a difference is an error");
  cli.add_option("--repeat", asked.repeat, "How many calls are timed").shows_default().range(1, 1000000);
  app::option scene = cli.add_option("--scene", asked.scene, "Instead of IN: the scene, of this size")
                          .shows_default()
                          .check(app::wrong_unless_size);
  app::add_backend(cli, backend);
  cli.add_file("IN", asked.in, "A picture; - is standard input");
  cli.add_file("OUT", asked.out, "What becomes of it; with --scene the only file");
  const auto body = [&] {
    if (scene.given()) app::only_out(asked.in, asked.out);
    app::check_files({{"IN", asked.in}, {"--match", asked.match}},
                     {{"--compare", asked.compare}, {"OUT", asked.out, true, "IN"}});
    auto exec = app::executor_of(backend);
    return equalize_file(exec, asked);
  };
  return app::run(cli, argc, argv, body);
}
