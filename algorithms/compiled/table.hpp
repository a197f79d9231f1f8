// From numbers of the C interface to types: the table of library/table.hpp, as it is walked when the library runs.
#pragma once
#include <string>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/library/table.hpp>

#include "boundary.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! f(std::type_identity<T>) of the type that has this number. `name` is the argument's.
template <class F>
void with_type(int type, const char* name, const F& f) {
  switch (type) {
#define UPSWEEP_ROW(type, type_name, code) \
  case code:                               \
    return f(std::type_identity<type>{});
    UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    default:
      throw not_compiled(std::string(name) + ": type " + std::to_string(type) + " is not in the library");
  }
}

//! f(M) of the monoid over T that has this number, if Has<M> says that it is compiled.
template <class T, template <class> class Has, class F>
void with_monoid(int monoid, const F& f) {
  switch (monoid) {
#define UPSWEEP_ROW(monoid, name, code)                                           \
  case code:                                                                      \
    if constexpr (Has<upsweep::monoid<T>>::value) return f(upsweep::monoid<T>{}); \
    break;
    UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code)                                             \
  case code:                                                                        \
    if constexpr (std::is_integral_v<T>)                                            \
      if constexpr (Has<upsweep::monoid<T>>::value) return f(upsweep::monoid<T>{}); \
    break;
    UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    default:
      break;
  }
  throw not_compiled("monoid: number " + std::to_string(monoid) + " over items of this type is not in the library");
}

}  // namespace UPSWEEP_NAMESPACE::compiled
