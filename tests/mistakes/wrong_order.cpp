// says: these arguments do not fit exclusive_scan(executor, in, out, monoid, init, along)
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  upsweep::exclusive_scan(exec, in, upsweep::plus<int>{}, out);
}
