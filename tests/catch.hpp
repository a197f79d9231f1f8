// Catch2, 2.13 or 3, and a word for what cannot be tested on this machine.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // where 2.13 has it
#else
#include <catch2/catch.hpp>
#endif

// What was not tested, for want of a GPU, say. main() prints how often; the test passes.
inline int skipped_checks = 0;
inline void skip_check() { ++skipped_checks; }
