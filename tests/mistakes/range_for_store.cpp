// says: a store is dense(range)
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  upsweep::scan(exec, 3, upsweep::contiguous(in), upsweep::lift_to<int>{}, upsweep::plus<int>{}, out,
                upsweep::no_total);
}
