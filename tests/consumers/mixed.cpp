// One program of nvcc's code (mixed.cu) and of a C++ compiler's with the library: the same calls, errors and bits.
#include "mixed.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <upsweep/error.hpp>

namespace {
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}
bool check_on_gpu() {
  bool right = true;
  for (const std::size_t n : {1u, 1000u, 300'000u, 10'000'000u}) {
    std::vector<float> in(n);
    for (std::size_t i = 0; i < n; i++) in[i] = std::sin(static_cast<float>(i));
    right &= same_bits(scan_by(in, upsweep::plus<float>{}), sums_by_nvcc(in));
    right &= std::fabs(largest_magnitudes(in).back()) <= 1;
  }
  return right;
}
std::string no_device_of(void (*ask)()) {
  try {
    ask();
  } catch (const upsweep::no_device& e) {
    return e.what();
  }
  return "no error";
}
}  // namespace

int main() try {
  bool right = upsweep::device::available() == nvcc_sees_a_device();
  if (upsweep::device::available()) {
    right &= check_on_gpu();
    std::printf("on a GPU; a scan of 256 items: %.2f us by the library, %.2f by nvcc\n", microseconds_of_scan(),
                microseconds_by_nvcc());
  } else {
    const std::string text = no_device_of([] { upsweep::device exec; });
    right &= text == no_device_of(ask_nvcc_for_a_device) && text != "no error";
    std::printf("both say: %s\n", text.c_str());
  }
  std::printf("mixed: %s\n", right ? "right" : "WRONG");
  return !right;
} catch (const std::exception& e) {
  std::fprintf(stderr, "mixed: %s\n", e.what());
  return 1;
}
