// The instances of partitions of items of one type.
#pragma once
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/partition.hpp>

#include "compaction.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class T>
void part_items(device& executor, std::span<const T> in, std::span<T> selected, std::span<T> rejected,
                const in_interval<T>& test, index_t* count) {
  partition_copy(executor, in, selected, rejected, test, count);
}
template <class T>
void part_in_three(device& executor, std::span<const T> in, std::span<T> out0, std::span<T> out1, std::span<T> out2,
                   const in_interval<T>& first, const in_interval<T>& second, index_t* counts) {
  three_way_partition(executor, in, out0, out1, out2, first_of(first, second), counts);
}
template <class T>
void part_into_one(device& executor, std::span<const T> in, std::span<T> out, const in_interval<T>& test,
                   index_t* count) {
  stable_partition_copy(executor, in, out, test, count);
}
template <class T>
void part_in_place(device& executor, std::span<T> items, const in_interval<T>& test, index_t* count) {
  stable_partition(executor, items, test, count);
}

}  // namespace UPSWEEP_NAMESPACE::compiled
