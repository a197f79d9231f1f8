// The standard library's algorithms as peers of the CPU rows.
#pragma once
#include <string>
#include <vector>
#if __has_include(<tbb/tbb.h>)  // what libstdc++ runs its parallel algorithms on
#include <execution>
#endif

#include "harness.hpp"

namespace bench {

//! The serial algorithm and, for rows on several threads where it can be had, the parallel one. call(policy…) gets no
//! policy or std::execution::par.
template <class F>
std::vector<contender> serial_and_parallel([[maybe_unused]] const bed& b, const std::string& name, F call) {
  std::vector<contender> peers{{name, [=] { call(); }}};
#if defined(__cpp_lib_execution) && __has_include(<tbb/tbb.h>)
  if (b.exec.threads() > 1) peers.push_back({name + "(par)", [=] { call(std::execution::par); }});
#endif
  return peers;
}

}  // namespace bench
