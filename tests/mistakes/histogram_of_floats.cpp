// says: for all else there is histogram_even
#include <vector>

#include <upsweep/histogram.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in{1, 2, 3};
  std::vector<upsweep::index_t> counts(256);
  upsweep::histogram(exec, in, counts);
}
