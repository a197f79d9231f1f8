// says: std::vector<bool> holds bits
#include <vector>

#include <upsweep/compaction.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  const std::vector<bool> flags{true, false, true};
  std::vector<int> out(3);
  upsweep::copy_flagged(exec, in, flags, out);
}
