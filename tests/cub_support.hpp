// What tests against CUB share. They include its headers themselves, no more of them than they need: they compile
// slowly.
#pragma once
#include <cstddef>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>

#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

namespace test {

//! Calls a CUB function twice, as it wants: for the size of its storage, then for the work.
template <class F>
void cub_call(upsweep::device& executor, const F& f) {
  std::size_t bytes = 0;
  MUST(f(nullptr, bytes));
  upsweep::buffer<char> storage(executor, static_cast<index_t>(bytes) + 1);
  MUST(f(storage.data(), bytes));
  executor.synchronize();
}

//! The first n items of both are the same, to the bit.
template <class T>
void check_same_on_device(upsweep::device& executor, const upsweep::buffer<T>& ours, const upsweep::buffer<T>& theirs,
                          index_t n) {
  auto a = ours.to_vector(executor), b = theirs.to_vector(executor);
  a.resize(oracle::at(n));
  b.resize(oracle::at(n));
  check_same_bits(a, b);
}

//! Calls f(executor, n) for sizes of each way through: one tile, several, the pipeline.
template <class F>
void for_peer_sizes(const F& f) {
  if (without_device()) return;
  upsweep::device executor;
  for (const index_t n : {index_t{1}, index_t{1000}, index_t{4097}, index_t{100'003}, (index_t{1} << 20) - 1,
                          index_t{1} << 22, (index_t{1} << 24) + 777}) {
    INFO("n = " << n);
    f(executor, n);
  }
}

}  // namespace test
