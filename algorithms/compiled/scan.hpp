// Scans and reductions as the C interface takes them, before and behind the choice of a type. scan_items.hpp and
// scan_rows.hpp define what is declared here; each type has a unit of its own, so that they compile side by side.
#pragma once
#include <cstring>
#include <span>
#include <type_traits>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/monoid.hpp>

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

template <class T>
void scan_items(const scan_request& request);
template <class T>
void scan_rows(const scan_request& request);
template <class T>
void reduce_items(device& executor, const upsweep_input& in, int monoid, void* result);

//! Whether the result depends on the sign of the items' type. Sums, products and bits of signed integers are those of
//! unsigned ones, which stand for them: a third fewer kernels.
template <class M>
inline constexpr bool orders = false;
template <class T>
inline constexpr bool orders<minimum<T>> = true;
template <class T>
inline constexpr bool orders<maximum<T>> = true;
inline bool is_order(int monoid) { return monoid == UPSWEEP_MINIMUM || monoid == UPSWEEP_MAXIMUM; }

template <class T>
inline constexpr bool is_signed_integer = std::is_integral_v<T> && std::is_signed_v<T>;
template <class M>
struct has_instance : std::bool_constant<orders<M> || !is_signed_integer<typename M::value_type>> {};

//! f(the type whose unit scans items of this type by this monoid)
template <class F>
void with_type_of_unit(int type, int monoid, const F& f) {
  with_type(type, "in", [&]<class T>(std::type_identity<T> same) {
    if constexpr (is_signed_integer<T>) {
      if (!is_order(monoid)) return f(std::type_identity<std::make_unsigned_t<T>>{});
    }
    f(same);
  });
}

//! Is identity ∘ x the bits of x for all x? Of floats 0 + −0 is not, nor need 1·NaN be.
template <class M>
inline constexpr bool identity_is_exact = orders<M> || std::is_integral_v<typename M::value_type>;

template <class T>
std::span<const T> items_of(const upsweep_input& in) {
  return {static_cast<const T*>(in.data), static_cast<std::size_t>(in.size)};
}
template <class T>
std::span<T> items_of(const upsweep_output& out) {
  return {static_cast<T*>(out.data), static_cast<std::size_t>(out.size)};
}

}  // namespace UPSWEEP_NAMESPACE::compiled
