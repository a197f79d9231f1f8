// The C interface of lines of sight.
#include <string>
#include <type_traits>

#include <upsweep/sight/library/heights.hpp>

#include "boundary.hpp"
#include "line_of_sight.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {
//! f(std::type_identity<T>) of heights that have this number.
template <class F>
void with_heights(int type, int type_of_flags, const F& f) {
  if (type_of_flags != UPSWEEP_UINT8) throw not_compiled("visible: its type is not UPSWEEP_UINT8");
#define UPSWEEP_ROW(T, name) \
  if (type == library::item_code<T>) return f(std::type_identity<T>{});
  UPSWEEP_LIBRARY_HEIGHTS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  throw not_compiled("heights: type " + std::to_string(type) + " is not in the library");
}
}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_line_of_sight(upsweep_device* device, upsweep_input heights, double eye, upsweep_output visible,
                          upsweep_along along) {
  return guarded([&] {
    with_heights(heights.type, visible.type, [&]<class T>(std::type_identity<T>) {
      look_along<T>(executor_of(device), heights, eye, visible, along);
    });
  });
}
int upsweep_view_of_map(upsweep_device* device, upsweep_image_input heights, upsweep_viewpoint from,
                        upsweep_image_output visible) {
  return guarded([&] {
    with_heights(heights.pixels.type, visible.pixels.type,
                 [&]<class T>(std::type_identity<T>) { look_around<T>(executor_of(device), heights, from, visible); });
  });
}

}  // extern "C"
