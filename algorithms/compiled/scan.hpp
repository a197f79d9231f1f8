// Scans and reductions as the C interface takes them, before and behind the choice of a type. scan_unit.hpp defines
// what is declared here; each type has a unit of its own, so that they compile side by side. Integers without a sign
// stand for those with one, and bytes for flags.
#pragma once
#include <span>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>

#include "table.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

struct scan_request {
  device& executor;
  upsweep_input in;
  upsweep_output out;
  int monoid;
  bool exclusive;
  const void* init;  // of an exclusive scan; null: the identity
  upsweep_along along;
};

template <class Unit>
void scan_items(const scan_request& request);
template <class Unit>
void scan_rows(const scan_request& request);
template <class Unit>
void reduce_items(device& executor, const upsweep_input& in, int monoid, void* result);

template <class T>
std::span<const T> items_of(const upsweep_input& in) {
  return {static_cast<const T*>(in.data), static_cast<std::size_t>(in.size)};
}
template <class T>
std::span<T> items_of(const upsweep_output& out) {
  return {static_cast<T*>(out.data), static_cast<std::size_t>(out.size)};
}

}  // namespace UPSWEEP_NAMESPACE::compiled
