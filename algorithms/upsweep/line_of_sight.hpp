// What a viewer sees of a terrain: a running maximum of slopes along each line of sight (Blelloch 1990).
#pragma once
#include <algorithm>
#include <cmath>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/image.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/require.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/sight/rays.hpp>
#include <upsweep/sight/slopes.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/sight/library/line_of_sight.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

//! visible[i] = 1 where somebody sees item i of a row of heights, a step apart each, and 0 elsewhere. The eyes are
//! `eye` above the row's first item, which is visible itself; what lies exactly on a line of sight is visible. `along`:
//! forward; reversed (from the last item back); rows(length), reversed_rows(length): of each row on its own. Slopes are
//! quotients of doubles, (height − eyes) / steps, and so the same everywhere; heights that are no numbers (or −∞) hide
//! nothing and are not seen. Costs a read of heights and a write of visible. Does not wait. Throws
//! std::invalid_argument, cuda_error. Method: running maximum of slopes (Blelloch 1990).
//!   upsweep::line_of_sight(exec, heights, 1.8, visible);
template <executor Executor, contiguous_range Heights, contiguous_range Visible, direction D = forward_t>
void line_of_sight(Executor&& executor, const Heights& heights, double eye, Visible&& visible, const D& along = {}) {
  using T = element_t<const Heights>;
  using Flag = element_t<Visible>;
  const auto from = detail::input("heights", heights);
  const auto to = UPSWEEP_OUTPUT(visible);
  index_t length = from.size;
  if constexpr (detail::has_rows<D>) {
    detail::check_rows(from.size, along.length, "heights");
    length = along.length;
  }
  detail::check_same_size(to, from);
  detail::require(std::isfinite(eye), "eye", "is ", eye, ", must be finite");
  detail::check_range(executor, from, from.size);
  detail::check_disjoint(from, from.size, to, to.size);
  const detail::slopes_of_rows<T> slopes{from.data, length, eye, D::reversed};
  detail::scan_then(executor, from.size, indices(), detail::lift_slope<T>{slopes}, segmented<maximum<double>>{},
                    dense(to, detail::is_in_sight<T, Flag>{slopes}), no_total, detail::way_t<D>{});
}

//! A viewer's cell in a map, and how far the eyes are above its ground.
struct viewpoint {
  index_t row = 0, column = 0;
  double eye = 0;
};

namespace detail {
template <class T, class Flag>
void look_around(host& executor, const sight_task<T, Flag>& task) {
  constexpr index_t at_once = 16;
  const map_rays& rays = task.rays;
  const double eye = task.eye();
  task.flag({0, 0}) = static_cast<Flag>(true);
  share_out(executor.threads(), (rays.count() + at_once - 1) / at_once, [&](index_t part) {
    for (index_t number = part * at_once; number < std::min((part + 1) * at_once, rays.count()); number++) {
      const ray r = rays[number];
      double highest = nothing_seen;
      for (index_t k = 1; k <= r.steps(); k++) {
        const map_step at = r.step(k);
        const double slope = task.slope(at, k, eye);
        if (rays.decides(r, at)) task.flag(at) = static_cast<Flag>(slope > nothing_seen && slope >= highest);
        highest = std::max(highest, slope);
      }
    }
  });
}

#if UPSWEEP_HAS_CUDA
// All rays as rows of one length, of which the first item is the viewer's cell; behind a ray's end nothing follows.
template <class T, class Flag>
struct seen_along_rays {
  sight_task<T, Flag> task;
  index_t length;

