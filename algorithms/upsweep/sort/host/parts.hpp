// The parts of a range that a host's threads share out among them.
#pragma once
#include <algorithm>
#include <cstddef>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Calls take(i, half) for all i in [begin, end), by turns for one below the middle (0) and one above (1). Where an
//! item moves a counter or a position, and each half has its own, neighbours seldom wait for one another: 2^8 counters
//! move twice as fast so. (AMD EPYC of family 25, 2026-11-22.)
template <class Take>
UPSWEEP_INLINE void for_each_of_halves(index_t begin, index_t middle, index_t end, const Take& take) {
  const index_t steps = std::min(middle - begin, end - middle);
  for (index_t i = 0; i < steps; i++) {
    take(begin + i, 0);
    take(middle + i, 1);
  }
  for (index_t i = middle + steps; i < end; i++) take(i, 1);
}

//! f(begin, end) for a part of n items of so many bytes for each of the threads that are worth it.
inline void for_each_part(const host& executor, index_t n, std::size_t item_bytes,
                          const function_view<index_t, index_t>& f) {
  const int parts = threads_for(static_cast<std::size_t>(n) * item_bytes, executor.threads());
  share_out(executor.threads(), parts, [&](index_t part) { f(n * part / parts, n * (part + 1) / parts); });
}

//! A range of n > 0 items in parts, a few for each thread. Their counts fit 32 bits.
class parts {
 public:
  parts(const host& executor, index_t n) : executor_(executor), n_(n) {
    items_ = std::clamp((n + wanted() - 1) / wanted(), index_t{1} << 14, index_t{1} << 30);
  }
  index_t count() const { return (n_ + items_ - 1) / items_; }
  //! As many as this range has, or one within it could have.
  index_t most() const { return std::max(count(), wanted()); }
  //! f(part, begin, end, thread) for every part, shared out.
  template <class F>
  void for_each(const F& f) const {
    share_out(executor_.threads(), count(),
              [&](index_t part, int thread) { f(part, part * items_, std::min(n_, (part + 1) * items_), thread); });
  }

 private:
  index_t wanted() const { return executor_.threads() == 1 ? 1 : index_t{4} * executor_.threads(); }

  const host& executor_;
  index_t n_, items_;
};

}  // namespace UPSWEEP_NAMESPACE::detail
