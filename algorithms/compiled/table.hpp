// From numbers of the C interface to types: the table of library/table.hpp, as it is walked when the library runs.
#pragma once
#include <string>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/library/bytes.hpp>
#include <upsweep/library/table.hpp>

#include "boundary.hpp"
#include "numbers.hpp"
#include "small_numbers.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! f(std::type_identity<T>) of the type that has this number. `name` is the argument's.
#define UPSWEEP_ROW(type, type_name, code) \
  case code:                               \
    return f(std::type_identity<type>{});
template <class F>
void with_type(int type, const char* name, const F& f) {
  switch (type) {
    UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
    default:
      throw not_compiled(std::string(name) + ": type " + std::to_string(type) + " is not in the library");
  }
}
//! The same of small integers too.
template <class F>
void with_number(int type, const char* name, const F& f) {
  switch (type) {
    UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
    default:
      with_type(type, name, f);
  }
}
#undef UPSWEEP_ROW

//! The same of the table's integers, as indices, lengths and offsets are.
template <class F>
void with_index(int type, const char* name, const F& f) {
  with_type(type, name, [&]<class T>(std::type_identity<T> same) {
    if constexpr (std::is_integral_v<T>) f(same);
    else throw not_compiled(std::string(name) + ": its type is not an integer");
  });
}
//! f(std::type_identity<T>) of the type whose bytes stand for those of this one.
template <class F>
void with_bytes(int type, const char* name, const F& f) {
  if (type == UPSWEEP_16_BYTES) return f(std::type_identity<library::bytes_16>{});
  with_type(type, name, [&]<class T>(std::type_identity<T>) {
    f(std::type_identity<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>{});
  });
}

//! The type whose unit works for items of type T, where it does not matter whether integers have a sign.
template <class T>
struct unit_of;
#define UPSWEEP_ROW(row, name)                                                             \
  template <class T>                                                                       \
    requires(std::is_integral_v<T> == std::is_integral_v<row> && sizeof(T) == sizeof(row)) \
  struct unit_of<T> {                                                                      \
    using type = row;                                                                      \
  };
UPSWEEP_LIBRARY_NUMBERS(UPSWEEP_ROW)
UPSWEEP_LIBRARY_SMALL_NUMBERS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
template <class T>
using unit_type = typename unit_of<T>::type;

//! Throws unless what is written has the type of what is read.
template <class A, class B>
void check_same_type(const A& a, const char* a_name, const B& b, const char* b_name) {
  if (a.type != b.type) throw not_compiled(std::string(b_name) + ": its type is not that of " + a_name);
}

}  // namespace UPSWEEP_NAMESPACE::compiled
