// What sort does by functions of its own, where an executor works: a quicksort of numbers by their bits, and the steps
// of the one that is drawn.
#pragma once
#include <cstdint>
#include <span>

#include <upsweep/executor.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/transform.hpp>

#include "own_device.hpp"

namespace app {

// ---------------------------------------------------------------- the order of numbers, by their bits
template <class U>
struct rank_of_bits {
  // A negative float is the larger the smaller its bits are. (And where numbers descend all bits are flipped, so that
  // no comparison asks for the direction: it is compiled hundreds of times.)
  U flipped, flipped_if_negative;
  UPSWEEP_HD U operator()(U bits) const {
    return static_cast<U>(bits ^ (bits >> (8 * sizeof(U) - 1) ? flipped_if_negative : flipped));
  }
};
template <class U>
struct comes_before {
  rank_of_bits<U> rank;
  UPSWEEP_HD bool operator()(U a, U b) const { return rank(a) < rank(b); }
};

// ---------------------------------------------------------------- a level of a quicksort
struct is_below_limit {  // its segment's
  const std::uint64_t* limits;
  UPSWEEP_HD bool operator()(std::uint64_t key, upsweep::index_t segment) const { return key < limits[segment]; }
};
struct key_at {
  const std::uint64_t* keys;
  const std::int64_t* positions;
  UPSWEEP_HD std::uint64_t operator()(upsweep::index_t i) const { return keys[positions[i]]; }
};
struct as_it_is {
  UPSWEEP_HD std::uint64_t operator()(std::uint64_t key) const { return key; }
};

// ---------------------------------------------------------------- calls, which do not wait
template <class Executor, class U>
void quicksort_bits(Executor& executor, std::span<U> numbers, const comes_before<U>& less) {
  upsweep::quicksort(executor, numbers, less);
}
//! Keys below their segment's limit first; where each segment's others begin.
template <class Executor>
void split_segments(Executor& executor, std::span<const std::uint64_t> keys, std::span<const std::int64_t> offsets,
                    const std::uint64_t* limits, std::span<std::uint64_t> out, std::span<std::int64_t> splits) {
  upsweep::segmented_partition(executor, keys, offsets, out, splits, is_below_limit{limits});
}
//! The keys at these positions.
template <class Executor>
void pick_keys(Executor& executor, const std::uint64_t* keys, std::span<const std::int64_t> positions,
               std::span<std::uint64_t> found) {
  upsweep::transform(executor, upsweep::computed<std::uint64_t>(key_at{keys, positions.data()}), found, as_it_is{});
}

// ---------------------------------------------------------------- the same in sort.cu
template <class U>
void quicksort_bits(device_stream there, std::span<U> numbers, const comes_before<U>& less);
void split_segments(device_stream there, std::span<const std::uint64_t> keys, std::span<const std::int64_t> offsets,
                    const std::uint64_t* limits, std::span<std::uint64_t> out, std::span<std::int64_t> splits);
void pick_keys(device_stream there, const std::uint64_t* keys, std::span<const std::int64_t> positions,
               std::span<std::uint64_t> found);

}  // namespace app
