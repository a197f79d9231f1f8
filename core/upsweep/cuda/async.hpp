// Asynchronous copies, one PTX instruction a function: those of sm_80, and from there on those of sm_90, Hopper's
// mbarriers and bulk-copy engine (PTX ISA 8.0).
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

__device__ inline std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

//! A piece of 4, 8 or 16 bytes, at a multiple of that on both sides, past the registers; of 16 past L1, too. From sm_80
//! on.
template <bool PastL1 = false, class Piece>
__device__ void copy_async(Piece* shared, const Piece* global) {
  if constexpr (PastL1)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)), "l"(global) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(shared)), "l"(global),
                 "n"(sizeof(Piece))
                 : "memory");
}
//! For those of this thread.
__device__ inline void wait_for_async_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

//! A barrier in shared memory that counts arrivals and bytes; waiting is for the end of a phase, told by its parity.
struct mbarrier {
  std::uint64_t state;

  __device__ void init(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals));
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  __device__ void arrive_expecting(std::uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes)
                 : "memory");
  }
  __device__ void wait(std::uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n"
        "}" ::"r"(shared_address(this)),
        "r"(parity)
        : "memory");
  }
  //! Would wait() return at once?
  __device__ bool passed(std::uint32_t parity) {
    std::uint32_t done;
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n"
        "}"
        : "=r"(done)
        : "r"(shared_address(this)), "r"(parity)
        : "memory");
    return done;
  }
};

//! A barrier of so many threads, which are not all of a CTA's.
__device__ inline void meet_warps(int threads) { asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); }
//! Makes initialized barriers visible to the copy engine.
__device__ inline void fence_barrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
//! Orders this thread's ordinary accesses to shared memory before later ones by the copy engine.
__device__ inline void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

//! Both addresses and the size are multiples of 16.
__device__ inline void bulk_load(void* shared, const void* global, std::uint32_t bytes, mbarrier& arrived) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(shared)),
               "l"(global), "r"(bytes), "r"(shared_address(&arrived))
               : "memory");
}
__device__ inline void bulk_store(void* global, const void* shared, std::uint32_t bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
      "cp.async.bulk.commit_group;" ::"l"(global),
      "r"(shared_address(shared)), "r"(bytes)
      : "memory");
}
//! Waits until all but the last `Pending` bulk stores of this thread have read their source.
template <int Pending>
__device__ void bulk_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}
__device__ inline void bulk_store_wait() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

}  // namespace UPSWEEP_NAMESPACE::gpu
