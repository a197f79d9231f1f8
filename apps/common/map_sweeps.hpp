// What view asks of a map, where an executor works: its highest cell, and how many cells are seen.
#pragma once
#include <cstdint>
#include <span>

#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/search.hpp>
#include <upsweep/stages.hpp>

#include "own_device.hpp"

namespace app {

struct is_seen {
  UPSWEEP_HD bool operator()(std::uint8_t flag) const { return flag != 0; }
};

//! Of several the first.
template <class Executor>
std::int64_t highest_place(Executor& executor, std::span<const std::uint16_t> heights) {
  return upsweep::reduce(executor, upsweep::contiguous(heights, upsweep::indices()), upsweep::lift_indexed{},
                         upsweep::argmax<std::uint16_t>{})
      .index;
}
template <class Executor>
std::int64_t count_seen(Executor& executor, std::span<const std::uint8_t> visible) {
  return upsweep::count_if(executor, visible, is_seen{});
}
// view.cu
std::int64_t highest_place(device_stream there, std::span<const std::uint16_t> heights);
std::int64_t count_seen(device_stream there, std::span<const std::uint8_t> visible);

}  // namespace app
