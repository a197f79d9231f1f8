// says: coefficients of a filter are numbers
#include <string>
#include <vector>

#include <upsweep/iir.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in(100);
  std::vector<float> out(100);
  const std::vector<std::string> b{"1"}, a{"1", "0.5"};
  upsweep::lfilter(exec, b, a, in, out);
}
