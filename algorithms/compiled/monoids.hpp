// From numbers of the C interface to monoids over items: the table of library/table.hpp, as it is walked when the
// library runs.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include <upsweep/compensated_plus.hpp>
#include <upsweep/config.hpp>
#include <upsweep/library/table.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/reproducible_plus.hpp>

#include "table.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! Whether the result depends on the sign of the items' type. Sums, products and bits of signed integers are those of
//! unsigned ones, which stand for them: a third fewer kernels.
inline constexpr bool is_order(int monoid) {
  return monoid == UPSWEEP_MINIMUM || monoid == UPSWEEP_MAXIMUM || monoid == UPSWEEP_ARGMIN || monoid == UPSWEEP_ARGMAX;
}
inline int type_of_instance(int type, int monoid) {
  if (is_order(monoid)) return type;
  return type == UPSWEEP_INT32 ? UPSWEEP_UINT32 : type == UPSWEEP_INT64 ? UPSWEEP_UINT64 : type;
}
template <class T, class M>
inline constexpr bool has_instance = is_order(library::monoid_code<M>) || std::is_same_v<T, unit_type<T>>;

//! Families of calls: whether items of type T are combined by M in them.
struct scans {
  template <class T, class M>
  static constexpr bool has = library::scanned_by<T, M>;
};
struct segment_reductions {
  template <class T, class M>
  static constexpr bool has = library::reduced_by<T, M>;
};
struct reductions {
  template <class T, class M>
  static constexpr bool has = library::reduced_by<T, M> || library::placed_by<T, M>;
};

//! f(std::type_identity<T>, m) of the instance of such a family that works for these items and this monoid.
template <class Family, class F>
void with_instance(int type, int monoid, const F& f) {
  bool found = false;
  const auto use = [&]<class T, class M>(std::type_identity<T> items, const M& m) {
    if constexpr (Family::template has<T, M> && has_instance<T, M>) {
      found = true;
      f(items, m);
    }
  };
  const auto choose = [&]<class T>(std::type_identity<T> items) {
    switch (monoid) {
#define UPSWEEP_ROW(monoid, name, code) \
  case code:                            \
    return use(items, upsweep::monoid<T>{});
      UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
      UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
      UPSWEEP_LIBRARY_MONOIDS_OF_PLACES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code)                                                 \
  case code:                                                                            \
    if constexpr (std::is_floating_point_v<T>) return use(items, upsweep::monoid<T>{}); \
    break;
      UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code) \
  case code:                            \
    return use(items, upsweep::monoid{});
      UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
      default:
        break;
    }
  };
  if (type == UPSWEEP_UINT8) choose(std::type_identity<std::uint8_t>{});  // flags
  else with_type(type_of_instance(type, monoid), "in", choose);
  if (!found)
    throw not_compiled("monoid: number " + std::to_string(monoid) + " over items of this type is not in the library");
}

//! f(std::type_identity<T>) of the type whose unit has this instance.
template <class Family, class F>
void with_unit(int type, int monoid, const F& f) {
  with_instance<Family>(type, monoid,
                        [&]<class T>(std::type_identity<T>, const auto&) { f(std::type_identity<unit_type<T>>{}); });
}
//! In the unit of `Unit`: the same as with_instance, of its own ones.
template <class Unit, class Family, class F>
void with_instance_of_unit(int type, int monoid, const F& f) {
  with_instance<Family>(type, monoid, [&]<class T>(std::type_identity<T> items, const auto& m) {
    if constexpr (std::is_same_v<unit_type<T>, Unit>) f(items, m);
  });
}

}  // namespace UPSWEEP_NAMESPACE::compiled
