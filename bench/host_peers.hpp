// Peers of the CPU rows (peers/peers.hpp) as contenders.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness.hpp"
#include "peers/peers.hpp"

namespace bench {

//! The serial algorithm and, for rows on several threads where it can be had, the parallel one: call(way).
template <class F>
std::vector<contender> serial_and_parallel(const bed& b, const std::string& name, F call) {
  std::vector<contender> found{{name, [=] { call(peers::way::standard); }}};
  if (b.exec.threads() > 1 && peers::has_parallel())
    found.push_back({name + "(par)", [=] { call(peers::way::parallel); }});
  return found;
}
//! The same, and a serial loop.
template <class F>
std::vector<contender> all_ways(const bed& b, const std::string& name, F call) {
  auto found = serial_and_parallel(b, name, call);
  found.push_back({"a serial loop", [=] { call(peers::way::loop); }});
  return found;
}
template <class F>
std::vector<contender> serial_loop(F loop) {
  return {{"a serial loop", loop}};
}

//! Sorts of `in`, each of which sorts a fresh copy.
template <class T>
std::vector<contender> sorts_of_a_copy(const std::vector<peers::sort<T>>& sorts, std::span<const T> in,
                                       std::span<T> out, index_t n) {
  std::vector<contender> found;
  for (const auto& each : sorts)
    found.push_back({"copy and " + each.name, [=] {
                       sort_in_turn(in, out, n, [&](std::span<const T> from, std::span<T> to) {
                         std::copy(from.begin(), from.end(), to.begin());
                         each.in_place(to.data(), to.data() + to.size());
                       });
                     }});
  return found;
}

}  // namespace bench
