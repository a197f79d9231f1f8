// Recurrences on the host, of order 1 and 2: their steps, read from memory for one chunk of items or for several side
// by side, each in a lane of a vector; and the maps of spans.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <upsweep/affine.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- lanes
//! A number, or one of each chunk. (Signed integers are computed with as unsigned ones.)
template <class N, int Lanes>
struct lanes_type {
  using type = N;
};
//! How many chunks are walked along in a vector: several if items are read as they are.
template <class N, class... Columns>
inline constexpr int lanes_for = 1;
#if UPSWEEP_VECTORS
template <class N, int Lanes>
  requires(Lanes > 1)
struct lanes_type<N, Lanes> : vector<wrapping_t<N>> {};
template <class N, class... Columns>
  requires(is_lane<N> && sizeof(N) == 4 && (std::is_same_v<N, Columns> && ...))
inline constexpr int lanes_for<N, Columns...> = 16 / sizeof(N);
#endif
template <class N, int Lanes>
using lanes_t = typename lanes_type<N, Lanes>::type;

template <class L>
L one() {
  if constexpr (requires(const L& x) { x + 1; }) return static_cast<L>(L{} + 1);
  else return number_as<L>(1);
}
template <class N, class L>
UPSWEEP_INLINE N lane_of(const L& x, int lane) {
  if constexpr (std::is_same_v<N, L>) return x;
  else return static_cast<N>(x[lane]);
}
template <class L, class N>
UPSWEEP_INLINE void set_lane(L& x, int lane, const N& value) {
  if constexpr (std::is_same_v<N, L>) x = value;
  else x[lane] = static_cast<wrapping_t<N>>(value);
}

//! An item of each chunk; the chunks' lie `apart` from each other.
template <class N, int Lanes, class T>
UPSWEEP_INLINE lanes_t<N, Lanes> item_of_each(const T* from, index_t apart) {
  if constexpr (Lanes == 1) {
    return number_as<N>(*from);
  } else {
    lanes_t<N, Lanes> items{};
    for (int lane = 0; lane < Lanes; lane++) set_lane(items, lane, from[lane * apart]);
    return items;
  }
}
//! As many of each as there are chunks, in the order of memory: `from` is the first chunk's lowest.
template <class N, int Lanes>
struct block_of_each {
  lanes_t<N, Lanes> items[Lanes];
  static UPSWEEP_INLINE block_of_each read(const N* from, index_t apart) {
    block_of_each block;
    for (int lane = 0; lane < Lanes; lane++)
      std::memcpy(&block.items[lane], from + lane * apart, sizeof(block.items[0]));
    transpose<wrapping_t<N>>(block.items);
    return block;
  }
  UPSWEEP_INLINE void write(N* to, index_t apart) {
    transpose<wrapping_t<N>>(items);
    for (int lane = 0; lane < Lanes; lane++) std::memcpy(to + lane * apart, &items[lane], sizeof(items[0]));
  }
};

template <class L, class N>
UPSWEEP_INLINE void set_lane_of(last_value<L>& x, int lane, const last_value<N>& value) {
  set_lane(x.last, lane, value.last);
}
template <class L, class N>
UPSWEEP_INLINE void set_lane_of(two_values<L>& x, int lane, const two_values<N>& value) {
  set_lane(x.last, lane, value.last);
  set_lane(x.previous, lane, value.previous);
}

// ---------------------------------------------------------------- order 1
//! What a span makes of the value before it: a·x + b. L: a number, or lanes of them.
template <class L>
struct map_of_order_1 {
  L factor = one<L>(), last{};

  UPSWEEP_INLINE void walk(const affine_map<L>& step) {
    factor = product(step.a, factor);
    last = product_and(step.a, last, step.b);
  }
  template <class N>
  UPSWEEP_INLINE void begin_row(int lane, const last_value<N>& before) {
    set_lane(last, lane, before.last);
  }
  template <class N>
  UPSWEEP_INLINE map_of_order_1<N> in_lane(int lane) const {
    return {lane_of<N>(factor, lane), lane_of<N>(last, lane)};
  }
  //! Where a row begins inside.
  UPSWEEP_INLINE last_value<L> of_nothing() const { return {last}; }
  UPSWEEP_INLINE last_value<L> operator()(const last_value<L>& before) const {
    return {product_and(factor, before.last, last)};
  }
};
template <class N, class A, class B>
struct steps_of_order_1 {
  using number_type = N;
  template <class L>
  using values = last_value<L>;
  template <class L>
  using map = map_of_order_1<L>;
  static constexpr int lanes = lanes_for<N, A, B>, vectors = 4;  // side by side, which hides the latency
  static constexpr std::size_t item_bytes = sizeof(A) + sizeof(B);
  const A* a;
  const B* b;

