// Is there a GPU that this program can use? If not, why?
#pragma once
#include <string>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Does nothing; whether the current GPU has its code says whether it has that of the program.
template <int = 0>
__global__ void compiled_kernel() {}

inline std::string version_text(int version) {  // 13000 is 13.0
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

//! Is there a driver, and does it know of a GPU? It need not have code for it.
inline cudaError_t count_devices(int& count) {
  const cudaError_t error = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  return error == cudaSuccess && count == 0 ? cudaErrorNoDevice : error;
}

//! What keeps this program from the current GPU, as words that follow a colon; empty: nothing.
inline std::string why_not_usable() {
  int count = 0;
  const cudaError_t error = count_devices(count);
  if (error == cudaErrorInsufficientDriver) {
    int has = 0, needs = 0;
    static_cast<void>(cudaDriverGetVersion(&has));
    static_cast<void>(cudaRuntimeGetVersion(&needs));
    if (has == 0) return "there is no driver for one";
    return "the driver is one of CUDA " + version_text(has) + ", too old for this program's CUDA " +
           version_text(needs);
  }
  if (error == cudaErrorNoDevice) return "the driver knows of none";
  if (error != cudaSuccess) return cudaGetErrorString(error);

  cudaFuncAttributes attributes{};
  const cudaError_t code = cudaFuncGetAttributes(&attributes, compiled_kernel<>);
  static_cast<void>(cudaGetLastError());
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction) {
    int ordinal = 0, major = 0, minor = 0;
    UPSWEEP_CUDA_CHECK(cudaGetDevice(&ordinal));
    UPSWEEP_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal));
    UPSWEEP_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal));
    return "this program has no code for the one that is there, of compute capability " + std::to_string(major) + '.' +
           std::to_string(minor);
  }
  UPSWEEP_CUDA_CHECK(code);
  return "";
}

}  // namespace UPSWEEP_NAMESPACE::gpu
