// What scans and reductions are compiled into upsweep::cuda, of segments too: one table. Of it are made the instances
// (algorithms/compiled), the question whether a call is among them, the error's text when it is not, the page's table
// (tests/library/calls.cpp) and the test of all.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

// ROW(type, its name, C's name). CMake reads these lines too: a unit of the library for each.
#define UPSWEEP_LIBRARY_TYPES(ROW)             \
  ROW(std::int32_t, "int32", UPSWEEP_INT32)    \
  ROW(std::uint32_t, "uint32", UPSWEEP_UINT32) \
  ROW(std::int64_t, "int64", UPSWEEP_INT64)    \
  ROW(std::uint64_t, "uint64", UPSWEEP_UINT64) \
  ROW(float, "float", UPSWEEP_FLOAT)           \
  ROW(double, "double", UPSWEEP_DOUBLE)

// SMALL(type, its name, C's name): items of which there are no scans; families that stand on scans take them.
#define UPSWEEP_LIBRARY_SMALL_TYPES(SMALL)    \
  SMALL(std::int8_t, "int8", UPSWEEP_INT8)    \
  SMALL(std::uint8_t, "uint8", UPSWEEP_UINT8) \
  SMALL(std::int16_t, "int16", UPSWEEP_INT16) \
  SMALL(std::uint16_t, "uint16", UPSWEEP_UINT16)

// ROW(monoid, its name, C's name): over all types, and over integers alone.
#define UPSWEEP_LIBRARY_MONOIDS(ROW)                \
  ROW(plus, "plus", UPSWEEP_PLUS)                   \
  ROW(multiplies, "multiplies", UPSWEEP_MULTIPLIES) \
  ROW(minimum, "minimum", UPSWEEP_MINIMUM)          \
  ROW(maximum, "maximum", UPSWEEP_MAXIMUM)
#define UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(ROW) \
  ROW(bit_and, "bit_and", UPSWEEP_BIT_AND)       \
  ROW(bit_or, "bit_or", UPSWEEP_BIT_OR)          \
  ROW(bit_xor, "bit_xor", UPSWEEP_BIT_XOR)

// By these nothing is scanned, which would take as much code again: floats are reduced, and flags of one byte, of
// segments too; and items of all types with their indices, to one.
#define UPSWEEP_LIBRARY_SUMS_OF_FLOATS(ROW)                           \
  ROW(compensated_plus, "compensated_plus", UPSWEEP_COMPENSATED_PLUS) \
  ROW(reproducible_plus, "reproducible_plus", UPSWEEP_REPRODUCIBLE_PLUS)
#define UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(ROW)          \
  ROW(logical_and, "logical_and", UPSWEEP_LOGICAL_AND) \
  ROW(logical_or, "logical_or", UPSWEEP_LOGICAL_OR)
#define UPSWEEP_LIBRARY_MONOIDS_OF_PLACES(ROW) \
  ROW(argmin, "argmin", UPSWEEP_ARGMIN)        \
  ROW(argmax, "argmax", UPSWEEP_ARGMAX)

//! What offsets of segments are counted in; and the integers whose bits stand for those of all keys of their size.
#define UPSWEEP_LIBRARY_OFFSETS(ROW) ROW(std::int32_t, "int32") ROW(std::int64_t, "int64")
#define UPSWEEP_LIBRARY_KEYS(ROW) ROW(std::uint32_t, "4") ROW(std::uint64_t, "8")

#define UPSWEEP_LIBRARY_NAME(thing, name, code) " " name
#define UPSWEEP_LIBRARY_SHORT_NAME(thing, name) " " name
#define UPSWEEP_LIBRARY_TYPE_NAMES UPSWEEP_LIBRARY_TYPES(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_MONOID_NAMES UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_INTEGER_NAMES UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_FLAG_NAMES UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_SUM_NAMES UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_PLACE_NAMES UPSWEEP_LIBRARY_MONOIDS_OF_PLACES(UPSWEEP_LIBRARY_NAME)
#define UPSWEEP_LIBRARY_OFFSET_NAMES UPSWEEP_LIBRARY_OFFSETS(UPSWEEP_LIBRARY_SHORT_NAME)
#define UPSWEEP_LIBRARY_KEY_BYTES UPSWEEP_LIBRARY_KEYS(UPSWEEP_LIBRARY_SHORT_NAME)
//! The calls, for errors and for the page: their names, "and", commas.
#define UPSWEEP_LIBRARY_SCANS "inclusive_scan, exclusive_scan (forward, reversed, rows, reversed_rows) and reduce"
#define UPSWEEP_LIBRARY_SEGMENT_SCANS                    \
  "inclusive_segmented_scan, exclusive_segmented_scan, " \
  "inclusive_scan_by_key, exclusive_scan_by_key (forward, reversed), segmented_reduce and reduce_by_key"
