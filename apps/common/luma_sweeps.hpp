// The luma of colours taken, and given back, where an executor works.
#pragma once
#include <span>

#include <upsweep/executor.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

#include "colour_pixel.hpp"
#include "own_device.hpp"

namespace app {

// They do not wait.
template <class Executor, class P>
void take_luma(Executor& executor, std::span<const P> pixels, std::span<level_t<P>> luma) {
  upsweep::transform(executor, upsweep::contiguous(pixels), luma, luma_of{});
}
template <class Executor, class P>
void put_luma(Executor& executor, std::span<const P> pixels, std::span<const level_t<P>> luma, std::span<P> out) {
  upsweep::transform(executor, upsweep::contiguous(pixels, luma), out, with_luma{});
}
// equalize.cu
template <class P>
void take_luma(device_stream there, std::span<const P> pixels, std::span<level_t<P>> luma);
template <class P>
void put_luma(device_stream there, std::span<const P> pixels, std::span<const level_t<P>> luma, std::span<P> out);

}  // namespace app
