// says: segments are heads(flags) or offsets(positions)
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::inclusive_segmented_scan(exec, in, std::vector{1, 0, 1}, out);
}
