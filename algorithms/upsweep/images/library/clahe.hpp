// Adaptive equalization as it is compiled into upsweep::cuda: a backend beside those of host/ and cuda/.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/images/library/pixels.hpp>
#include <upsweep/images/tile_tables.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
void adapt(device& executor, const pixels<const T>& in, const pixels<T>& out, double clip_limit,
           const tile_grid& tiles) {
  const upsweep_clahe_options options{.clip_limit = clip_limit, .tiles_x = tiles.x, .tiles_y = tiles.y};
  library::check(upsweep_clahe(executor.handle(), library::image_of(in), library::image_to(out), &options));
}

}  // namespace UPSWEEP_NAMESPACE::detail
