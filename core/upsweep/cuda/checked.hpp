// Checked CUDA calls: one macro that throws cuda_error with the call, the error's name, file and line.
#pragma once
#include <cuda_runtime_api.h>

#include <upsweep/config.hpp>
#include <upsweep/error.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

[[noreturn, gnu::noinline]] inline void fail(cudaError_t code, const char* expression, const char* file, int line) {
  static_cast<void>(cudaGetLastError());
  throw cuda_error(static_cast<int>(code), cudaGetErrorName(code), cudaGetErrorString(code), expression, file, line);
}
//! Throws cuda_error unless `code` is success. An error that is not sticky is cleared, so that the next call does not
//! report it.
inline void check(cudaError_t code, const char* expression, const char* file, int line) {
  if (code != cudaSuccess) [[unlikely]]
    fail(code, expression, file, line);
}

}  // namespace UPSWEEP_NAMESPACE::gpu

#define UPSWEEP_CUDA_CHECK(call) ::upsweep::gpu::check((call), #call, __FILE__, __LINE__)
