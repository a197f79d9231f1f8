// Compaction, partition and counts as the C interface takes them, behind the choice of a type. Those by comparisons and
// those of runs have units: of unsigned integers, which stand for signed ones, and of floats.
#pragma once
#include <cstring>
#include <span>
#include <type_traits>

#include <upsweep/c/interval.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/require.hpp>

#include "scan.hpp"
#include "table.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

//! Is an item in the interval? (Or outside of it.) One comparison of integers, whatever their signs: how far they lie
//! behind the lowest one.
template <class T>
struct in_interval {
  T lowest, last;  // the highest; of integers how far it lies behind the lowest
  bool outside;
  UPSWEEP_HD bool operator()(const T& x) const {
    if constexpr (std::is_integral_v<T>) return (static_cast<T>(x - lowest) <= last) != outside;
    else return (lowest <= x && x <= last) != outside;
  }
};

//! The test of items of type T, as the unit for them has it.
template <class T>
in_interval<unit_type<T>> test_of(const upsweep_interval& interval) {
  detail::require(interval.lowest != nullptr && interval.highest != nullptr, "interval", ": an end is a null pointer");
  using U = unit_type<T>;
  T lowest, highest;
  std::memcpy(&lowest, interval.lowest, sizeof lowest);
  std::memcpy(&highest, interval.highest, sizeof highest);
  const bool outside = interval.outside != 0;
  if constexpr (std::is_integral_v<T>) {
    if (lowest > highest) return {0, static_cast<U>(~U{0}), !outside};  // none, which is outside of all
    const auto first = static_cast<U>(lowest);
    return {first, static_cast<U>(static_cast<U>(highest) - first), outside};
  } else {
    return {lowest, highest, outside};
  }
}

// ---------------------------------------------------------------- units, by the type of items
template <class T>
void count_items(device& executor, std::span<const T> in, const in_interval<T>& test, index_t* count);
template <class T>
void keep_items(device& executor, std::span<const T> in, std::span<T> out, const in_interval<T>& test, index_t* count);
template <class T>
void keep_firsts(device& executor, std::span<const T> in, std::span<T> out, index_t* count);
template <class T, class Length>
void encode_runs(device& executor, std::span<const T> in, std::span<T> values, std::span<Length> lengths,
                 index_t* count);

template <class T>
void part_items(device& executor, std::span<const T> in, std::span<T> selected, std::span<T> rejected,
                const in_interval<T>& test, index_t* count);
template <class T>
void part_in_three(device& executor, std::span<const T> in, std::span<T> out0, std::span<T> out1, std::span<T> out2,
                   const in_interval<T>& first, const in_interval<T>& second, index_t* counts);
template <class T>
void part_into_one(device& executor, std::span<const T> in, std::span<T> out, const in_interval<T>& test,
                   index_t* count);
template <class T>
void part_in_place(device& executor, std::span<T> items, const in_interval<T>& test, index_t* count);

}  // namespace UPSWEEP_NAMESPACE::compiled
