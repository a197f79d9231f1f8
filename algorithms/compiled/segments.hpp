// Scans and reductions of segments as the C interface takes them, before and behind the choice of a type. Each type has
// a unit for each of these functions.
#pragma once
#include <string>
#include <type_traits>

#include <upsweep/c/segments.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/library/table.hpp>

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
template <class T>
void scan_by_heads(const segments_request& request);
template <class T>
void scan_by_offsets(const segments_request& request);
template <class T>
void scan_by_keys(const segments_request& request);

template <class T>
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
template <class T>
void reduce_runs(const runs_request& request);

//! Which monoids have instances over segments.
template <class M>
struct has_segments : std::bool_constant<library::is_of_segments<M> && has_instance<M>::value> {};

}  // namespace UPSWEEP_NAMESPACE::compiled
