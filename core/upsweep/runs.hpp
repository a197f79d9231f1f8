// Runs of neighbours that are equal, as a sweep sees them: where one begins, and the row of the one that ends there.
#pragma once
#include <upsweep/comparisons.hpp>
#include <upsweep/config.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
// Runs of neighbours that are equal.
template <class Equal>
struct head_of_run {
  static_assert(result_type_is_known<Equal>(), "write the return type of this __device__ lambda (-> bool)");
  Equal equal;
  UPSWEEP_CALLS_USER
  template <class T, class Key>
  UPSWEEP_HD bool is_head(const tuple<T, neighbours<Key>>& item) const {
    const auto& key = get<1>(item);
    return key.first || !equal(key.previous, key.value);
  }
};
// A run ends where the next one's head stands: that head's item writes it. The last run has no such head and is written
// at the end. (`Values`, the column that is reduced, tells a device how.)
template <class Equal, class Values>
struct next_run {
  Equal equal;
  UPSWEEP_CALLS_USER
  template <class Key, class Rest>
  UPSWEEP_HD int operator()(const tuple<Rest, neighbours<Key>>& item) const {
    const auto& key = get<1>(item);
    return key.first || equal(key.previous, key.value) ? 1 : 0;
  }
};
template <class K, class T, class Lift, class M>
struct finished_run {
  Lift lift;
  M m;
  template <class Item>
  UPSWEEP_HD tuple<K, T> row(const Item& item, const typename M::value_type& before) const {
    return upsweep::make_tuple(static_cast<K>(get<1>(item).previous), static_cast<T>(before.value));
  }
  template <class Item, class V>
  UPSWEEP_HD tuple<K, T> operator()(index_t, const Item& item, const V& exclusive, const V&) const {
    return row(item, exclusive);
  }
  struct walker {
    const finished_run& run;
    typename M::value_type before;
    UPSWEEP_CALLS_USER
    template <class Item>
    UPSWEEP_HD tuple<K, T> operator()(const Item& item) {
      const auto result = run.row(item, before);
      before = run.m(before, run.lift(item));
      return result;
    }
  };
  UPSWEEP_HD walker from(index_t, const typename M::value_type& before) const { return {*this, before}; }
};
template <class K, class T>
struct last_run {
  K* keys;
  T* out;
  index_t* count;
  template <class Item, class V>
  UPSWEEP_HD void operator()(const Item& last, const V& total) const {
    keys[total.counts[0]] = static_cast<K>(get<1>(last).value);
    out[total.counts[0]] = static_cast<T>(total.value.value);
    *count = total.counts[0] + 1;
  }
  template <class V>
  UPSWEEP_HD void empty(const V&) const {
    *count = 0;
  }
};
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
