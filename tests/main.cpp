// Catch2's main, compiled once for each executable; it also tells how much this machine could not test, and which code
// a GPU ran.
#define CATCH_CONFIG_RUNNER
#include <cstdio>

#include "catch.hpp"

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  for (const auto& [missing, times] : skipped_checks)
    std::printf("skipped: %d for want of %s\n", times, missing.c_str());
  if (const std::string code = code_that_runs ? code_that_runs() : ""; !code.empty())
    std::printf("code: %s\n", code.c_str());
  return failed;
}
