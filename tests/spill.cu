// Needs more registers than a thread can have: with UPSWEEP_WERROR it must not compile (see tests/CMakeLists.txt).
__global__ __launch_bounds__(1024) void spill(const float* in, float* out) {
  float held[80];
#pragma unroll
  for (int i = 0; i < 80; ++i) held[i] = in[threadIdx.x + i * 1024];
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 80; ++i) held[i] += held[i - 1] * held[79 - i];
#pragma unroll
  for (int i = 0; i < 80; ++i) out[threadIdx.x + i * 1024] = held[i];
}
