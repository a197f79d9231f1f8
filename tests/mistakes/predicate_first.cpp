// says: these arguments do not fit copy_if(executor, in, out, predicate)
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  upsweep::copy_if(
      exec, in, [](int item) { return item > 1; }, out);
}
