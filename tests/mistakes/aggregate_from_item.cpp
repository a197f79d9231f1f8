// says: an item does not convert to the monoid's value_type; call scan with a lift
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  static_cast<void>(upsweep::reduce(exec, in, upsweep::argmax<int>{}));
}
