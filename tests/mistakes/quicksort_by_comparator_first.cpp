// says: upsweep: these arguments do not fit quicksort(executor, items, less), which sorts in place
#include <vector>

#include <upsweep/quicksort.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> x(3);
  std::vector<int> sorted(3);
  upsweep::quicksort(exec, x, sorted);
}
