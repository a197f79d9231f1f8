// says: upsweep: these arguments do not fit quicksort(executor, items, less) or quicksort(executor, in, out, less)
#include <functional>
#include <vector>

#include <upsweep/quicksort.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> x(3);
  std::vector<int> sorted(3);
  upsweep::quicksort(exec, x, std::less<>{}, sorted);
}
