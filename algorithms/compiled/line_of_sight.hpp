// Lines of sight as the C interface takes them, before and behind the choice of a type of heights.
#pragma once
#include <upsweep/c/line_of_sight.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "images.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! Each type has a unit.
template <class T>
void look_along(device& executor, const upsweep_input& heights, double eye, const upsweep_output& visible,
                const upsweep_along& along);
template <class T>
void look_around(device& executor, const upsweep_image_input& heights, const upsweep_viewpoint& from,
                 const upsweep_image_output& visible);

}  // namespace UPSWEEP_NAMESPACE::compiled
