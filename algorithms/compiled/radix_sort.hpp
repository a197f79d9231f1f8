// Sorts as the C interface takes them, before and behind the choice of types. Types of keys have units: unsigned
// integers, which stand for signed ones, and floats.
#pragma once
#include <upsweep/c/radix_sort.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"
#include "table.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

struct sort_request {
  device& executor;
  upsweep_input keys_in;
  upsweep_input values_in;
  upsweep_input offsets;
  upsweep_output keys_out;
  upsweep_output values_out;  // or indices
  upsweep_radix_options options;
  bool is_signed;  // the keys are signed integers
  // What errors call the keys: quicksort's are items.
  const char* in_name = "keys_in";
  const char* out_name = "keys_out";
};

template <class Key>
void sort_keys(const sort_request& request);
//! With values of the size of V.
template <class Key, class V>
void sort_pairs(const sort_request& request);
template <class Key, class Index>
void sort_indices(const sort_request& request);
template <class Key, class Offset>
void sort_keys_of_segments(const sort_request& request);
template <class Key, class V, class Offset>
void sort_pairs_of_segments(const sort_request& request);
//! Floats in the order of < or >.
template <class T>
void sort_floats(const sort_request& request);

}  // namespace UPSWEEP_NAMESPACE::compiled
