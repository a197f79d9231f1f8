// says: counts are integers of 64 bits
#include <cstdint>
#include <vector>

#include <upsweep/histogram.hpp>

int main() {
  upsweep::host exec;
  const std::vector<std::uint8_t> in{1, 2, 3};
  std::vector<int> counts(256);
  upsweep::histogram(exec, in, counts);
}
