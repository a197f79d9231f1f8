// Sparse products as the C interface takes them.
#pragma once
#include <upsweep/c/spmv.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "boundary.hpp"
#include "csr.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! What a matrix is multiplied by, and where the result goes.
struct product_request {
  device& executor;
  upsweep_input x;
  upsweep_output y;
  const void* alpha;
  const void* beta;

  void check_types(int value_type) const {
    if (x.type != value_type) throw not_compiled("x: its type is not that of the values");
    if (y.type != value_type) throw not_compiled("y: its type is not that of the values");
  }
  template <class Value>
  Value alpha_of() const {
    return alpha ? *static_cast<const Value*>(alpha) : Value{1};
  }
  template <class Value>
  Value beta_of() const {
    return beta ? *static_cast<const Value*>(beta) : Value{0};
  }
};

}  // namespace UPSWEEP_NAMESPACE::compiled
