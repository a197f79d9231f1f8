// The C interface of histograms.
#include "boundary.hpp"
#include "images.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void check_counts(const upsweep_output& counts) {
  if (counts.type != UPSWEEP_INT64 && counts.type != UPSWEEP_UINT64)
    throw not_compiled("counts: their type is not UPSWEEP_INT64");
}
//! f(std::type_identity<T>) of any type of items.
template <class F>
void with_item(int type, const F& f) {
  switch (type) {
#define UPSWEEP_ROW(type, name, code) \
  case code:                          \
    return f(std::type_identity<type>{});
    UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    default:
      with_type(type, "in", f);
  }
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_histogram(upsweep_device* device, upsweep_image_input in, const upsweep_image_input* mask,
                      upsweep_output counts) {
  return guarded([&] {
    check_counts(counts);
    const histogram_request request{executor_of(device), in, mask, counts};
    with_levels(in.pixels.type, "in", [&]<class T>(std::type_identity<T>) { count_levels<T>(request); });
  });
}
int upsweep_histogram_even(upsweep_device* device, upsweep_image_input in, const upsweep_image_input* mask,
                           upsweep_output counts, const void* low, const void* high) {
  return guarded([&] {
    check_counts(counts);
    upsweep::detail::require(low && high, "low and high", "must not be null pointers");
    const histogram_request request{executor_of(device), in, mask, counts};
    with_item(in.pixels.type, [&]<class T>(std::type_identity<T>) { count_even<T>(request, low, high); });
  });
}
int upsweep_histogram_range(upsweep_device* device, upsweep_image_input in, const upsweep_image_input* mask,
                            upsweep_output counts, const void* edges) {
  return guarded([&] {
    check_counts(counts);
    upsweep::detail::require(edges != nullptr, "edges", "is a null pointer");
    const histogram_request request{executor_of(device), in, mask, counts};
    with_item(in.pixels.type, [&]<class T>(std::type_identity<T>) { count_between<T>(request, edges); });
  });
}

}  // extern "C"
