// says: of which load is contiguous(ranges...)
#include <vector>

#include <upsweep/transform.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> x{1, 2}, y{3, 4};
  std::vector<float> sums(2);
  upsweep::transform(exec, x, y, sums, [](float a, float b) { return a + b; });
}
