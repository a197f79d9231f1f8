// says: out is const, but it is written
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3}, out(3);
  upsweep::inclusive_scan(exec, in, out);
}
