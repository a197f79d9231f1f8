// Radix sorts as the C interface takes them, before and behind the choice of types. Each type of keys has a unit.
#pragma once
#include <upsweep/c/radix_sort.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

struct sort_request {
  device& executor;
  upsweep_input keys_in;
  upsweep_input values_in;
  upsweep_output keys_out;
  upsweep_output values_out;
  upsweep_radix_options options;
};

template <class Key>
void sort_keys(const sort_request& request);
//! With values of the size of V.
template <class Key, class V>
void sort_pairs(const sort_request& request);

}  // namespace UPSWEEP_NAMESPACE::compiled
