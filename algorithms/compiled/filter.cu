// The C interface of filters. Their kernels are in units of their own (filter_instances.hpp).
#include <algorithm>

#include "boundary.hpp"
#include "filter.hpp"
#include "filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
#define UPSWEEP_ROW(In, Out, name)                     \
  UPSWEEP_FILTER_UNIT_1_TO_4(extern template, In, Out) \
  UPSWEEP_FILTER_UNIT_8(extern template, In, Out)
UPSWEEP_LIBRARY_SIGNALS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(In, Out, name)                \
  UPSWEEP_FILTER_UNIT_4(extern template, In, Out) \
  UPSWEEP_FILTER_UNIT_8(extern template, In, Out)
UPSWEEP_FILTER_LAST_PASSES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(In, Out, name) UPSWEEP_FILTER_UNIT_8(extern template, In, Out)
UPSWEEP_FILTER_FIRST_PASSES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(In, Out, name)                          \
  UPSWEEP_FILTER_UNIT_POLYNOMIALS(extern template, In, Out) \
  UPSWEEP_FILTER_UNIT_INTERLEAVED(extern template, In, Out)
UPSWEEP_LIBRARY_SIGNALS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}  // namespace UPSWEEP_NAMESPACE::detail

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

template <class F>
void with_all(const filter_request& request, std::int64_t entries, const upsweep_channels* channels, const F& f) {
  // A wrong number of channels is for the call to refuse.
  const std::int64_t count = channels ? std::max<std::int64_t>(channels->channels, 0) : 1;
  with_samples(request.in, request.out, [&](const auto& in, const auto& out) {
    with_layout(channels, [&](const auto& layout) {
      with_state(request.state, entries * count, [&](const auto& state) { f(in, out, state, layout); });
    });
  });
}

void filter(const filter_request& request, const upsweep_sections& given, const upsweep_channels* channels) {
  const std::int64_t count = channels ? channels->channels : 1;
  detail::require(given.filters == 1 || given.filters == count, "sections", "are of ", given.filters,
                  " filters, must be of one or of ", count, ", the channels");
  const std::vector<section> sections = sections_of(given);
  with_all(request, 2 * given.count, channels,
           [&](const auto& in, const auto& out, const auto& state, const auto& layout) {
             if (given.filters == 1) sosfilt(request.executor, sections, in, out, state, layout);
             else sosfilt(request.executor, per_channel(sections), in, out, state, layout);
           });
}
void filter(const filter_request& request, const upsweep_polynomials& by, const upsweep_channels* channels) {
  const std::span<const double> b = numerator_of(by), a = denominator_of(by);
  with_all(request, std::max<std::int64_t>(order_of(by), 0), channels,
           [&](const auto& in, const auto& out, const auto& state, const auto& layout) {
             lfilter(request.executor, b, a, in, out, state, layout);
           });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_sosfilt(upsweep_device* device, upsweep_sections sections, upsweep_input in, upsweep_output out,
                    double* state, const upsweep_channels* channels) {
  return guarded([&] { filter({executor_of(device), in, out, state}, sections, channels); });
}
int upsweep_lfilter(upsweep_device* device, upsweep_polynomials by, upsweep_input in, upsweep_output out, double* state,
                    const upsweep_channels* channels) {
  return guarded([&] { filter({executor_of(device), in, out, state}, by, channels); });
}

}  // extern "C"
