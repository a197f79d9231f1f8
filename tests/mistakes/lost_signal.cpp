// says: out is a temporary, with which the result would be lost
#include <vector>

#include <upsweep/iir.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in(100);
  upsweep::exponential_moving_average(exec, in, std::vector<float>(100), 0.1);
}
