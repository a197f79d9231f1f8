// says: std::vector<bool> holds bits
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::inclusive_segmented_scan(exec, in, std::vector<bool>(3), out);
}
