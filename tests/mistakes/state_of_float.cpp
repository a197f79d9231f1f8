// says: a state is of double
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in(960);
  std::vector<float> out(960), state(4);
  upsweep::sosfilt(exec, upsweep::butterworth_lowpass(4, 1000, 48000), in, out, state);
}
