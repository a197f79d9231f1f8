// What a call on a device says that is not compiled into upsweep::cuda.
//   UPSWEEP_NOT_IN_LIBRARY(sort_by_less, "It has no quicksort")
// beside a call's backends, sort_by_less(host&, …) and its like, is one more of them: for a device, where nothing fits
// better.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>

namespace UPSWEEP_NAMESPACE::detail {
//! Executors whose code is made in this file. That of a device may be in the library.
template <class Executor>
concept compiled_here = !UPSWEEP_HAS_LIBRARY || std::is_same_v<Executor, host>;
}  // namespace UPSWEEP_NAMESPACE::detail

#if UPSWEEP_HAS_LIBRARY
#define UPSWEEP_NOT_IN_LIBRARY(function, it_has)                                 \
  template <class... Arguments>                                                  \
  auto function(device&, const Arguments&...) {                                  \
    static_assert(sizeof...(Arguments) > 1000, UPSWEEP_NOT_COMPILED_IN(it_has)); \
  }
//! What such a one says, for those that are written out: they fit some arguments better.
#define UPSWEEP_NOT_COMPILED_IN(it_has)                                                    \
  "upsweep: this call of a device is not compiled into the library upsweep::cuda. " it_has \
  ". Compile this file by nvcc (a .cu file, or the property LANGUAGE CUDA), or call it with a host"
#else
#define UPSWEEP_NOT_IN_LIBRARY(function, it_has)
#endif
