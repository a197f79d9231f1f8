// What filters store: outputs as samples, staged a slice at a time as a lane walks along its items.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/cuda/emit.hpp>
#include <upsweep/signal.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

template <class T>
struct sample_store {
  using value_type = T;
  named_range<T> range;
};
template <class T>
struct staged_result<sample_store<T>> {
  using type = T;
};
template <class T>
inline constexpr bool stages_early<sample_store<T>> = true;

}  // namespace UPSWEEP_NAMESPACE::gpu
