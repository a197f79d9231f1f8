// The ends of a sweep: what is loaded in front of a scan (loads.hpp), where its results go (stores.hpp), what is done
// with the total, and which way it runs.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/counts.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/ranges.hpp>
#include <upsweep/stores.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
//! Can a lift put an item in front of a value at once? lift.in_front(item, value) is m(lift(item), value), to the bit.
template <class Lift, class Load, class V>
concept lifts_in_front =
    requires(const Lift& lift, const typename Load::item_type& item, const V& value) { lift.in_front(item, value); };
}  // namespace detail

//! In the place of a total's pointer: nobody asks for it.
struct no_total_t {
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item&, const V&) const {}
  template <class V>
  UPSWEEP_HD void empty(const V&) const {}
};
inline constexpr no_total_t no_total{};

namespace detail {
//! What is done once with a scan's total, where the executor works: f(last item, total), or f.empty(identity) when n is
//! 0. write_total writes it to *out unless out is null.
template <class V>
struct write_total {
  V* out;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, const V& total) const {
    if (out) *out = total;
  }
  UPSWEEP_HD void empty(const V& identity) const {
    if (out) *out = identity;
  }
};
//! Writes a packed store's counts to counts[0…K).
template <int K>
struct write_counts {
  index_t* counts;
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item&, const counted<V, K>& total) const {
    empty(total);
  }
  template <class V>
  UPSWEEP_HD void empty(const counted<V, K>& total) const {
    if (counts)
      for (int k = 0; k < K; k++) counts[k] = total.counts[k];
  }
};
}  // namespace detail

//! Which way a scan runs. Indices that stages see are always positions in the ranges; reversed, "earlier" means
//! "further right".
struct forward_t {
  static constexpr bool reversed = false;
};
struct reversed_t {
  static constexpr bool reversed = true;
};
inline constexpr forward_t forward{};
inline constexpr reversed_t reversed{};

}  // namespace UPSWEEP_NAMESPACE
