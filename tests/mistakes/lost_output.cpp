// says: out is a temporary, with which the result would be lost
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  upsweep::inclusive_scan(exec, in, std::vector<int>(3));
}
