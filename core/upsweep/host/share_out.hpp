// Numbered pieces of work that a host's threads share out among them.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/chain.hpp>
#include <upsweep/host/memory.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Calls work(k, thread) for 0 <= k < count, each on the thread that is free next; those are numbered from 0. What one
//! of them throws reaches the caller.
inline void share_out_numbered(int threads, index_t count, const function_view<index_t, int>& work) {
  if (count < threads) threads = static_cast<int>(count);
  if (threads <= 1) {
    for (index_t k = 0; k < count; k++) work(k, 0);
    return fence_streams();
  }
  run_in_order(threads, [&](tile_order& order, int thread) {
    for (index_t k = order.take_ticket(); k < count && !order.failed(); k = order.take_ticket()) work(k, thread);
    fence_streams();
  });
}
//! The same, or work(k).
template <class Work>
void share_out(int threads, index_t count, const Work& work) {
  if constexpr (std::is_invocable_v<const Work&, index_t, int>) share_out_numbered(threads, count, work);
  else share_out_numbered(threads, count, [&](index_t k, int) { work(k); });
}

}  // namespace UPSWEEP_NAMESPACE::detail
