// The instances of compactions and counts of items of one type.
#pragma once
#include <upsweep/compaction.hpp>
#include <upsweep/config.hpp>
#include <upsweep/search.hpp>

#include "compaction.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

template <class T>
void count_items(device& executor, std::span<const T> in, const in_interval<T>& test, index_t* count) {
  count_if(executor, in, test, count);
}
template <class T>
void keep_items(device& executor, std::span<const T> in, std::span<T> out, const in_interval<T>& test, index_t* count) {
  copy_if(executor, in, out, test, count);
}
template <class T>
void keep_firsts(device& executor, std::span<const T> in, std::span<T> out, index_t* count) {
  unique_copy(executor, in, out, count);
}
template <class T, class Length>
void encode_runs(device& executor, std::span<const T> in, std::span<T> values, std::span<Length> lengths,
                 index_t* count) {
  run_length_encode(executor, in, values, lengths, count);
}

}  // namespace UPSWEEP_NAMESPACE::compiled
