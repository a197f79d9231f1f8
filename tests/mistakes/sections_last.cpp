// says: sections are a range of upsweep::section
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

int main() {
  upsweep::host exec;
  const std::vector<float> in(960);
  std::vector<float> out(960);
  upsweep::sosfilt(exec, in, out, upsweep::butterworth_lowpass(4, 1000, 48000));
}
