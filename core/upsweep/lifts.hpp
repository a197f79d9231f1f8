// How items become what is scanned, and how prefixes become results: the lifts and projections of the named calls.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
//! An item as a value of a monoid. Only what converts by itself: an aggregate made of an item by parentheses would take
//! its first member for the whole.
template <class V, class Item>
UPSWEEP_HD constexpr V as_value(const Item& item) {
  static_assert(std::is_convertible_v<const Item&, V>,
                "upsweep: an item does not convert to the monoid's value_type; call scan with a lift that makes one");
  return static_cast<V>(item);
}

struct lift_nothing {
  template <class Item>
  UPSWEEP_HD nothing operator()(const Item&) const {
    return {};
  }
};
}  // namespace detail

//! Converts an item to the value that is scanned.
template <class V>
struct lift_to {
  template <class Item>
  UPSWEEP_HD V operator()(const Item& item) const {
    return detail::as_value<V>(item);
  }
};
//! Puts an item's index beside it, for argmin and argmax.
//!   upsweep::reduce(exec, upsweep::contiguous(in, upsweep::indices()), upsweep::lift_indexed{}, upsweep::argmax<T>{})
struct lift_indexed {
  template <class T>
  UPSWEEP_HD constexpr indexed<T> operator()(const T& item, index_t index) const {
    return {item, index};
  }
};

namespace detail {
//! exclusive[i] with a value in front of everything: init∘exclusive[i].
template <class M>
struct after_init {
  M m;
  typename M::value_type init;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD V operator()(index_t i, const Item&, const V& exclusive, const V&) const {
    return i == first ? init : m(init, exclusive);
  }
  index_t first;  // the index that nothing precedes
};

//! An item of a segmented scan: (value, mark), the mark a head flag or a key beside its neighbour.
struct lift_flagged {  // a head: this item's flag; or, reversed, the flag of the item that the scan has just left
  template <class T, class Flag>
  UPSWEEP_HD static bool is_head(const tuple<T, Flag>& item) {
    return get<1>(item) != Flag{};
  }
  template <class T, class Flag>
  UPSWEEP_HD static bool is_head(const tuple<T, neighbours<Flag>>& item) {
    return get<1>(item).first || get<1>(item).previous != Flag{};
  }
};
struct lift_keyed {
  template <class T, class Key>
  UPSWEEP_HD static bool is_head(const tuple<T, neighbours<Key>>& item) {
    return get<1>(item).first || !(get<1>(item).previous == get<1>(item).value);
  }
};
template <bool Reversed>
struct lift_marked {
  template <class T>
  UPSWEEP_HD static bool is_head(const tuple<T, std::uint8_t>& item) {
    return get<1>(item) & (Reversed ? segment_end : segment_start);
  }
};
struct lift_row {
  multiple_of row_length;
  index_t offset;  // 0, or 1 when reversed: a row then starts where the next one would
  template <class T>
  UPSWEEP_HD bool is_head(const tuple<T, index_t>& item) const {
    return row_length(get<1>(item) + offset);
  }
};

//! Lifts an item into segmented<M>, a head where `Heads` says so.
template <class M, class Heads>
struct lift_segmented {
  Heads heads;
  template <class Item>
  UPSWEEP_HD typename segmented<M>::value_type operator()(const Item& item) const {
    return {detail::as_value<typename M::value_type>(get<0>(item)), heads.is_head(item)};
  }
};
struct segment_inclusive {
  template <class Item, class V>
  UPSWEEP_HD auto operator()(index_t, const Item&, const V&, const V& inclusive) const {
    return inclusive.value;
  }
};
//! The exclusive prefix within a segment; its first item gets `init`.
template <class M, class Heads, bool HasInit>
struct segment_exclusive {
  M m;
  typename M::value_type init;
  Heads heads;
  index_t first;
  UPSWEEP_CALLS_USER
  template <class Item, class V>
  UPSWEEP_HD typename M::value_type operator()(index_t i, const Item& item, const V& exclusive, const V&) const {
    if (i == first || heads.is_head(item)) return init;
    if constexpr (HasInit) {
      return m(init, exclusive.value);
    } else {
      return exclusive.value;
    }
  }
};

}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
