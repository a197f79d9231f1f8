// Calls of the standard's algorithms in either way.
#pragma once
#if __has_include(<tbb/tbb.h>)  // what libstdc++ runs its parallel algorithms on
#include <execution>
#endif

#include "peers.hpp"

namespace bench::peers {

//! call(policy…) gets no policy or std::execution::par.
template <class F>
auto by(way w, F call) {
#if defined(__cpp_lib_execution) && __has_include(<tbb/tbb.h>)
  if (w == way::parallel) return call(std::execution::par);
#endif
  static_cast<void>(w);
  return call();
}

}  // namespace bench::peers
