// says: make_monoid(function, identity) makes others
#include <functional>
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::inclusive_scan(exec, in, out, std::plus<>{});
}