  UPSWEEP_INLINE void prefetch(index_t i, index_t items) const {
    prefetch_items(a, i, items);
    prefetch_items(b, i, items);
  }
  template <int Lanes>
  UPSWEEP_INLINE affine_map<lanes_t<N, Lanes>> at(index_t i, index_t apart) const {
    return {item_of_each<N, Lanes>(a + i, apart), item_of_each<N, Lanes>(b + i, apart)};
  }
  //! As many steps as there are lanes, in the order of memory.
  struct block_of_steps {
    block_of_each<N, lanes> a, b;
    UPSWEEP_INLINE affine_map<lanes_t<N, lanes>> operator[](int k) const { return {a.items[k], b.items[k]}; }
  };
  UPSWEEP_INLINE block_of_steps block(index_t low, index_t apart) const {
    return {block_of_each<N, lanes>::read(a + low, apart), block_of_each<N, lanes>::read(b + low, apart)};
  }
  template <class Before>
  static last_value<N> before_row(const Before& before, index_t row, bool) {
    return {before(row, 0)};
  }
};
template <class N, class A, class B>
steps_of_order_1<N, A, B> steps_over(const A* a, const B* b) {
  return {a, b};
}

// ---------------------------------------------------------------- order 2
//! What a span makes of the two values before it.
template <class L>
struct map_of_order_2 {
  linear_form<L> last{one<L>(), L{}, L{}}, previous{L{}, one<L>(), L{}};

  UPSWEEP_INLINE void walk(const linear_form<L>& step) {
    const linear_form<L> now{product_and(step.p, last.p, product(step.q, previous.p)),
                             product_and(step.p, last.q, product(step.q, previous.q)),
                             product_and(step.p, last.r, product_and(step.q, previous.r, step.r))};
    previous = last;
    last = now;
  }
  template <class N>
  UPSWEEP_INLINE void begin_row(int lane, const two_values<N>& before) {
    set_lane(last.r, lane, before.last);
    set_lane(previous.r, lane, before.previous);
  }
  template <class N>
  UPSWEEP_INLINE map_of_order_2<N> in_lane(int lane) const {
    return {{lane_of<N>(last.p, lane), lane_of<N>(last.q, lane), lane_of<N>(last.r, lane)},
            {lane_of<N>(previous.p, lane), lane_of<N>(previous.q, lane), lane_of<N>(previous.r, lane)}};
  }
  UPSWEEP_INLINE two_values<L> of_nothing() const { return {last.r, previous.r}; }
  UPSWEEP_INLINE two_values<L> operator()(const two_values<L>& before) const {
    return {after(before, last), after(before, previous)};
  }

 private:
  static L after(const two_values<L>& before, const linear_form<L>& form) {
    return product_and(form.p, before.last, product_and(form.q, before.previous, form.r));
  }
};
template <class N, class A1, class A2, class B>
struct steps_of_order_2 {
  using number_type = N;
  template <class L>
  using values = two_values<L>;
  template <class L>
  using map = map_of_order_2<L>;
  static constexpr int lanes = lanes_for<N, A1, A2, B>, vectors = 2;  // whose maps are six numbers
  static constexpr std::size_t item_bytes = sizeof(A1) + sizeof(A2) + sizeof(B);
  const A1* a1;
  const A2* a2;
  const B* b;

  UPSWEEP_INLINE void prefetch(index_t i, index_t items) const {
    prefetch_items(a1, i, items);
    prefetch_items(a2, i, items);
    prefetch_items(b, i, items);
  }
  template <int Lanes>
  UPSWEEP_INLINE linear_form<lanes_t<N, Lanes>> at(index_t i, index_t apart) const {
    return {item_of_each<N, Lanes>(a1 + i, apart), item_of_each<N, Lanes>(a2 + i, apart),
            item_of_each<N, Lanes>(b + i, apart)};
  }
  struct block_of_steps {
    block_of_each<N, lanes> a1, a2, b;
    UPSWEEP_INLINE linear_form<lanes_t<N, lanes>> operator[](int k) const {
      return {a1.items[k], a2.items[k], b.items[k]};
    }
  };
  UPSWEEP_INLINE block_of_steps block(index_t low, index_t apart) const {
    return {block_of_each<N, lanes>::read(a1 + low, apart), block_of_each<N, lanes>::read(a2 + low, apart),
            block_of_each<N, lanes>::read(b + low, apart)};
  }
  template <class Before>
  static two_values<N> before_row(const Before& before, index_t row, bool reversed) {
    return {before(row, reversed ? 0 : 1), before(row, reversed ? 1 : 0)};
  }
};
template <class N, class A1, class A2, class B>
steps_of_order_2<N, A1, A2, B> steps_over(const A1* a1, const A2* a2, const B* b) {
  return {a1, a2, b};
}

}  // namespace UPSWEEP_NAMESPACE::detail
