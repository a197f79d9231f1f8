// says: heads are flags, integers or bool, one an item
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in{1, 2, 3}, flags{1, 0, 1};
  std::vector<float> out(3);
  upsweep::inclusive_segmented_scan(exec, in, upsweep::heads(flags), out);
}
