// Recurrences of order 2 on the host. Not a sweep: its maps of six numbers an item would cost more than the items do.
// A chunk of 128 items is walked twice. First for its map: three recurrences in a vector, from (0, 0) with the terms
// and from (1, 0) and (0, 1) without, or what remains of them where a row begins. Then with the two values before it.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! What the terms, u and v make of a value; the fourth fills the vector.
template <class T>
struct vector_of_four {
  typedef T type __attribute__((vector_size(4 * sizeof(T))));
};
template <class T>
using four = typename vector_of_four<T>::type;

template <class T, class A1, class A2, class B, class Before, bool Reversed>
struct companion_job {
  using order = slot_order<Reversed>;
  using W = wrapping_t<T>;  // signed integers are computed with as unsigned ones
  static constexpr bool reversed = Reversed;
  static constexpr std::size_t item_bytes = sizeof(A1) + sizeof(A2) + sizeof(B) + sizeof(T);
  static constexpr int side_by_side = 4;  // chunks, to hide the latency
  static constexpr index_t round = 8 * chunk, tile = tile_items(item_bytes, round);

  struct map {
    four<W> last, previous;
    bool constant;
  };
  struct scratch {
    map* maps = nullptr;                // one a chunk
    two_values<W>* prefixes = nullptr;  // one a chunk
    T* staged = nullptr;                // a round's results

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      maps = pieces.take<map>(chunks_of(capacity));
      prefixes = pieces.take<two_values<W>>(chunks_of(capacity));
      staged = pieces.take<T>(round);
    }
  };

  index_t n, length;  // length: of a row
  const A1* a1;
  const A2* a2;
  const B* b;
  Before before;
  T* x;
  bool streaming = false;
  two_values<W> running{};

  void start(index_t) { streaming = is_streamed<T>(n); }

  void load(scratch& s, const part& p) {
    each_chunk(0, p.count, [&](auto count, index_t begin, index_t items) UPSWEEP_LAMBDA_INLINE {
      fold_chunks<count.value>(p, begin, items, s.maps + begin / chunk);
    });
  }
  void advance(scratch& s, const part& p) {
    for (index_t c = 0; c < chunks_of(p.count); c++) {
      const map& m = s.maps[c];
      const two_values<W> from = s.prefixes[c] = running;
      running = {m.last[0], m.previous[0]};
      if (m.constant) continue;
      running = {m.last[1] * from.last + (m.last[2] * from.previous + m.last[0]),
                 m.previous[1] * from.last + (m.previous[2] * from.previous + m.previous[0])};
    }
  }
  void store(scratch& s, const part& p) {
    for (index_t from = 0; from < p.count; from += round) {
      const index_t to = p.count - from < round ? p.count : from + round, low = order::low(p, from, to);
      each_chunk(from, to, [&](auto count, index_t begin, index_t items) UPSWEEP_LAMBDA_INLINE {
        walk_chunks<count.value>(p, begin, items, s.prefixes + begin / chunk, s.staged - low);
      });
      copy_out(x + p.low + low, s.staged, static_cast<std::size_t>(to - from) * sizeof(T), streaming);
    }
  }

 private:
  two_values<W> before_row(index_t along_the_scan) const {
    const index_t row = Reversed ? n / length - 1 - along_the_scan : along_the_scan;
    return {static_cast<W>(before(row, Reversed ? 0 : 1)), static_cast<W>(before(row, Reversed ? 1 : 0))};
  }
  template <class Item>
  UPSWEEP_INLINE static W number(const Item& item) {
    return static_cast<W>(number_as<T>(item));
  }

  //! Calls f(count, begin, items) for `count` neighbouring chunks of so many items: whole ones side by side.
  template <class F>
  UPSWEEP_INLINE static void each_chunk(index_t begin, index_t end, const F& f) {
    with_vectors<true, 32>([&](auto) UPSWEEP_LAMBDA_INLINE {
      constexpr index_t width = side_by_side * chunk;
      index_t at = begin;
      for (; end - at >= width; at += width) f(std::integral_constant<int, side_by_side>{}, at, chunk);
      for (; at < end; at += chunk) f(std::integral_constant<int, 1>{}, at, end - at < chunk ? end - at : chunk);
    });
  }

  template <int Count>
  UPSWEEP_INLINE void fold_chunks(const part& p, index_t begin, index_t items, map* to) const {
    four<W> last[Count], previous[Count];
    bool constant[Count] = {};
    for (int c = 0; c < Count; c++) {
      last[c] = four<W>{W{0}, W{1}, W{0}, W{0}};
      previous[c] = four<W>{W{0}, W{0}, W{1}, W{0}};
    }
    walk<Count>(
        p, begin, items,
        [&](int c, index_t row) UPSWEEP_LAMBDA_INLINE {
          const two_values<W> state = before_row(row);
          last[c] = four<W>{state.last, W{0}, W{0}, W{0}};
          previous[c] = four<W>{state.previous, W{0}, W{0}, W{0}};
          constant[c] = true;
        },
        [&](int c, index_t, W p1, W p2, W term) UPSWEEP_LAMBDA_INLINE {
          const four<W> now = last[c] * p1 + (previous[c] * p2 + four<W>{term, W{0}, W{0}, W{0}});
          previous[c] = last[c];
          last[c] = now;
        });
    for (int c = 0; c < Count; c++) to[c] = {last[c], previous[c], constant[c]};
  }
  template <int Count>
  UPSWEEP_INLINE void walk_chunks(const part& p, index_t begin, index_t items, const two_values<W>* from,
                                  T* staged) const {
    two_values<W> state[Count];
    for (int c = 0; c < Count; c++) state[c] = from[c];
    walk<Count>(
        p, begin, items, [&](int c, index_t row) UPSWEEP_LAMBDA_INLINE { state[c] = before_row(row); },
        [&](int c, index_t slot, W p1, W p2, W term) UPSWEEP_LAMBDA_INLINE {
          state[c] = {p1 * state[c].last + (p2 * state[c].previous + term), state[c].last};
          staged[slot] = static_cast<T>(state[c].last);
        });
  }
  //! Walks through chunks side by side: row(c, number) where one begins, item(c, slot, a1, a2, b).
  template <int Count, class Row, class Item>
  UPSWEEP_INLINE void walk(const part& p, index_t begin, index_t items, const Row& row, const Item& item) const {
    index_t away[Count], next_row[Count];
    for (int c = 0; c < Count; c++) {  // the first row that begins there, and in how many items
      const index_t position = p.first + begin + c * chunk;
      next_row[c] = (position + length - 1) / length;
      away[c] = next_row[c] * length - position;
    }
    const A1* from_1 = a1 + p.low;
    const A2* from_2 = a2 + p.low;
    const B* terms = b + p.low;
    index_t slot = order::slot(p, begin);
    for (index_t step = 0; step < items; step++, slot += order::step)
      for (int c = 0; c < Count; c++) {
        if (step == away[c]) {
          row(c, next_row[c]++);
          away[c] += length;
        }
        const index_t at = slot + order::step * c * chunk;
        item(c, at, number(from_1[at]), number(from_2[at]), number(terms[at]));
      }
  }
};

//! x[i] = a1[i]·x[i−1] + a2[i]·x[i−2] + b[i] over rows of `length` items.
template <bool Reversed, class A1, class A2, class B, class Before, class T>
void recur_in_order_2(host& executor, const named_range<A1>& a1, const named_range<A2>& a2, const named_range<B>& b,
                      const Before& before, const named_range<T>& x, index_t length) {
  if (b.size == 0) return;
  companion_job<T, A1, A2, B, Before, Reversed> job{
      .n = b.size, .length = length, .a1 = a1.data, .a2 = a2.data, .b = b.data, .before = before, .x = x.data};
  run_job(executor.lender(), job, b.size, executor.threads());
}

}  // namespace UPSWEEP_NAMESPACE::detail
