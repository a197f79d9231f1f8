// The CTAs of a cluster (launch_cluster): they meet in hardware, and read and write each other's shared memory. Only in
// code for sm_90 and newer (PTX ISA 7.8).
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! All of them meet: what each wrote to shared memory, the others may read.
__device__ inline void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
//! Nobody passes wait_to_leave() before all have come to arrive_to_leave(). Hands nothing over, and so waits for no
//! fence.
__device__ inline void arrive_to_leave() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
__device__ inline void wait_to_leave() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

//! Where in the cluster's shared memory lies what another CTA has at `p`.
__device__ inline std::uint32_t address_of_cta(const void* p, int cta) {
  std::uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(p)), "r"(cta));
  return there;
}
//! What lies at `p` in the shared memory of another CTA.
template <class T>
__device__ T load_of_cta(const T* p, int cta) {
  static_assert(sizeof(T) <= 8);
  const std::uint32_t there = address_of_cta(p, cta);
  if constexpr (sizeof(T) == 8) {
    unsigned long long bits;
    asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(bits) : "r"(there) : "memory");
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(bits) : "r"(there) : "memory");
    return __builtin_bit_cast(T, bits);
  } else if constexpr (sizeof(T) == 2) {
    std::uint16_t bits;
    asm volatile("ld.shared::cluster.u16 %0, [%1];" : "=h"(bits) : "r"(there) : "memory");
    return __builtin_bit_cast(T, bits);
  } else {
    std::uint16_t bits;
    asm volatile("ld.shared::cluster.u8 %0, [%1];" : "=h"(bits) : "r"(there) : "memory");
    return static_cast<T>(bits);
  }
}
//! Writes to what lies at `p` there.
__device__ inline void store_to_cta(std::uint32_t* p, int cta, std::uint32_t value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address_of_cta(p, cta)), "r"(value) : "memory");
}
__device__ inline void store_to_cta(unsigned long long* p, int cta, unsigned long long value) {
  asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(address_of_cta(p, cta)), "l"(value) : "memory");
}
//! Sets bits there; returns what was set before.
__device__ inline std::uint32_t or_at_cta(std::uint32_t* p, int cta, std::uint32_t bits) {
  std::uint32_t before;
  asm volatile("atom.shared::cluster.or.b32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(address_of_cta(p, cta)), "r"(bits)
               : "memory");
  return before;
}

}  // namespace UPSWEEP_NAMESPACE::gpu
