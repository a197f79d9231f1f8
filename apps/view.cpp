// view: what is seen from a hill. A running maximum of slopes along the rays from a viewer to the border of a map.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/line_of_sight.hpp>

#include "../oracles/line_of_sight.hpp"
#include "common/contenders.hpp"
#include "common/file.hpp"
#include "common/height_map.hpp"
#include "common/image_file.hpp"
#include "common/map_sweeps.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/picture_size.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"

namespace {

using app::raster;
using upsweep::index_t;

struct options {
  std::string in, out, heights, scene = "1024x768", from;
  double eye = 1.8, cell = 10, unit = 0.1;
  bool check = false;
  int repeat = 5;
};
struct cell_of_map {
  index_t row = 0, column = 0;
};

// ---------------------------------------------------------------- maps
//! "120,45" -> row 120, column 45; negative when the text is no cell.
cell_of_map cell_in(const std::string& text) {
  cell_of_map cell{-1, -1};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, cell.row);
  const auto second = std::from_chars(first.ptr + (first.ptr != end && *first.ptr == ','), end, cell.column);
  if (second.ec != std::errc{} || second.ptr != end) return {-1, -1};
  return cell;
}

raster read_or_render(const options& asked) {
  if (asked.in.empty()) {
    std::fprintf(stderr, "view: no file is given: hills, --scene %s\n", asked.scene.c_str());
    const auto [width, height] = app::size_of(asked.scene);
    const app::stage rendering("rendering the hills");
    return app::render_hills(width, height);
  }
  return app::about(asked.in, [&] {
    const app::file_bytes file(asked.in);
    const app::stage decoding("decoding " + asked.in);
    raster map = app::decode_image(file.view());
    if (map.channels != 1) throw std::runtime_error("is " + app::kind_of(map) + ", a height map is grey");
    return map;
  });
}
std::vector<std::uint16_t> levels_of(const raster& map) {
  if (map.bits == 16) return {map.as<std::uint16_t>().begin(), map.as<std::uint16_t>().end()};
  return {map.as<std::uint8_t>().begin(), map.as<std::uint8_t>().end()};
}

// ---------------------------------------------------------------- the view
//! The cell of --from, or the highest one.
cell_of_map viewer_of(upsweep::any_executor& exec, const options& asked, const raster& map,
                      const upsweep::buffer<std::uint16_t>& heights) {
  if (!asked.from.empty()) {
    const cell_of_map cell = cell_in(asked.from);
    if (cell.row >= map.height || cell.column >= map.width)
      throw app::usage_error(
          "--from", "the map has " + app::grouped(map.height) + " rows, " + app::grouped(map.width) + " columns");
    return cell;
  }
  const index_t highest =
      app::with_own_code(exec, [&](auto&& chosen) { return app::highest_place(chosen, app::all_of(heights)); });
  return {highest / map.width, highest % map.width};
}

void verify(const raster& map, std::span<const std::uint16_t> heights, const upsweep::viewpoint& from,
            const std::vector<std::uint8_t>& visible) {
  const app::stage verifying("verifying");
  oracle::sight_sweep<std::uint16_t> sweep(heights, map.width, map.height, from.row, from.column, from.eye);
  if (sweep.seen() != visible) throw std::runtime_error("the view differs from that of a serial sweep");
}

void write_files(const options& asked, const raster& map, const std::vector<std::uint16_t>& heights,
                 const cell_of_map& from, const std::vector<std::uint8_t>& visible) {
  const app::stage writing("writing files");
  app::output_files files;
  if (!asked.heights.empty()) files.open(asked.heights).write(app::encode_image(asked.heights, map));
  if (!asked.out.empty()) {
    const raster shown = app::map_picture(map, heights, visible, from.row, from.column, asked.cell / asked.unit);
    files.open(asked.out).write(app::about(asked.out, [&] { return app::encode_image(asked.out, shown); }));
  }
  files.commit();
}

