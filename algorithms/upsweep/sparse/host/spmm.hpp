// Products of sparse matrices with a few dense columns, on the host. All columns of a row are summed at once, in two
// halves: the non-zeros of even number and those of odd number, each left to right.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sparse/host/csr_parts.hpp>
#include <upsweep/sparse/host/lanes.hpp>
#include <upsweep/sparse/spmv_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t most_dense_columns = 32;

template <class S>
struct dense_row {
  S items[most_dense_columns];
};

template <class Task, class Rows, class S>
class dense_fold {
 public:
  dense_fold(const Rows& a, const Task& task) : a_(a), task_(task) {}

  void rows(index_t from, index_t to) const {
    with_vectors<has_vector_lanes<S>, most_vector_bytes>([&](auto) UPSWEEP_LAMBDA_INLINE {
      visit_rows(a_, from, to, [&](index_t row, index_t k, index_t count, bool right) UPSWEEP_LAMBDA_INLINE {
        dense_row<S> sum;
        if (right || count == 0) {
          sum_right(k, count, sum);
        } else {
          sum = sum_of_stretches(*this, k, count);
        }
        store(row, sum);
      });
    });
  }
  dense_row<S> stretch(index_t k, index_t count) const {
    dense_row<S> sum;
    if (a_.columns_are_right(k, count)) {
      with_vectors<has_vector_lanes<S>, most_vector_bytes>([&](auto)
                                                               UPSWEEP_LAMBDA_INLINE { sum_right(k, count, sum); });
    } else {
      for (index_t j = 0; j < task_.width; j++) sum.items[j] = sum_anywhere(k, count, j);
    }
    return sum;
  }
  dense_row<S> join(const dense_row<S>& sum, const dense_row<S>& more) const {
    dense_row<S> both;
    for (index_t j = 0; j < task_.width; j++) both.items[j] = sum_of(sum.items[j], more.items[j]);
    return both;
  }
  void store(index_t row, const dense_row<S>& sum) const {
    for (index_t j = 0; j < task_.width; j++) task_.store(row * task_.width + j, sum.items[j]);
  }

 private:
  // Columns by 16, 8, 4, 2 and 1: the compiler knows how many there are.
  UPSWEEP_INLINE void sum_right(index_t k, index_t count, dense_row<S>& sum) const {
    index_t j = 0;
    const auto some = [&](auto width) UPSWEEP_LAMBDA_INLINE {
      for (; task_.width - j >= width.value; j += width.value) sum_columns<width.value>(k, count, j, sum.items + j);
    };
    some(std::integral_constant<int, 16>{});
    some(std::integral_constant<int, 8>{});
    some(std::integral_constant<int, 4>{});
    some(std::integral_constant<int, 2>{});
    some(std::integral_constant<int, 1>{});
  }
  template <int Width>
  UPSWEEP_INLINE void sum_columns(index_t k, index_t count, index_t first, S* sums) const {
    const auto* const values = a_.values + k;
    const auto* const columns = a_.column_indices + k;
    const auto* const x = task_.x + first;
    const index_t width = task_.width;
    S even[Width] = {}, odd[Width] = {};
    const auto add = [&](index_t i, S(&to)[Width]) UPSWEEP_LAMBDA_INLINE {
      const auto value = values[i];
      const auto* const row = x + static_cast<index_t>(columns[i]) * width;
      for (int j = 0; j < Width; j++) to[j] = sum_of(to[j], product_of<S>(value, row[j]));
    };
    index_t i = 0;
    for (; i + 2 <= count; i += 2) {
      add(i, even);
      add(i + 1, odd);
    }
    if (i < count) add(i, even);
    for (int j = 0; j < Width; j++) sums[j] = sum_of(even[j], odd[j]);
  }
  // One column's sum when some of A's columns are wrong.
  S sum_anywhere(index_t k, index_t count, index_t j) const {
    S sums[2] = {};
    for (index_t i = 0; i < count; i++)
      sums[i % 2] = sum_of(sums[i % 2], product_of<S>(a_.values[k + i], task_.x[a_.column(k + i) * task_.width + j]));
    return sum_of(sums[0], sums[1]);
  }

  const Rows& a_;
  const Task& task_;
};

template <class Value, class Column, class Offset, class X, class Y>
void run_dense(host& executor, const dense_task<Value, Column, Offset, X, Y>& task) {
  using Rows = csr_rows<Value, Column, Offset>;
  using S = sum_type_t<Y>;
  const Rows a(task.a);
  fold_rows<dense_row<S>>(executor, a, dense_fold<dense_task<Value, Column, Offset, X, Y>, Rows, S>(a, task));
}

}  // namespace UPSWEEP_NAMESPACE::detail
