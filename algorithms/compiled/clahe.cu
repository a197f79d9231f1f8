// The C interface of adaptive equalization and of equalization of luma, and their instances.
#include <upsweep/clahe.hpp>
#include <upsweep/luma.hpp>

#include "boundary.hpp"
#include "images.hpp"

using namespace upsweep::compiled;

extern "C" {

int upsweep_clahe(upsweep_device* device, upsweep_image_input in, upsweep_image_output out,
                  const upsweep_clahe_options* options) {
  return guarded([&] {
    check_same_type(in.pixels, "in", out.pixels, "out");
    upsweep::clahe_options by;
    if (options) by = {.clip_limit = options->clip_limit, .tiles = {.x = options->tiles_x, .y = options->tiles_y}};
    with_levels(in.pixels.type, "in", [&]<class T>(std::type_identity<T>) {
      upsweep::clahe(executor_of(device), image_of<T>(in), image_of<T>(out), by);
    });
  });
}
int upsweep_equalize_luma(upsweep_device* device, upsweep_image_input in, upsweep_image_output out, int channels,
                          int mode) {
  return guarded([&] {
    check_same_type(in.pixels, "in", out.pixels, "out");
    if (in.pixels.type != UPSWEEP_UINT8) throw not_compiled("in: its type is not UPSWEEP_UINT8");
    upsweep::equalize_luma(executor_of(device), image_of<std::uint8_t>(in), image_of<std::uint8_t>(out),
                           {.channels = channels, .mode = static_cast<upsweep::equalize_mode>(mode)});
  });
}

}  // extern "C"
