// Every combination of the library's tables on a GPU, against plain loops. Items are such that no result of floats is
// rounded: all agree to the bit.
#include <cstdio>
#include <exception>

#include "check.hpp"

namespace {
int wrong = 0, done = 0;

void check_all(tested exec, const std::vector<upsweep::index_t>& sizes) {
  for (const upsweep::index_t n : sizes) {
    check_scans(exec, n);
    check_compactions(exec, n);
    check_partitions(exec, n);
    check_sorts(exec, n);
    check_products(exec, n);
    check_segments(exec, n);
    check_filters(exec, n);
    check_recurrences(exec, n);
    check_images(exec, n);
    check_statistics(exec, n);
    check_big_numbers(exec, n);
    check_sight(exec, n);
    check_automata(exec, n);
  }
}
}  // namespace

void check(bool right, const std::string& what) {
  if (!right) std::printf("WRONG: %s\n", what.c_str());
  wrong += !right;
  done++;
}

int main() try {
#ifdef COMBINATIONS_ON_HOST
  check_all(upsweep::host(), {0, row, 111 * row});
  std::printf("%d results on the host\n", done);
#else
  if (upsweep::device::available()) {
    check_all(upsweep::device(), {0, row, 111 * row, 20'001 * row});
    std::printf("%d results on a GPU\n", done);
  } else {
    std::printf("no GPU\n");
  }
#endif
  std::printf("combinations: %s\n", wrong ? "WRONG" : "right");
  return wrong != 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "combinations: %s\n", e.what());
  return 1;
}
