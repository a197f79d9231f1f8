// Warp pieces: values of any trivially copyable type moved between lanes and scanned over them, real values only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

inline constexpr int warp_size = 32;

__device__ inline int lane_id() { return static_cast<int>(threadIdx.x) % warp_size; }

//! Memory for a value that may not be there; never constructed or destroyed by itself. (Nothing else may be written to
//! it: the compiler would carry 8-byte integers about in single bytes. int64 sums stood at 0.77 of a copy.)
template <class V>
union maybe {
  V value;
  __device__ maybe() {}
  __device__ explicit maybe(const V& v) : value(v) {}
};

//! Shared memory for a T, not initialized (what has a constructor cannot be declared __shared__).
template <class T>
struct raw_memory {
  alignas(16) std::byte bytes[sizeof(T)];
  __device__ T& get() { return *reinterpret_cast<T*>(bytes); }
};

//! Applies f to the 4-byte words of a value.
template <class V, class F>
__device__ V by_words(const V& value, F f) {
  constexpr int words = (sizeof(V) + 3) / 4;
  std::uint32_t u[words] = {};
  memcpy(u, &value, sizeof(V));
#pragma unroll
  for (int k = 0; k < words; k++) u[k] = f(u[k]);
  maybe<V> result;
  memcpy(&result.value, u, sizeof(V));
  return result.value;
}
template <class V>
__device__ V from_lane(const V& value, int lane) {
  return by_words(value, [=](std::uint32_t w) { return __shfl_sync(~0u, w, lane); });
}
template <class V>
__device__ V from_below(const V& value, int distance) {
  return by_words(value, [=](std::uint32_t w) { return __shfl_up_sync(~0u, w, distance); });
}

template <class V>
__device__ V from_above(const V& value, int distance) {
  return by_words(value, [=](std::uint32_t w) { return __shfl_down_sync(~0u, w, distance); });
}

//! Inclusive scan over the first `live` lanes (Kogge and Stone 1973); the others keep what they have and are never
//! combined.
template <class V, class M>
__device__ V warp_scan(V value, int live, const M& m) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) {
    const V earlier = from_below(value, distance);
    if (lane >= distance && lane < live) value = m(earlier, value);
  }
  return value;
}

//! A warp as a group of lanes that fill a tile together.
struct warp_group {
  __device__ int lane() const { return lane_id(); }
  __device__ int size() const { return warp_size; }
  __device__ void sync() const { __syncwarp(); }
};

//! A CTA's threads, likewise.
struct cta_group {
  __device__ int lane() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
};

}  // namespace upsweep::inline UPSWEEP_ABI::gpu