int view(upsweep::any_executor& exec, const options& asked) {
  app::stopwatch watch;
  const raster map = read_or_render(asked);
  if (!asked.out.empty()) app::about(asked.out, [&] { app::check_can_hold(asked.out, raster(1, 1, 3, 8)); });
  if (!asked.heights.empty()) app::about(asked.heights, [&] { app::check_can_hold(asked.heights, map); });
  const std::vector<std::uint16_t> levels = levels_of(map);
  const double reading = watch.lap();

  const upsweep::buffer<std::uint16_t> heights(exec, levels);
  upsweep::buffer<std::uint8_t> visible(exec, map.pixels());
  const cell_of_map cell = viewer_of(exec, asked, map, heights);
  const upsweep::viewpoint from{.row = cell.row, .column = cell.column, .eye = asked.eye / asked.unit};
  const upsweep::image_layout layout{.width = map.width, .height = map.height};
  const auto look = [&] {
    upsweep::line_of_sight(exec, upsweep::image(heights, layout), from, upsweep::image(visible, layout));
    exec.synchronize();
  };
  std::vector<app::contender> field{{"upsweep", look}};
  {
    const app::stage looking("looking around");
    app::race(field, asked.repeat);
  }
  const double took = app::median(field[0].samples);
  const index_t seen =
      app::with_own_code(exec, [&](auto&& chosen) { return app::count_seen(chosen, app::all_of(visible)); });
  const std::vector<std::uint8_t> flags = visible.to_vector(exec);
  watch.lap();
  if (asked.check) verify(map, levels, from, flags);
  const double verifying = watch.lap();
  write_files(asked, map, levels, cell, flags);

  const auto metres = [&](std::uint16_t level) { return app::decimal(level * asked.unit, 1, "m"); };
  const double share = static_cast<double>(seen) / static_cast<double>(map.pixels());
  std::string said = "view: " + (asked.in.empty() ? "the hills" : asked.in) + ": " + app::grouped(map.width) + " x " +
                     app::grouped(map.height) + " cells; from row " + std::to_string(cell.row) + ", column " +
                     std::to_string(cell.column) + ", " +
                     metres(levels[static_cast<std::size_t>(cell.row * map.width + cell.column)]) + " high" +
                     (asked.from.empty() ? " (the highest cell)" : "") + ", eyes " + app::decimal(asked.eye, 1, "m") +
                     " above ground\nview: " + app::grouped(seen) + " cells are seen, " +
                     app::decimal(100 * share, 1, "% of the map, ") +
                     app::decimal(1e-6 * static_cast<double>(seen) * asked.cell * asked.cell, 2, "km2") +
                     "\nview: " + app::duration(took) + " (" + app::rate_of_items(map.pixels(), took, "cell") +
                     ") on " + exec.name() + ", the median of " + std::to_string(asked.repeat) + "; " +
                     app::duration(reading) + " read";
  if (asked.check) said += "\nview: verified against a serial sweep (" + app::duration(verifying) + ")";
  std::fprintf(stderr, "%s\n", said.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("What is seen from a hill: which cells of a height map, as a picture, and how large an area.",
                        "view");
  cli.footer(
      R"(IN is a height map: a grey PNG, PGM or JPEG file of 8 or 16 bits, whose levels are heights, --unit metres
each, and whose pixels are cells of --cell x --cell metres. Without IN hills are rendered, the same each
time; --heights keeps them as a file. OUT is a picture of the map from above: what is seen is green to
yellow by its height, what is not is grey, and the viewer stands in a red ring.

From the viewer a ray goes to each cell of the map's border. Along it slopes are compared: a cell is seen
when it rises to no smaller slope than all cells before it, which is a scan, the running maximum of
slopes (Blelloch 1990). Cells that several rays cross are decided by the one that passes nearest to
them on its way out. Slopes are the same on a CPU and a GPU, and so is the picture. The earth is flat
here: over 10 km it would hide some 8 m.

--check does the same by a serial sweep; a difference is an error. Times are of one view, without
transfers: the median of --repeat ones after a first. They are on standard error, with the area. Files
are written whole or not at all.

Examples: view --check hills.png
          view --from 300,512 --eye 30 --cell 30 --unit 1 srtm.png tower.png)");
  options asked;
  std::string backend;
  cli.add_option("--from", asked.from, "ROW,COLUMN of the viewer's cell, from 0,0 in the upper left; else the highest")
      .check([](const std::string& text) {
        return cell_in(text).row >= 0 && cell_in(text).column >= 0 ? "" : "must be like 120,45";
      });
  cli.add_option("--eye", asked.eye, "Metres from the ground to the eyes").shows_default().range(0., 1e6);
  cli.add_option("--cell", asked.cell, "Metres from a cell to the next").shows_default().range(1e-6, 1e6);
  cli.add_option("--unit", asked.unit, "Metres that a level of the map stands for").shows_default().range(1e-6, 1e6);
  cli.add_file("--heights", asked.heights, "A PNG file: write the map itself");
  cli.add_flag("--check", asked.check, "Compare with a serial sweep; a difference is an error");
  cli.add_option("--repeat", asked.repeat, "How many views are timed").shows_default().range(1, 1000000);
  app::option scene = cli.add_option("--scene", asked.scene, "Instead of IN: hills, of this size")
                          .shows_default()
                          .check(app::wrong_unless_size);
  app::add_backend(cli, backend);
  cli.add_file("IN", asked.in, "A height map; - is standard input");
  cli.add_file("OUT", asked.out, "The picture; with --scene the only file");
  return app::run(cli, argc, argv, [&] {
    if (scene.given()) app::only_out(asked.in, asked.out);
    app::check_files({{"IN", asked.in}}, {{"--heights", asked.heights}, {"OUT", asked.out, true}});
    auto exec = app::executor_of(backend);
    return view(exec, asked);
  });
}
