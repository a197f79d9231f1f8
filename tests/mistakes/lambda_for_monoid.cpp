// says: make_monoid(function, identity) makes others
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  static_cast<void>(upsweep::reduce(exec, in, [](int a, int b) { return a + b; }));
}
