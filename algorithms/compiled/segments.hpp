// Scans and reductions of segments as the C interface takes them, before and behind the choice of a type. Each type has
// a unit for each of these functions.
#pragma once
#include <string>

#include <upsweep/c/segments.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

struct segments_request {
  device& executor;
  upsweep_input in;
  upsweep_input marks;
  upsweep_output out;
  int monoid;
  bool exclusive;
  bool reversed;
};
template <class Unit>
void scan_by_heads(const segments_request& request);
template <class Unit>
void scan_by_offsets(const segments_request& request);
template <class Unit>
void scan_by_keys(const segments_request& request);

template <class Unit>
void reduce_segments(device& executor, const upsweep_input& in, const upsweep_input& offsets, const upsweep_output& out,
                     int monoid);

struct runs_request {
  device& executor;
  upsweep_input keys;
  upsweep_input in;
  upsweep_output keys_out;
  upsweep_output out;
  int monoid;
  index_t* count;
};
template <class Unit>
void reduce_runs(const runs_request& request);

}  // namespace UPSWEEP_NAMESPACE::compiled
