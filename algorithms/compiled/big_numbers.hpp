// Sums and differences of big numbers as the C interface takes them, before and behind the choice of a limb.
#pragma once
#include <cstdint>

#include <upsweep/c/big_numbers.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

enum class limb_operation { add, subtract, negate };
struct limb_request {
  limb_operation operation;
  upsweep_input a, b;  // a alone is negated
  upsweep_output out;
  index_t length;  // of a number; 0: there is one
  std::uint8_t* carried;
};

//! Each limb has a unit.
template <class Limb>
void combine_limbs(device& executor, const limb_request& request);

}  // namespace UPSWEEP_NAMESPACE::compiled
