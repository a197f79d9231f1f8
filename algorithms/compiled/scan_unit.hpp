// The instances of scans over items of one type.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class T, class Along>
void scan_along(const scan_request& request, const Along& along) {
  const std::span<const T> in = items_of<T>(request.in);
  const std::span<T> out = items_of<T>(request.out);
  with_monoid<T, has_instance>(request.monoid, [&]<class M>(M m) {
    if (!request.exclusive) return inclusive_scan(request.executor, in, out, m, along);
    if constexpr (!identity_is_exact<M>) {
      if (!request.init) return exclusive_scan(request.executor, in, out, m, along);
    }
    T init = m.identity();
    if (request.init) std::memcpy(&init, request.init, sizeof init);
    exclusive_scan(request.executor, in, out, m, init, along);
  });
}

template <class T>
void scan_items(const scan_request& request) {
  if (request.along.reversed) scan_along<T>(request, reversed);
  else scan_along<T>(request, forward);
}
template <class T>
void scan_rows(const scan_request& request) {
  if (request.along.reversed) scan_along<T>(request, reversed_rows(request.along.row_length));
  else scan_along<T>(request, rows(request.along.row_length));
}

template <class T>
void reduce_items(device& executor, const upsweep_input& in, int monoid, void* result) {
  with_monoid<T, has_instance>(monoid,
                               [&]<class M>(M m) { reduce(executor, items_of<T>(in), m, static_cast<T*>(result)); });
}

}  // namespace UPSWEEP_NAMESPACE::compiled
