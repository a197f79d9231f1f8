// Catch2, 2.13 or 3, and a word for what cannot be tested on this machine.
#pragma once
#include <cstdlib>
#include <map>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // where 2.13 has it
// nvcc's front end (13.0) never ends at a TEST_CASE behind an unnamed namespace: at this pragma in front of the second
// one.
#ifdef __CUDACC__
#undef CATCH_INTERNAL_SUPPRESS_UNUSED_VARIABLE_WARNINGS
#define CATCH_INTERNAL_SUPPRESS_UNUSED_VARIABLE_WARNINGS
#endif
#else
#include <catch2/catch.hpp>
#endif

// Which code the tests of a GPU run: main() tells. Empty where there is no GPU.
inline std::string (*code_that_runs)() = nullptr;

// What was not tested, and for want of what: main() tells. The test passes ...
inline std::map<std::string, int> skipped_checks;
inline void count_skipped(const std::string& missing) { ++skipped_checks[missing]; }
// ... unless UPSWEEP_REQUIRE_GPU is set and it is a GPU or memory, of one or of the host.
inline void skip_check(const std::string& missing) {
  count_skipped(missing);
  const char* required = std::getenv("UPSWEEP_REQUIRE_GPU");
  if (required && *required) FAIL("not tested for want of " << missing << ", and UPSWEEP_REQUIRE_GPU is set");
}
