// What the tests of quicksort share.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <upsweep/quicksort.hpp>

#include "oracle.hpp"
#include "support.hpp"

namespace test {

struct by_value {  // which quicksort does not know to be <
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
template <int Bytes>
struct record {  // sorted by a part of it
  std::uint16_t key;
  std::array<std::uint8_t, Bytes - 2> rest;
};
struct by_key {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

//! quicksort where an executor works, against what the oracle says.
template <class Executor, class T, class Less>
void check_sort_on(Executor& executor, const std::vector<T>& items, const Less& less, const std::vector<T>& expected) {
  guarded<T> memory(executor, items, shift_of(oracle::size(items)));
  upsweep::quicksort(executor, memory.range(), less);
  check_same_bits(memory.items(executor), expected);
}
//! quicksort against the oracle.
template <class T, class Less>
void check_sort(const std::vector<T>& items, const Less& less) {
  const index_t n = oracle::size(items);
  INFO("n = " << n);
  const auto expected = oracle::stable_sort(items, less);
  on_executors([&](auto& executor) { check_sort_on(executor, items, less, expected); });
}

}  // namespace test
