// The instances of scans over items of one type, and of signed integers in the unit of those without a sign: kernels
// that are alike compress well side by side. Nine instances take three quarters of what five took in two units (sm_90).
#pragma once
#include <cstring>
#include <span>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "monoids.hpp"
#include "scan.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! Is identity ∘ x the bits of x for all x? Of floats 0 + −0 is not, nor need 1·NaN be.
template <class T, class M>
inline constexpr bool identity_is_exact = is_order(library::monoid_code<M>) || std::is_integral_v<T>;

template <class Unit, class Along>
void scan_along(const scan_request& request, const Along& along) {
  const auto scan = [&]<class T, class M>(std::type_identity<T>, const M& m) {
    const std::span<const T> in = items_of<T>(request.in);
    const std::span<T> out = items_of<T>(request.out);
    if (!request.exclusive) return inclusive_scan(request.executor, in, out, m, along);
    if constexpr (!identity_is_exact<T, M>) {
      if (!request.init) return exclusive_scan(request.executor, in, out, m, along);
    }
    T init = m.identity();
    if (request.init) std::memcpy(&init, request.init, sizeof init);
    exclusive_scan(request.executor, in, out, m, init, along);
  };
  with_instance_of_unit<Unit, scans>(request.in.type, request.monoid, scan);
}

template <class Unit>
void scan_items(const scan_request& request) {
  if (request.along.reversed) scan_along<Unit>(request, reversed);
  else scan_along<Unit>(request, forward);
}
template <class Unit>
void scan_rows(const scan_request& request) {
  if (request.along.reversed) scan_along<Unit>(request, reversed_rows(request.along.row_length));
  else scan_along<Unit>(request, rows(request.along.row_length));
}

template <class Unit>
void reduce_items(device& executor, const upsweep_input& in, int monoid, void* result) {
  with_instance_of_unit<Unit, reductions>(in.type, monoid, [&]<class T, class M>(std::type_identity<T>, const M& m) {
    const std::span<const T> from = items_of<T>(in);
    auto* const to = static_cast<typename M::value_type*>(result);
    if constexpr (library::placed_by<T, M>) reduce(executor, contiguous(from, indices()), lift_indexed{}, m, to);
    else reduce(executor, from, m, to);
  });
}

}  // namespace UPSWEEP_NAMESPACE::compiled
