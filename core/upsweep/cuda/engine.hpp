// The CUDA engine: chooses a kernel by the size of the problem, and launches it. One launch for every size.
#pragma once
#include <atomic>
#include <cstddef>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/cuda/checked.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/pipeline.hpp>
#include <upsweep/cuda/tilewise.hpp>
#include <upsweep/cuda/tuning.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! Launches `Kernel` with `shared` bytes of dynamic shared memory; lifts the kernel's limit on the first launch on each
//! device.
template <auto Kernel, class... Args>
void launch(device& executor, index_t ctas, int threads, int shared, const Args&... args) {
  static std::atomic<unsigned long long> lifted{0};  // a bit a device
  const unsigned long long bit = 1ull << (executor.ordinal() % 64);
  if (shared > 48 * 1024 && !(lifted.load(std::memory_order_relaxed) & bit)) {
    UPSWEEP_CUDA_CHECK(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    lifted.fetch_or(bit, std::memory_order_relaxed);
  }
  const void* pointers[] = {&args...};
  UPSWEEP_CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(Kernel), dim3(static_cast<unsigned>(ctas)),
                                      dim3(static_cast<unsigned>(threads)), const_cast<void**>(pointers),
                                      static_cast<std::size_t>(shared), executor.stream()));
}

//! Was this file compiled for an architecture that runs on the device and has the pipeline's instructions? (Otherwise
//! the driver compiles an older one's code, where the pipeline is empty.)
inline bool has_hopper_code(int compute_capability) {
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture >= 900 && architecture <= 10 * compute_capability) return true;
  return false;
}

template <class Args>
struct shapes {
  using Load = typename Args::load_type;
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  static constexpr int item_bytes = geometry<Load, 1, 16>::all_bytes;
  //! A lane's share of loaded items; less of them where results are wider than items and need a space of their own.
  static constexpr int lane_share(int bytes) {
    constexpr int results = staged_bytes<Store>;
    return item_bytes > 0 && results > item_bytes ? (bytes * item_bytes + results - 1) / results : bytes;
  }
  static constexpr tuning::tilewise_shape small = tuning::tilewise(item_bytes, sizeof(V));
  static constexpr tuning::pipeline_shape large = tuning::pipeline(sizeof(V));
  template <int Choice>
  static constexpr int stages_of =
      pipeline_stages<geometry<Load, large.warps, lane_share(large.lane_bytes[Choice])>, Store, V>(large.max_stages);
  template <int Choice>
  static constexpr bool fits =
      stages_of<Choice> >= large.min_stages &&
      stages_of<Choice> * geometry<Load, large.warps, lane_share(large.lane_bytes[Choice])>::slot >= large.min_bytes;
  static constexpr int choice = fits<0> ? 0 : fits<1> ? 1 : 2;
  using tilewise = geometry<Load, small.warps, lane_share(small.lane_bytes)>;
  static_assert(tilewise_shared_bytes<tilewise, Store> <= 227 * 1024,
                "a tile's items and results do not fit shared memory");
  using pipeline = geometry<Load, large.warps, lane_share(large.lane_bytes[choice])>;
  static constexpr int stages = stages_of<choice>;
  static constexpr bool has_pipeline =
      sizeof(V) <= tuning::pipeline_value_bytes && stages >= large.min_stages && item_bytes > 0;
};

template <class Args>
void sweep(device& executor, Args args) {
  using S = shapes<Args>;
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  const current_device here(executor.ordinal());
  const auto tiles_of = [&](int tile) { return (args.n + tile - 1) / tile; };
  if constexpr (S::has_pipeline) {
    using G = typename S::pipeline;
    if (has_hopper_code(executor.compute_capability()) && args.n >= tuning::pipeline_from_bytes / S::item_bytes) {
      args.tiles = tiles_of(G::tile);
      args.workspace = executor.workspace(workspace_bytes<V>(args.tiles));
      const index_t ctas = args.tiles < executor.multiprocessors() ? args.tiles : executor.multiprocessors();
      return launch<&sweep_pipeline<G, S::stages, Args>>(executor, ctas, roles<G, Store>::warps * warp_size,
                                                         pipeline_shared_bytes<G, Store, V, S::stages>, args);
    }
  }
  using G = typename S::tilewise;
  args.tiles = tiles_of(G::tile);
  args.workspace = args.tiles > 1 ? executor.workspace(workspace_bytes<V>(args.tiles)) : workspace_block{};
  launch<&sweep_tilewise<G, S::small.min_ctas, Args>>(executor, args.tiles, G::warps * warp_size,
                                                      tilewise_shared_bytes<G, Store>, args);
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu

namespace upsweep::inline UPSWEEP_ABI::detail {

template <class Load, class Lift, class M, class Store, class Finish, class Direction>
void sweep(device& executor, index_t n, const Load& load, const Lift& lift, const M& m, const Store& store,
           const Finish& finish, Direction) {
  using V = typename M::value_type;
  if (n == 0) {
    const gpu::current_device here(executor.ordinal());
    return gpu::launch<&gpu::sweep_nothing<V, Finish>>(executor, 1, 1, 0, finish, static_cast<V>(m.identity()));
  }
  gpu::sweep(executor, gpu::sweep_args<Load, Lift, M, Store, Finish, Direction::reversed>{
                           n, 0, load, lift, m, store, finish, {}});
}

}  // namespace upsweep::inline UPSWEEP_ABI::detail
