// Numbers in double as floats, where an executor works.
#pragma once
#include <span>

#include <upsweep/executor.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

#include "own_device.hpp"

namespace app {

struct rounded {
  UPSWEEP_HD float operator()(double value) const { return static_cast<float>(value); }
};

//! Does not wait.
template <class Executor>
void round_numbers(Executor& executor, std::span<const double> from, std::span<float> to) {
  upsweep::transform(executor, upsweep::contiguous(from), to, rounded{});
}
void round_numbers(device_stream there, std::span<const double> from, std::span<float> to);  // spmv.cu

}  // namespace app
