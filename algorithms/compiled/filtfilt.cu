// The C interface of filters that run forth and back. Their passes are in units of their own (filter_instances.hpp).
#include "boundary.hpp"
#include "filter.hpp"
#include "filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
UPSWEEP_FILTER_UNIT_SETTLED(extern template, forward_t)
UPSWEEP_FILTER_UNIT_SETTLED(extern template, reversed_t)
}  // namespace UPSWEEP_NAMESPACE::detail

using namespace upsweep::compiled;

extern "C" {

int upsweep_sosfiltfilt(upsweep_device* device, upsweep_sections sections, upsweep_input in, upsweep_output out,
                        const upsweep_channels* channels) {
  return guarded([&] {
    upsweep::device& executor = executor_of(device);
    const std::vector<upsweep::section> rows = sections_of_one(sections);
    with_samples(in, out, [&](const auto& from, const auto& to) {
      with_layout(channels, [&](const auto& layout) { upsweep::sosfiltfilt(executor, rows, from, to, layout); });
    });
  });
}
int upsweep_filtfilt(upsweep_device* device, upsweep_polynomials by, upsweep_input in, upsweep_output out,
                     const upsweep_channels* channels) {
  return guarded([&] {
    upsweep::device& executor = executor_of(device);
    const std::span<const double> b = numerator_of(by), a = denominator_of(by);
    with_samples(in, out, [&](const auto& from, const auto& to) {
      with_layout(channels, [&](const auto& layout) { upsweep::filtfilt(executor, b, a, from, to, layout); });
    });
  });
}

}  // extern "C"
