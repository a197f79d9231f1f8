// What a scan with a packed store carries: how many rows each stream has, beside the caller's value.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE {

//! Counts of `K` streams beside a value: what a scan with a packed store carries, and what it returns.
template <class V, int K>
struct counted {
  V value;
  index_t counts[K];
};
template <int K>
struct counted<nothing, K> {
  static constexpr nothing value{};
  index_t counts[K];
};

namespace detail {
// A packed store counts: its streams' lengths are scanned beside the caller's values.
template <class M, int K>
struct counting {
  using value_type = counted<typename M::value_type, K>;
  M inner;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type identity() const {
    if constexpr (std::is_same_v<M, nothing>) return {};
    else return {inner.identity(), {}};
  }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD constexpr value_type operator()(const value_type& earlier, const value_type& later) const {
    if constexpr (std::is_same_v<M, nothing>) return summed({}, earlier, later);
    else return summed({inner(earlier.value, later.value), {}}, earlier, later);
  }

 private:
  UPSWEEP_HD static constexpr value_type summed(value_type sum, const value_type& earlier, const value_type& later) {
    for (int k = 0; k < K; k++) sum.counts[k] = earlier.counts[k] + later.counts[k];
    return sum;
  }
};
template <class Lift, class Classify, class V, int K>
struct counting_lift {
  Lift lift;
  Classify classify;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD constexpr counted<V, K> operator()(const Item& item) const {
    if constexpr (std::is_same_v<V, nothing>) return marked({}, static_cast<int>(classify(item)));
    else return marked({lift(item), {}}, static_cast<int>(classify(item)));
  }

 private:
  UPSWEEP_HD static constexpr counted<V, K> marked(counted<V, K> one, int stream) {
    for (int k = 0; k < K; k++) one.counts[k] = stream == k;
    return one;
  }
};
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
