// The C interface of filters of segments. Their sweeps are in units of their own (filter_instances.hpp).
#include <algorithm>

#include <upsweep/segments.hpp>

#include "boundary.hpp"
#include "filter.hpp"
#include "filter_instances.hpp"

namespace UPSWEEP_NAMESPACE::detail {
#define UPSWEEP_ROW(In, Out, name) UPSWEEP_FILTER_UNIT_SEGMENTS(extern template, In, Out)
UPSWEEP_LIBRARY_SIGNALS(UPSWEEP_ROW)
UPSWEEP_FILTER_FIRST_PASSES(UPSWEEP_ROW)
UPSWEEP_FILTER_LAST_PASSES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}  // namespace UPSWEEP_NAMESPACE::detail

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

//! f(in, out, state, segments); `entries`: of a segment's state.
template <class F>
void with_segments(const filter_request& request, std::int64_t entries, const upsweep_input& given, const F& f) {
  const std::int64_t segments = std::max<std::int64_t>(given.size - 1, 0);
  with_samples(request.in, request.out, [&](const auto& in, const auto& out) {
    with_state(request.state, entries * segments, [&](const auto& state) {
#define UPSWEEP_ROW(Offset, name) \
  if (given.type == library::type_code<Offset>) return f(in, out, state, offsets(items_of<Offset>(given)));
      UPSWEEP_LIBRARY_FILTER_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
      throw not_compiled("offsets: their type is not in the library");
    });
  });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_sosfilt_segmented(upsweep_device* device, upsweep_sections sections, upsweep_input in, upsweep_output out,
                              double* state, upsweep_input offsets) {
  return guarded([&] {
    const filter_request request{executor_of(device), in, out, state};
    const std::vector<upsweep::section> rows = sections_of_one(sections);
    with_segments(request, 2 * sections.count, offsets,
                  [&](const auto& from, const auto& to, const auto& kept, const auto& segments) {
                    upsweep::sosfilt(request.executor, rows, from, to, kept, segments);
                  });
  });
}
int upsweep_lfilter_segmented(upsweep_device* device, upsweep_polynomials by, upsweep_input in, upsweep_output out,
                              double* state, upsweep_input offsets) {
  return guarded([&] {
    const filter_request request{executor_of(device), in, out, state};
    const std::span<const double> b = numerator_of(by), a = denominator_of(by);
    with_segments(request, std::max<std::int64_t>(order_of(by), 0), offsets,
                  [&](const auto& from, const auto& to, const auto& kept, const auto& segments) {
                    upsweep::lfilter(request.executor, b, a, from, to, kept, segments);
                  });
  });
}

}  // extern "C"
