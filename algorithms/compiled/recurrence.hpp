// Recurrences as the C interface takes them, before and behind the choice of types.
#pragma once
#include <upsweep/c/recurrence.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! Of order 1 or 2, by direction and rows of one length. Each has a unit, and so have those of segments.
template <class T, int Order>
void recur_in_rows(device& executor, const upsweep_recurrence& r);
template <class T, int Order>
void recur_in_segments(device& executor, const upsweep_recurrence& r);

}  // namespace UPSWEEP_NAMESPACE::compiled
