// Warp pieces: values of any trivially copyable type moved between lanes and scanned over them, real values only; and
// what a lane does by itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

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

//! The last of some lanes; -1 if there is none.
__device__ inline int last_lane(std::uint32_t lanes) { return warp_size - 1 - __clz(static_cast<int>(lanes)); }

//! How many of [0, count) are in front, where is_in_front(i) holds for those and for no other.
template <class Index, class IsInFront>
__device__ Index lane_partition_point(Index count, const IsInFront& is_in_front) {
  Index first = 0;
  while (count > 0) {
    const Index half = count / 2;
    if (is_in_front(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

//! A kernel's argument as memory: lanes that read different places of a constant wait for each other.
template <class T>
__device__ const T& in_memory(const T& argument) {
  const T* at = &argument;
  asm volatile("" : "+l"(at));
  return *at;
}

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

//! The sum over a warp's lanes, in all of them.
__device__ inline std::uint32_t warp_sum(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
#pragma unroll
  for (int distance = 1; distance < warp_size; distance *= 2) value += __shfl_xor_sync(~0u, value, distance);
  return value;
#endif
}

//! Inclusive scan over the first `live` lanes, of at most `Lanes` (Kogge and Stone 1973); the others keep what they
//! have and are never combined.
template <int Lanes = warp_size, class V, class M>
__device__ V warp_scan(V value, int live, const M& m) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = 1; distance < Lanes; distance *= 2) {
    const V earlier = from_below(value, distance);
    if (lane >= distance && lane < live) value = m(earlier, value);
  }
  return value;
}

//! The fold of the first `live` lanes, of at most `Lanes`; lane 0 has it. Operands change places.
template <int Lanes = warp_size, class V, class M>
__device__ V warp_fold(V value, int live, const M& m) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = Lanes / 2; distance > 0; distance /= 2) {
    const V other = from_above(value, distance);
    if (lane + distance < live) value = m(value, other);
  }
  return value;
}

//! A value of items that a block of tiles holds: counts fit 32 bits there.
template <class V>
struct short_form {
  V value;
  __device__ explicit short_form(const V& v) : value(v) {}
  __device__ V whole() const { return value; }
};
template <class V, int K>
struct short_form<counted<V, K>> {
  [[no_unique_address]] V value;
  int counts[K];
  __device__ explicit short_form(const counted<V, K>& v) : value(v.value) {
#pragma unroll
    for (int s = 0; s < K; s++) counts[s] = static_cast<int>(v.counts[s]);
  }
  __device__ counted<V, K> whole() const {
    maybe<counted<V, K>> v;
    if constexpr (!std::is_empty_v<V>) v.value.value = value;
#pragma unroll
    for (int s = 0; s < K; s++) v.value.counts[s] = counts[s];
    return v.value;
  }
};

//! The same of values beside counts, in their short form: nothing beyond a block of tiles is scanned over a warp.
template <class V, int K, class M>
__device__ counted<V, K> warp_scan(const counted<V, K>& value, int live, const M& m) {
  using sums = short_form<counted<V, K>>;
  return warp_scan(sums(value), live,
                   [&m](sums earlier, const sums& later) {
                     if constexpr (!std::is_empty_v<V>) earlier.value = m.inner(earlier.value, later.value);
#pragma unroll
                     for (int s = 0; s < K; s++) earlier.counts[s] += later.counts[s];
                     return earlier;
                   })
      .whole();
}

//! A warp as a group of lanes that fill a tile together.
struct warp_group {
  __device__ int lane() const { return lane_id(); }
  __device__ int size() const { return warp_size; }
  //! The first place in [from, to) of which `is_before` is false, `to` if there is none: 32 probes a step. Stays in
  //! these bounds whatever the answers are.
  template <class F>
  __device__ index_t partition_point(index_t from, index_t to, const F& is_before) const {
    while (from < to) {
      const index_t count = to - from;
      const int probes = static_cast<int>(min(count, index_t{warp_size}));
      const auto probe = [&](int k) { return from + (count < warp_size ? k : (k + 1) * count / warp_size - 1); };
      const int found = __popc(__ballot_sync(~0u, lane_id() < probes && is_before(probe(lane_id()))));
      to = found < probes ? probe(found) : to;
      from = found > 0 ? probe(found - 1) + 1 : from;
    }
    return from;
  }
};

//! A CTA's threads, likewise.
struct cta_group {
  __device__ int lane() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return static_cast<int>(blockDim.x); }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
