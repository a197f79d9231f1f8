// What both parts of mixed have: the code of nvcc's, and what either compiler makes of the same lines.
#pragma once
#include <chrono>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

bool nvcc_sees_a_device();
//! Item i is the one of the largest magnitude up to i, by a monoid of this program's own.
std::vector<float> largest_magnitudes(const std::vector<float>& in);
//! Sums of floats, whose last bits tell what was added to what.
std::vector<float> sums_by_nvcc(const std::vector<float>& in);
double microseconds_by_nvcc();
//! What nvcc's code says without a GPU.
void ask_nvcc_for_a_device();

namespace {

template <class M>
std::vector<float> scan_by(const std::vector<float>& in, const M& m) {
  upsweep::device exec;
  upsweep::buffer<float> x(exec, in);
  upsweep::inclusive_scan(exec, x, x, m);
  return x.to_vector(exec);
}

//! Of a scan of 2^8 items that others follow: what a call costs where the GPU is not the slower one.
double microseconds_of_scan() {
  constexpr int calls = 20'000;
  upsweep::device exec;
  upsweep::buffer<float> x(exec, std::vector<float>(256));
  double microseconds = 0;
  for (int round = 0; round < 2; round++) {  // the first one warms up
    const auto began = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; call++) upsweep::inclusive_scan(exec, x, x);
    exec.synchronize();
    microseconds = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count() / calls;
  }
  return microseconds;
}

}  // namespace
