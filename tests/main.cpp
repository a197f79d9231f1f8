// Catch2's main, compiled once for each executable; it also tells how much this machine could not test.
#define CATCH_CONFIG_RUNNER
#include <cstdio>

#include "catch.hpp"

int main(int argc, char** argv) {
  const int failed = Catch::Session().run(argc, argv);
  if (skipped_checks > 0) std::printf("skipped: %d for want of a GPU\n", skipped_checks);
  return failed;
}
