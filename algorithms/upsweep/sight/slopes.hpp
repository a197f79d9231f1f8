// The slopes that are compared: along rows of heights, and along the rays of a map.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/image.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/sight/rays.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! The slopes of rows of heights, each seen from above its first item (its last one, reversed).
template <class T>
struct slopes_of_rows {
  const T* heights;
  index_t length;  // of a row
  double eye;
  bool reversed;

  //! How far item i is from its viewer.
  UPSWEEP_HD index_t distance(index_t i) const {
    const index_t at = i < length ? i : i % length;
    return reversed ? length - 1 - at : at;
  }
  UPSWEEP_HD double operator()(index_t i, index_t away) const {
    if (away == 0) return nothing_seen;
    const T& viewer = heights[reversed ? i + away : i - away];
    return slope_to(heights[i], static_cast<double>(viewer) + eye, away);
  }
};
template <class T>
struct lift_slope {
  slopes_of_rows<T> slopes;
  UPSWEEP_HD segmented<maximum<double>>::value_type operator()(index_t i) const {
    const index_t away = slopes.distance(i);
    return {slopes(i, away), away == 0};
  }
};
template <class T, class Visible>
struct is_in_sight {
  slopes_of_rows<T> slopes;
  template <class V>
  UPSWEEP_HD Visible operator()(index_t i, index_t, const V& before, const V&) const {
    const index_t away = slopes.distance(i);
    if (away == 0) return static_cast<Visible>(true);
    const double slope = slopes(i, away);
    return static_cast<Visible>(slope > nothing_seen && slope >= before.value);
  }
};

template <class T, class Flag>
struct sight_task {
  pixels<const T> heights;
  pixels<Flag> visible;
  map_rays rays;
  double eye_above_ground;

  UPSWEEP_HD double eye() const {
    return static_cast<double>(heights.row(0, rays.row)[rays.column]) + eye_above_ground;
  }
  UPSWEEP_HD double slope(const map_step& at, index_t distance, double from) const {
    return slope_to(heights.row(0, rays.row + at.down)[rays.column + at.right], from, distance);
  }
  UPSWEEP_HD Flag& flag(const map_step& at) const { return visible.row(0, rays.row + at.down)[rays.column + at.right]; }
};

}  // namespace UPSWEEP_NAMESPACE::detail
