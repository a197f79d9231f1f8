// says: An executor is a host, device or any_executor that is not const
#include <vector>

#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  std::vector<int> in{1, 2, 3}, out(3);
  const upsweep::host fixed;
  static_cast<void>(upsweep::reduce(fixed, in));
}
