// says: offsets are integers of 4 or 8 bytes
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  const std::vector<float> bounds{0, 3};
  upsweep::inclusive_segmented_scan(exec, in, upsweep::offsets(bounds), out);
}
