// Products of sparse matrices over a user's semiring, on the host. A row is folded in the order of its non-zeros, so
// the monoid need not be commutative: by groups of 8 of them, left to right, groups joined left to right. Groups do not
// wait for one another.
#pragma once
#include <algorithm>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/sparse/host/csr_parts.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Task, class Rows>
class semiring_fold {
 public:
  using M = decltype(Task::monoid);
  using V = typename M::value_type;

  semiring_fold(const Rows& a, const Task& task) : a_(a), task_(task) {}

  void rows(index_t from, index_t to) const {
    visit_rows(a_, from, to, [&](index_t row, index_t k, index_t count, bool right) {
      if (count == 0) store(row, task_.monoid.identity());
      else if (right) store(row, sum(right_column{}, k, count));
      else store(row, sum_of_stretches(*this, k, count));
    });
  }
  V stretch(index_t k, index_t count) const {
    return a_.columns_are_right(k, count) ? sum(right_column{}, k, count) : sum(nearest_column{}, k, count);
  }
  UPSWEEP_INLINE V join(const V& earlier, const V& later) const {
#if UPSWEEP_VECTORS
    // Compilers branch on a minimum that looks at NaNs: 5 ns a non-zero of random values, and 1.6 with a vector's first
    // lane (min-plus of floats, AMD EPYC, family 26, 2026-11-21).
    if constexpr (is_float_choice) {
      return vector_operator<M>::combine(vector_t<V>{} + earlier, vector_t<V>{} + later)[0];
    }
#endif
    return task_.monoid(earlier, later);
  }
  void store(index_t row, const V& sum) const { task_.store(row, sum); }

 private:
#if UPSWEEP_VECTORS
  static constexpr bool is_float_choice =
      std::is_floating_point_v<V> && has_vectors<M> && (std::is_same_v<M, minimum<V>> || std::is_same_v<M, maximum<V>>);
#endif
  static constexpr index_t group = 8;
  static constexpr int side_by_side = 4;  // groups: each one's sum waits for itself alone

  struct right_column {
    index_t operator()(const Rows& a, index_t k) const { return static_cast<index_t>(a.column_indices[k]); }
  };
  struct nearest_column {
    index_t operator()(const Rows& a, index_t k) const { return a.column(k); }
  };

  template <class ColumnOf>
  UPSWEEP_INLINE V product(const ColumnOf& column, index_t k) const {
    return static_cast<V>(task_.multiply(a_.values[k], task_.x[column(a_, k)]));
  }
  template <class ColumnOf>
  UPSWEEP_INLINE V sum_group(const ColumnOf& column, index_t k, index_t count) const {
    V sum = product(column, k);
    for (const index_t end = k + count; ++k < end;) sum = join(sum, product(column, k));
    return sum;
  }
  template <class ColumnOf>
  V sum(const ColumnOf& column, index_t k, index_t count) const {
    V sum = sum_group(column, k, std::min(count, group));
    index_t done = group;
    for (; count - done >= side_by_side * group; done += side_by_side * group) {
      const index_t first = k + done;
      V sums[side_by_side] = {product(column, first), product(column, first + group),
                              product(column, first + 2 * group), product(column, first + 3 * group)};
      for (index_t i = 1; i < group; i++)
        for (int c = 0; c < side_by_side; c++) sums[c] = join(sums[c], product(column, first + c * group + i));
      for (const V& more : sums) sum = join(sum, more);
    }
    for (; done < count; done += group) sum = join(sum, sum_group(column, k + done, std::min(count - done, group)));
    return sum;
  }

  const Rows& a_;
  const Task& task_;
};

template <class Value, class Column, class Offset, class X, class Y, class Multiply, class M>
void run_semiring(host& executor, const semiring_task<Value, Column, Offset, X, Y, Multiply, M>& task) {
  using Rows = csr_rows<Value, Column, Offset>;
  const Rows a(task.a);
  const semiring_fold<semiring_task<Value, Column, Offset, X, Y, Multiply, M>, Rows> fold(a, task);
  fold_rows<typename M::value_type>(executor, a, fold);
}

}  // namespace UPSWEEP_NAMESPACE::detail
