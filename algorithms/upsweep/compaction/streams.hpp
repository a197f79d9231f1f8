// Which stream an item goes to: what compaction and partition give to stores that pack.
#pragma once
#include <cstddef>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/loads.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Predicate>
struct keep_if {
  static_assert(result_type_is_known<Predicate>(), "write the return type of this __device__ lambda (-> bool)");
  Predicate predicate;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD int operator()(const Item& item) const {
    return call_with(predicate, item) ? 0 : 1;
  }
};
// The flag is an item's last column.
struct keep_flagged {
  template <class... Ts>
  UPSWEEP_HD int operator()(const tuple<Ts...>& item) const {
    return get<sizeof...(Ts) - 1>(item) ? 0 : 1;
  }
};
struct is_set {
  template <class Flag>
  UPSWEEP_HD bool operator()(const Flag& flag) const {
    return static_cast<bool>(flag);
  }
};
struct same_in_all_columns {
  template <class T>
  UPSWEEP_HD bool operator()(const T& a, const T& b) const {
    return a == b;
  }
  template <class... Ts>
  UPSWEEP_HD bool operator()(const tuple<Ts...>& a, const tuple<Ts...>& b) const {
    return same(a, b, std::index_sequence_for<Ts...>{});
  }

 private:
  template <class Row, std::size_t... I>
  UPSWEEP_HD static bool same(const Row& a, const Row& b, std::index_sequence<I...>) {
    return ((get<I>(a) == get<I>(b)) && ...);
  }
};
template <class Equal>
struct first_of_run {
  static_assert(result_type_is_known<Equal>(), "write the return type of this __device__ lambda (-> bool)");
  Equal equal;
  UPSWEEP_CALLS_USER
  template <class T>
  UPSWEEP_HD bool operator()(const neighbours<T>& item) const {
    return item.first || !equal(item.previous, item.value);
  }
  UPSWEEP_CALLS_USER
  template <class... Ts>
  UPSWEEP_HD bool operator()(const tuple<neighbours<Ts>...>& item) const {
    return compare(item, std::index_sequence_for<Ts...>{});
  }

 private:
  UPSWEEP_CALLS_USER
  template <class... Ts, std::size_t... I>
  UPSWEEP_HD bool compare(const tuple<neighbours<Ts>...>& item, std::index_sequence<I...>) const {
    return item.head.first || !equal(tuple_of<Ts...>(get<I>(item).previous...), tuple_of<Ts...>(get<I>(item).value...));
  }
};
struct take_index {
  template <class Item, class V>
  UPSWEEP_HD index_t operator()(index_t i, const Item&, const V&, const V&) const {
    return i;
  }
};
template <class Classify>
struct to_stream {
  static_assert(result_type_is_known<Classify>(), "write the return type of this __device__ lambda (-> int)");
  Classify classify;
  UPSWEEP_CALLS_USER
  template <class Item>
  UPSWEEP_HD int operator()(const Item& item) const {
    return static_cast<int>(call_with(classify, item));
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
