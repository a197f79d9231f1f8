// says: std::vector<bool> holds bits
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<bool> flags(3);
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::inclusive_segmented_scan(exec, in, upsweep::offsets(flags), out);
}