#define UPSWEEP_LIBRARY_REDUCTIONS "reduce, segmented_reduce and reduce_by_key"
//! What the error of a call says that is not compiled in.
#define UPSWEEP_LIBRARY_HAS_SCANS                                                                                     \
  "It has " UPSWEEP_LIBRARY_SCANS ", and " UPSWEEP_LIBRARY_SEGMENT_SCANS ", over" UPSWEEP_LIBRARY_TYPE_NAMES          \
  ", accumulated in the same type by" UPSWEEP_LIBRARY_MONOID_NAMES ", integers also by" UPSWEEP_LIBRARY_INTEGER_NAMES \
  "; " UPSWEEP_LIBRARY_REDUCTIONS " of floats also by" UPSWEEP_LIBRARY_SUM_NAMES                                      \
  ", and of flags of one byte by" UPSWEEP_LIBRARY_FLAG_NAMES                                                          \
  "; reduce of contiguous(range, indices()) and lift_indexed by" UPSWEEP_LIBRARY_PLACE_NAMES                          \
  "; segments by heads of one byte, offsets of type" UPSWEEP_LIBRARY_OFFSET_NAMES                                     \
  ", keys that are integers of" UPSWEEP_LIBRARY_KEY_BYTES " bytes"

namespace UPSWEEP_NAMESPACE {
// Of compensated_plus.hpp and reproducible_plus.hpp, which stand on a floor above.
template <std::floating_point T>
struct compensated_plus;
template <class T>
struct reproducible_plus;
}  // namespace UPSWEEP_NAMESPACE

namespace UPSWEEP_NAMESPACE::library {

template <class T, class Row>
inline constexpr bool is_same_number =
    std::is_same_v<T, Row> || (std::is_integral_v<T> && std::is_integral_v<Row> && !std::is_same_v<T, bool> &&
                               sizeof(T) == sizeof(Row) && std::is_signed_v<T> == std::is_signed_v<Row>);

//! What C calls a type: `long long`, too, is the integer of its size. 0: it is not in the table. (A sum, since nvcc
//! with GCC 13 refuses a function here.)
template <class T>
inline constexpr int type_code = 0
#define UPSWEEP_ROW(type, name, code) +(is_same_number<T, type> ? code : 0)
    UPSWEEP_LIBRARY_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    ;

//! The same of small types, too.
template <class T>
inline constexpr int item_code = type_code<T>
#define UPSWEEP_ROW(type, name, code) +(is_same_number<T, type> ? code : 0)
    UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
    ;

//! A flag of one byte: zero, or not.
template <class Flag>
concept byte_flag = sizeof(Flag) == 1 && (std::is_integral_v<Flag> || std::is_same_v<Flag, std::byte>);

//! What C calls a monoid. 0: it is not in the table.
template <class M>
inline constexpr int monoid_code = 0;
#define UPSWEEP_ROW(monoid, name, code) \
  template <class T>                    \
  inline constexpr int monoid_code<monoid<T>> = code;
UPSWEEP_LIBRARY_MONOIDS(UPSWEEP_ROW)
UPSWEEP_LIBRARY_MONOIDS_OF_PLACES(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code) \
  template <class T>                    \
  inline constexpr int monoid_code<monoid<T>> = std::is_integral_v<T> ? code : 0;
UPSWEEP_LIBRARY_MONOIDS_OF_INTEGERS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code) \
  template <std::floating_point T>      \
  inline constexpr int monoid_code<monoid<T>> = code;
UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code) \
  template <>                           \
  inline constexpr int monoid_code<monoid> = code;
UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_ROW)
#undef UPSWEEP_ROW

//! What C calls the type of items that M combines: of its values, or of what becomes one. 0: it combines no such items.
template <class T, class M>
inline constexpr int code_of_items = std::is_same_v<T, typename M::value_type> ? type_code<T> : 0;
#define UPSWEEP_ROW(monoid, name, code) \
  template <std::floating_point T>      \
  inline constexpr int code_of_items<T, monoid<T>> = type_code<T>;
UPSWEEP_LIBRARY_SUMS_OF_FLOATS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
#define UPSWEEP_ROW(monoid, name, code) \
  template <byte_flag Flag>             \
  inline constexpr int code_of_items<Flag, monoid> = std::is_integral_v<Flag> ? UPSWEEP_UINT8 : 0;
UPSWEEP_LIBRARY_MONOIDS_OF_FLAGS(UPSWEEP_ROW)
#undef UPSWEEP_ROW

//! Are items of type T, or segments of them, reduced by M?
template <class T, class M>
concept reduced_by = monoid_code<M> != 0 && code_of_items<T, M> != 0;
//! And are they scanned? Where a value of M is an item.
template <class T, class M>
concept scanned_by = reduced_by<T, M> && type_code<T> != 0 && std::is_same_v<T, typename M::value_type>;
//! Is a range of T, lifted with its indices, reduced by M?
template <class T, class M>
concept placed_by = monoid_code<M> != 0 && type_code<T> != 0 && std::is_same_v<indexed<T>, typename M::value_type>;

template <class Offset>
constexpr bool counts_offsets() {
#define UPSWEEP_ROW(offset, name) \
  if (is_same_number<Offset, offset>) return true;
  UPSWEEP_LIBRARY_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}
//! Integers alone: equal floats need not have equal bits.
template <class Key>
constexpr bool is_key() {
#define UPSWEEP_ROW(key, bytes) \
  if (std::is_integral_v<Key> && sizeof(Key) == sizeof(key)) return true;
  UPSWEEP_LIBRARY_KEYS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::library
