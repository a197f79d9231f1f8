// What the tests of quicksort share.
#pragma once
#include <vector>

#include <upsweep/quicksort.hpp>

#include "oracle.hpp"
#include "support.hpp"

namespace test {

//! quicksort against the oracle.
template <class T, class Less>
void check_sort(const std::vector<T>& items, const Less& less) {
  const index_t n = oracle::size(items);
  INFO("n = " << n);
  const auto expected = oracle::stable_sort(items, less);
  on_executors([&](auto& executor) {
    guarded<T> memory(executor, items, shift_of(n));
    upsweep::quicksort(executor, memory.range(), less);
    check_same_bits(memory.items(executor), expected);
  });
}

}  // namespace test
