// Products of sparse matrices with numbers, on the host. Non-zeros are multiplied a tile at a time, with no look at the
// rows: that loop waits for nothing but x. Then each row is summed from the cache, without a branch on its length.
// Where rows are long, products go to the lanes of their sums as they are made.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sparse/host/csr_parts.hpp>
#include <upsweep/sparse/host/lanes.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Value, class Column, class Offset, class X, class Y>
class product_fold {
  using S = sum_type_t<Y>;

 public:
  using rows_type = csr_rows<Value, Column, Offset>;

  product_fold(const rows_type& a, const X* x, const scaled_store<Y>& store) : a_(a), x_(x), store_(store) {}

  void rows(index_t from, index_t to) const {
    with_vectors<has_versions, most_vector_bytes>([&](auto bytes)
                                                      UPSWEEP_LAMBDA_INLINE { fold<bytes.value>(from, to); });
  }
  S stretch(index_t k, index_t count) const {
    S sum;
    with_vectors<has_versions, most_vector_bytes>([&](auto bytes)
                                                      UPSWEEP_LAMBDA_INLINE { sum = stretch<bytes.value>(k, count); });
    return sum;
  }
  S join(const S& sum, const S& more) const { return sum_of(sum, more); }
  void store(index_t row, const S& sum) const { store_(row, sum); }

 private:
  static constexpr bool has_versions = has_vector_lanes<S>;
  // Items that are multiplied at once: with their columns and values they stay in an L1 cache of 32 KiB.
  static constexpr index_t tile = 8192 / sizeof(S);
  static_assert(row_stretch % tile == 0);
  static constexpr index_t checked = 256;  // columns at once
  static constexpr index_t crowd = 4;      // of empty rows, which are stored at once
  static constexpr bool is_vector_product =
      has_versions && std::is_floating_point_v<S> && std::is_same_v<Value, S> && std::is_same_v<X, S>;
  // Of a mean row's non-zeros, from which on their products skip the cache. (A Zen 4, one thread, rows of 16 and 64
  // doubles in the cache: 0.77 and 0.74 of the time, from memory 0.9; of 16 and 64 floats 1.0 and 0.9.)
  static constexpr index_t long_row = sizeof(S) == 8 ? 16 : 64;

  struct products {
    alignas(lane_bytes) S items[tile + lane_bytes / sizeof(S)];
    S sums[tile];
  };

  template <int Bytes>
  UPSWEEP_INLINE void fold(index_t from, index_t to) const {
    products memory;
    index_t guess = 0;
    while (from < to) {
      const index_t next = a_.rows_that_fit(from, std::min(to, from + tile), tile, guess);
      if (next == from || !a_.offsets_are_right(from, next)) {
        const index_t last = std::max(next, from + 1);
        for (; from < last; from++) store_(from, row(a_.begin(from), a_.length(from)));
        continue;
      }
      const Offset* const offsets = a_.offsets;
      const Offset first = offsets[from];
      const auto count = static_cast<index_t>(offsets[next] - first);
      if (count >= long_row * (next - from) && can_add_products(static_cast<index_t>(first), count)) {
        for (index_t r = from; r < next; r++) {
          lanes_of_t<S, Bytes> lanes;
          add_products<Bytes>(lanes, static_cast<index_t>(offsets[r]),
                              static_cast<index_t>(offsets[r + 1] - offsets[r]));
          memory.sums[r - from] = lanes.total();
        }
      } else {
        multiply<Bytes>(static_cast<index_t>(first), count, memory.items);
        sum_rows<Bytes>(from, next, memory.items, memory.sums);
      }
      store_all(from, next, memory.sums);
      from = next;
    }
  }

  // Sums of rows [from, to), whose products begin at items[0].
  template <int Bytes>
  UPSWEEP_INLINE void sum_rows(index_t from, index_t to, const S* items, S* sums) const {
    using lanes_type = lanes_of_t<S, Bytes>;
    constexpr int together = lanes_type::together;
    const Offset* const offsets = a_.offsets;
    const Offset first = offsets[from];
    const auto add = [&](lanes_type& lanes, index_t r) UPSWEEP_LAMBDA_INLINE {
      lanes.add(items + (offsets[r] - first), static_cast<index_t>(offsets[r + 1] - offsets[r]));
    };
    for (; from + crowd <= to; from += crowd, sums += crowd) {
      if (offsets[from] == offsets[from + crowd]) {
        std::fill(sums, sums + crowd, S{});
        continue;
      }
      for (int r = 0; r < crowd; r += together)
        lanes_type::totals([&](lanes_type& lanes, int k) UPSWEEP_LAMBDA_INLINE { add(lanes, from + r + k); }, sums + r);
    }
    for (; from < to; from++) {
      lanes_type lanes;
      add(lanes, from);
      *sums++ = lanes.total();
    }
  }

