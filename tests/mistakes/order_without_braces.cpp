// says: these arguments do not fit radix_sort(executor, keys, options)
#include <vector>

#include <upsweep/radix_sort.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> keys{3, 1, 2};
  upsweep::radix_sort(exec, keys, upsweep::sort_order::descending);
}
