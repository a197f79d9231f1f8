// says: of which load is contiguous(range)
#include <vector>

#include <upsweep/scan.hpp>

int main() {
  upsweep::host exec;
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  upsweep::scan(
      exec, 3, in, [](int item) { return item; }, upsweep::plus<int>{}, upsweep::dense(out));
}
