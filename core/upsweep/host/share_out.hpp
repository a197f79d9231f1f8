// Numbered pieces of work that a host's threads share out among them.
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/chain.hpp>
#include <upsweep/host/memory.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Calls work(k), or work(k, thread) with the thread's number from 0, for 0 <= k < count, each on the thread that is
//! free next. What one of them throws reaches the caller.
template <class Work>
void share_out(int threads, index_t count, const Work& work) {
  const auto call = [&](index_t k, [[maybe_unused]] int thread) UPSWEEP_LAMBDA_INLINE {
    if constexpr (std::is_invocable_v<const Work&, index_t, int>) work(k, thread);
    else work(k);
  };
  threads = static_cast<int>(std::min<index_t>(threads, count));
  if (threads <= 1) {
    for (index_t k = 0; k < count; k++) call(k, 0);
    return fence_streams();
  }
  run_in_order(threads, [&](tile_order& order, int thread) {
    for (index_t k = order.take_ticket(); k < count && !order.failed(); k = order.take_ticket()) call(k, thread);
    fence_streams();
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
