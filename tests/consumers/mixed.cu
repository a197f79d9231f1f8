// The part of mixed that nvcc compiles: a monoid of its own.
#include "mixed.hpp"

namespace {
struct larger_magnitude {
  using value_type = float;
  UPSWEEP_HD float identity() const { return 0; }
  UPSWEEP_HD float operator()(float a, float b) const { return b * b > a * a ? b : a; }
};
}  // namespace

bool nvcc_sees_a_device() { return upsweep::device::available(); }
std::vector<float> largest_magnitudes(const std::vector<float>& in) { return scan_by(in, larger_magnitude{}); }
std::vector<float> sums_by_nvcc(const std::vector<float>& in) { return scan_by(in, upsweep::plus<float>{}); }
double microseconds_by_nvcc() { return microseconds_of_scan(); }
void ask_nvcc_for_a_device() { upsweep::device exec; }
