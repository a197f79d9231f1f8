// For tests of a host that need much memory: is it there? And items made and checked by all threads.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>

#include "support.hpp"

namespace test {

//! Skips the rest of a test where less memory is free, by what the system tells:
//!   if (without_host_memory_of(14)) return;
inline bool without_host_memory_of(index_t gibibytes) {
  std::ifstream about("/proc/meminfo");
  std::string word;
  index_t free = 0;
  while (about >> word && word != "MemAvailable:") continue;
  about >> free;  // KiB
  const bool is_missing = free >> 20 < gibibytes;
  if (sanitized) count_skipped("time, sanitized");
  else if (is_missing) skip_check(std::to_string(gibibytes) + " GiB of memory");
  return is_missing || sanitized;
}

//! Skips the rest of a test that takes many minutes, unless UPSWEEP_LARGE=1 asks for it:
//!   if (without_time()) return;
inline bool without_time() {
  const bool is_missing = std::getenv("UPSWEEP_LARGE") == nullptr;
  if (is_missing) count_skipped("UPSWEEP_LARGE=1, which gives it minutes");
  return is_missing;
}

//! items[i] = make(i)
template <class T, class Make>
void fill_on_host(T* items, index_t n, const Make& make) {
#pragma omp parallel for
  for (index_t i = 0; i < n; i++) items[i] = make(i);
}
template <class T, class Make>
upsweep::buffer<T> made_on_host(upsweep::host& executor, index_t n, const Make& make) {
  upsweep::buffer<T> items(executor, n);
  fill_on_host(items.data(), n, make);
  return items;
}
//! Checks that items[i] is expected(i).
template <class T, class Expected>
void check_on_host(const T* items, index_t n, const Expected& expected) {
  index_t first = n;
#pragma omp parallel for reduction(min : first)
  for (index_t i = 0; i < n; i++)
    if (i < first && !(items[i] == expected(i))) first = i;
  INFO("item " << first << " of " << n << " is the first that is wrong");
  REQUIRE(first == n);
}

}  // namespace test
