// The C interface of scans and reductions of segments.
#include "boundary.hpp"
#include "monoids.hpp"
#include "segments.hpp"

namespace UPSWEEP_NAMESPACE::compiled {
namespace {

void scan_segments(int kind, const segments_request& request) {
  check_same_type(request.in, "in", request.out, "out");
  with_unit<scans>(request.in.type, request.monoid, [&]<class T>(std::type_identity<T>) {
    switch (kind) {
      case UPSWEEP_HEADS:
        return scan_by_heads<T>(request);
      case UPSWEEP_OFFSETS:
        return scan_by_offsets<T>(request);
      case UPSWEEP_KEYS:
        return scan_by_keys<T>(request);
      default:
        throw not_compiled("segments: kind " + std::to_string(kind) + " is not in the library");
    }
  });
}

void reduce_by_type(device& executor, const upsweep_input& in, const upsweep_input& offsets, const upsweep_output& out,
                    int monoid) {
  check_same_type(in, "in", out, "out");
  with_unit<segment_reductions>(in.type, monoid, [&]<class T>(std::type_identity<T>) {
    compiled::reduce_segments<T>(executor, in, offsets, out, monoid);
  });
}

void reduce_runs_by_type(const runs_request& request) {
  check_same_type(request.in, "in", request.out, "out");
  check_same_type(request.keys, "keys", request.keys_out, "keys_out");
  with_unit<segment_reductions>(request.in.type, request.monoid,
                                [&]<class T>(std::type_identity<T>) { compiled::reduce_runs<T>(request); });
}

}  // namespace
}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_inclusive_segmented_scan(upsweep_device* device, upsweep_input in, upsweep_segments segments,
                                     upsweep_output out, int monoid, int reversed) {
  return guarded([&] {
    scan_segments(segments.kind, {executor_of(device), in, segments.marks, out, monoid, false, reversed != 0});
  });
}
int upsweep_exclusive_segmented_scan(upsweep_device* device, upsweep_input in, upsweep_segments segments,
                                     upsweep_output out, int monoid, int reversed) {
  return guarded([&] {
    scan_segments(segments.kind, {executor_of(device), in, segments.marks, out, monoid, true, reversed != 0});
  });
}
int upsweep_segmented_reduce(upsweep_device* device, upsweep_input in, upsweep_input offsets, upsweep_output out,
                             int monoid) {
  return guarded([&] { reduce_by_type(executor_of(device), in, offsets, out, monoid); });
}
int upsweep_reduce_by_key(upsweep_device* device, upsweep_input keys, upsweep_input in, upsweep_output keys_out,
                          upsweep_output out, int monoid, int64_t* count) {
  return guarded([&] {
    upsweep::device& executor = executor_of(device);
    result_of(count, "count") = executor.returned<upsweep::index_t>([&](upsweep::index_t* to) {
      reduce_runs_by_type({executor, keys, in, keys_out, out, monoid, to});
    });
  });
}
int upsweep_reduce_by_key_to(upsweep_device* device, upsweep_input keys, upsweep_input in, upsweep_output keys_out,
                             upsweep_output out, int monoid, int64_t* count) {
  return guarded([&] { reduce_runs_by_type({executor_of(device), keys, in, keys_out, out, monoid, count}); });
}

}  // extern "C"
