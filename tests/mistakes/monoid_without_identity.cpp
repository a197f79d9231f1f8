// says: make_monoid(function, identity) makes others
#include <vector>

#include <upsweep/scan.hpp>

struct product {
  using value_type = int;
  int operator()(int a, int b) const { return a * b; }
};
int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  upsweep::inclusive_scan(exec, in, out, product{});
}