  UPSWEEP_HD double slope(index_t i) const {
    const index_t k = i % length;
    const ray r = task.rays[i / length];
    return k == 0 || k > r.steps() ? nothing_seen : task.slope(r.step(k), k, task.eye());
  }
  UPSWEEP_HD void store(index_t i, double before) const {
    const index_t k = i % length;
    const ray r = task.rays[i / length];
    if (i == 0) task.flag({0, 0}) = static_cast<Flag>(true);
    if (k == 0 || k > r.steps() || !task.rays.decides(r, r.step(k))) return;
    const double here = slope(i);
    task.flag(r.step(k)) = static_cast<Flag>(here > nothing_seen && here >= before);
  }
};
template <class T, class Flag>
struct lift_seen {
  seen_along_rays<T, Flag> rays;
  UPSWEEP_HD segmented<maximum<double>>::value_type operator()(index_t i) const {
    return {rays.slope(i), i % rays.length == 0};
  }
};
template <class T, class Flag>
struct store_seen {
  seen_along_rays<T, Flag> rays;
  template <class V>
  UPSWEEP_HD void operator()(index_t i, index_t, const V& before, const V&) const {
    rays.store(i, before.value);
  }
};
template <class T, class Flag>
void look_around(device& executor, const sight_task<T, Flag>& task) {
  const seen_along_rays<T, Flag> rays{task, task.rays.longest() + 1};
  scan_then(executor, task.rays.count() * rays.length, indices(), lift_seen<T, Flag>{rays},
            segmented<maximum<double>>{}, each_store<store_seen<T, Flag>>{{rays}}, no_total);
}
#endif
}  // namespace detail

//! What somebody at a cell sees of a map of heights, image(range, layout): visible, of the same shape, gets 1 or 0 for
//! each cell. A ray goes from the viewer's cell to each cell of the map's border, by as many steps as that is away in
//! rows or in columns, whichever is more, each to the nearest cell. A cell is visible when no cell before it on its ray
//! rises to a greater slope, (height − eyes) / steps; what lies exactly on a line of sight is visible, and the viewer's
//! own cell. Each cell is decided by one ray, whose end is nearest to where a straight line through the cell leaves the
//! map; so the result is the same on every executor. Heights that are no numbers hide nothing and are not seen. The
//! earth is flat. Costs about twice the map's cells in steps of rays, up to four times for a viewer near a corner. Does
//! not wait. Throws std::invalid_argument, also for a viewer outside the map, cuda_error. Method: rays to the border
//! (R2: Franklin and Ray 1994), each a running maximum (Blelloch 1990).
//!   const upsweep::image_layout map{.width = 640, .height = 480};
//!   upsweep::line_of_sight(exec, upsweep::image(heights, map), {.row = 80, .column = 320, .eye = 1.8},
//!                          upsweep::image(visible, map));
template <executor Executor, pixel_range Heights, class Visible>
  requires pixel_range<Visible>
void line_of_sight(Executor&& executor, const Heights& heights, const viewpoint& from, Visible&& visible) {
  UPSWEEP_CHECK_OUTPUT(visible);
  constexpr index_t most = index_t{1} << 30;  // products of two steps stay far below 2^63
  const auto map = detail::pixels_in(executor, "heights", heights);
  const auto to = detail::pixels_out_like(executor, map, "visible", visible);
  detail::check_images_apart(map, to, false);
  detail::require(map.count == 1, "heights", ": count is ", map.count, ", must be 1");
  detail::require(map.width <= most && map.height <= most, "heights", "has more than 2^30 rows or columns");
  detail::require(0 <= from.row && from.row < map.height && 0 <= from.column && from.column < map.width, "from",
                  ": row ", from.row, ", column ", from.column, " is outside the map of ", map.height, " x ", map.width,
                  " cells");
  detail::require(std::isfinite(from.eye), "from", ": eye is ", from.eye, ", must be finite");
  const detail::sight_task<detail::pixel_t<Heights>, detail::pixel_t<Visible>> task{
      map, to, {map.width, map.height, from.row, from.column}, from.eye};
  detail::run_on_backend(executor, [&](auto& chosen) { detail::look_around(chosen, task); });
}
UPSWEEP_EXPLAIN(line_of_sight,
                "line_of_sight(executor, heights, eye, visible, along) of rows, or line_of_sight(executor, "
                "image(heights, layout), {.row = r, .column = c, .eye = e}, image(visible, layout)) of a map")

}  // namespace UPSWEEP_NAMESPACE