  UPSWEEP_INLINE void store_all(index_t from, index_t to, const S* sums) const {
    const scaled_store<Y> store = store_;  // or each store to y might change it
    if (store.reads_y) {
      for (index_t r = from; r < to; r++) store(r, sums[r - from]);
    } else {
      for (index_t r = from; r < to; r++) store.y[r] = static_cast<Y>(product_of<S>(store.alpha, sums[r - from]));
    }
  }

  // A row of any length. Stretches are functions of their own: here they would be compiled a second time.
  S row(index_t k, index_t count) const {
    if (count == 0) return S{};
    S sum = stretch(k, std::min(count, row_stretch));
    for (index_t done = row_stretch; done < count; done += row_stretch)
      sum = sum_of(sum, stretch(k + done, std::min(count - done, row_stretch)));
    return sum;
  }
  template <int Bytes>
  UPSWEEP_INLINE S stretch(index_t k, index_t count) const {
    products memory;
    lanes_of_t<S, Bytes> lanes;
    for (index_t done = 0; done < count; done += tile) {
      const index_t some = std::min(count - done, tile);
      if (can_add_products(k + done, some)) {
        add_products<Bytes>(lanes, k + done, some);
      } else {
        multiply<Bytes>(k + done, some, memory.items);
        lanes.add(memory.items, some);
      }
    }
    return lanes.total();
  }

  // May these non-zeros, and what lanes make of those behind them, be multiplied with no further look?
  UPSWEEP_INLINE bool can_add_products(index_t k, index_t count) const {
    constexpr index_t with_lanes = lane_bytes / sizeof(S);
    return is_vector_product && k + count + with_lanes <= a_.nonzeros && a_.columns_are_right(k, count + with_lanes);
  }
  template <int Bytes, class Lanes>
  UPSWEEP_INLINE void add_products(Lanes& lanes, index_t k, index_t count) const {
    if constexpr (is_vector_product) {
      const Value* const values = a_.values + k;
      const Column* const columns = a_.column_indices + k;
      const X* const x = x_;
      lanes.template add_vectors<true>(count, [&](index_t i, auto& of_vector) UPSWEEP_LAMBDA_INLINE {
        multiply_vector(values + i, columns + i, x, of_vector);
      });
    }
  }

  // Columns are checked before they are used, a few at a time: that goes on beside the products.
  template <int Bytes>
  UPSWEEP_INLINE void multiply(index_t k, index_t count, S* items) const {
    const Value* const values = a_.values + k;
    const Column* const columns = a_.column_indices + k;
    const X* const x = x_;
    for (index_t i = 0; i < count; i += checked) {
      const index_t some = std::min(count - i, checked);
      if (a_.columns_are_right(k + i, some)) {
        multiply_right<Bytes>(values + i, columns + i, x, some, items + i);
      } else {
        for (index_t j = i; j < i + some; j++) items[j] = product_of<S>(values[j], x[a_.column(k + j)]);
      }
    }
    std::memset(static_cast<void*>(items + count), 0, lane_bytes);  // what lanes read and leave out
  }
  template <int Bytes>
  UPSWEEP_INLINE static void multiply_right(const Value* values, const Column* columns, const X* x, index_t count,
                                            S* items) {
    index_t i = 0;
#if UPSWEEP_VECTORS
    if constexpr (is_vector_product) {
      constexpr int width = Bytes / sizeof(S);
      for (; i + width <= count; i += width) {
        wide_vector_t<S, Bytes> of_vector;
        multiply_vector(values + i, columns + i, x, of_vector);
        std::memcpy(items + i, &of_vector, Bytes);
      }
    }
#endif
    for (; i < count; i++) items[i] = product_of<S>(values[i], x[columns[i]]);
  }

  // A vector that is put together of loads leaves the loads of x alone to be many: 0.20 ns a product, and 0.34 of a
  // plain loop, with or without the processor's gathers (float, AMD EPYC, family 26, 2026-11-21).
  template <class Vector>
  UPSWEEP_INLINE static void multiply_vector(const Value* values, const Column* columns, const X* x, Vector& result) {
    Vector from_x;
    std::memcpy(&result, values, sizeof(Vector));
    for (std::size_t l = 0; l < sizeof(Vector) / sizeof(S); l++) from_x[l] = x[columns[l]];
    result *= from_x;
  }

  const rows_type& a_;
  const X* x_;
  scaled_store<Y> store_;
};

template <class Value, class Column, class Offset, class X, class Y>
void run_product(host& executor, const product_task<Value, Column, Offset, X, Y>& task) {
  const csr_rows<Value, Column, Offset> a(task.a);
  fold_rows<sum_type_t<Y>>(executor, a, product_fold<Value, Column, Offset, X, Y>(a, task.x, task.store));
}
//! The same for a matrix that a plan has looked at.
template <class Value, class Column, class Offset, class X, class Y>
void run_product(host& executor, const product_task<Value, Column, Offset, X, Y>& task, const csr_places& places) {
  const csr_rows<Value, Column, Offset> a(task.a, true);
  fold_rows<sum_type_t<Y>>(executor, a, product_fold<Value, Column, Offset, X, Y>(a, task.x, task.store), places);
}

}  // namespace UPSWEEP_NAMESPACE::detail
