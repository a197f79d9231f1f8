// Work that a host's threads share out among them: numbered pieces, and the parts of a range.
#pragma once
#include <algorithm>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/chain.hpp>
#include <upsweep/host/memory.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

//! Calls work(k) for 0 <= k < count, each on the thread that is free next. What one of them throws reaches the caller.
template <class Work>
void share_out(const host& executor, index_t count, const Work& work) {
  const int threads = static_cast<int>(std::min<index_t>(executor.threads(), count));
  if (threads <= 1) {
    for (index_t k = 0; k < count; k++) work(k);
    return fence_streams();
  }
  run_in_order(threads, [&](tile_order& order) {
    for (index_t k = order.take_ticket(); k < count && !order.failed(); k = order.take_ticket()) work(k);
    fence_streams();
  });
}

//! A range of n > 0 items in parts, a few for each thread. Their counts fit 32 bits.
class parts {
 public:
  parts(const host& executor, index_t n) : executor_(executor), n_(n) {
    const index_t wanted = executor.threads() == 1 ? 1 : index_t{4} * executor.threads();
    items_ = std::clamp((n + wanted - 1) / wanted, index_t{1} << 14, index_t{1} << 30);
  }
  index_t count() const { return (n_ + items_ - 1) / items_; }
  //! f(part, begin, end) for every part, shared out.
  template <class F>
  void for_each(const F& f) const {
    share_out(executor_, count(), [&](index_t part) { f(part, part * items_, std::min(n_, (part + 1) * items_)); });
  }

 private:
  const host& executor_;
  index_t n_, items_;
};

}  // namespace upsweep::inline UPSWEEP_ABI::detail
