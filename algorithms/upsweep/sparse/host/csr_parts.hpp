// A matrix in compressed rows as the work of a host's threads. Whoever folds rows is told
//   fold.rows(from, to)      to sum and store rows [from, to)
//   fold.stretch(k, count)   to sum `count` > 0 non-zeros of one row, at most row_stretch of them
//   fold.join(sum, more)     to join the sums of neighbouring stretches
//   fold.store(row, sum)     to store the sum of a row
// Rows of up to row_stretch non-zeros are one stretch. Longer ones are stretches of row_stretch of their own non-zeros,
// joined left to right: so their sums are the same whichever threads have worked on them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <upsweep/atomic.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/crew.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t row_stretch = 8192;

//! What a host reads of a matrix. `begin` keeps wrong offsets in bounds. A matrix with no column has no non-zeros.
template <class Value, class Column, class Offset>
struct csr_rows {
  const Offset* offsets;
  const Column* column_indices;
  const Value* values;
  index_t rows, nonzeros;
  Column last_column;
  bool trusted;  // nothing needs to be checked
  std::size_t bytes;

  explicit csr_rows(const csr_view<Value, Column, Offset>& a, bool is_right = false)
      : offsets(a.offsets.data()),
        column_indices(a.column_indices.data()),
        values(a.values.data()),
        rows(a.rows),
        nonzeros(a.columns > 0 ? a.nonzeros() : 0),
        last_column(static_cast<Column>(a.columns > 0 ? a.columns - 1 : 0)),
        trusted(is_right),
        bytes(a.offsets.size_bytes() + a.column_indices.size_bytes() + a.values.size_bytes()) {}

  index_t begin(index_t r) const { return std::clamp<index_t>(static_cast<index_t>(offsets[r]), 0, nonzeros); }
  index_t length(index_t r) const { return std::max<index_t>(begin(r + 1) - begin(r), 0); }
  //! The nearest column that there is.
  index_t column(index_t k) const { return std::clamp<Column>(column_indices[k], 0, last_column); }

  //! Are the columns of these non-zeros in the matrix? 0.04 ns each (AMD EPYC, family 26, 2026-11-21).
  UPSWEEP_INLINE bool columns_are_right(index_t k, index_t count) const {
    if (trusted) return true;
    using U = std::make_unsigned_t<Column>;
    const Column* const at = column_indices + k;
    const U last = static_cast<U>(last_column);
    U signs{};  // of a column, and of what is left above it
    for (index_t i = 0; i < count; i++)
      signs |= static_cast<U>(static_cast<U>(at[i]) | static_cast<U>(last - static_cast<U>(at[i])));
    return static_cast<Column>(signs) >= 0;
  }
  //! Do the offsets of rows [from, to] ascend within the matrix?
  UPSWEEP_INLINE bool offsets_are_right(index_t from, index_t to) const {
    if (trusted) return true;
    using U = std::make_unsigned_t<Offset>;
    U signs{};
    for (index_t r = from; r < to; r++)
      signs = static_cast<U>(signs | static_cast<U>(offsets[r]) |
                             static_cast<U>(static_cast<U>(offsets[r + 1]) - static_cast<U>(offsets[r])));
    return static_cast<Offset>(signs) >= 0 && static_cast<index_t>(offsets[to]) <= nonzeros;
  }
  //! A row up to `to` such that [from, row) have no more than `most` non-zeros: `from` if its row alone has more. The
  //! last one such, or where `guess` rows fill half or more: a search waits for offsets that are in no cache yet, so it
  //! goes by steps that grow, and leaves a guess for the next call.
  index_t rows_that_fit(index_t from, index_t to, index_t most, index_t& guess) const {
    const index_t first = begin(from), last = first + most;
    if (0 < guess && guess <= to - from) {
      const index_t count = begin(from + guess) - first;
      if (most / 2 <= count && count <= most) return from + guess;
    }
    index_t fit = from, step = 16;
    while (step < to - fit && begin(fit + step) <= last) {
      fit += step;
      step *= 2;
    }
    for (index_t beyond = std::min(fit + step, to); fit < beyond;) {
      const index_t middle = beyond - (beyond - fit) / 2;
      if (begin(middle) <= last) fit = middle;
      else beyond = middle - 1;
    }
    guess = (fit - from) * 7 / 8;
    return fit;
  }
};

//! A place between two non-zeros: in front of row `row`, or inside it at a multiple of row_stretch.
struct csr_place {
  index_t row, at;
};

//! Cuts a matrix where rows and non-zeros together make equal parts: even rows are cut by rows, uneven ones by
//! non-zeros (merge path, Merrill and Garland 2016; here only long rows are cut inside).
template <class Rows>
struct csr_parts {
  const Rows& a;
  index_t count, size;  // of parts, of a part

  csr_parts(const Rows& rows, int threads) : a(rows) {
    const index_t all = a.rows + a.nonzeros;
    size = std::max(row_stretch, all / (index_t{16} * threads));
    count = (all + size - 1) / size;
  }

  csr_place operator()(index_t number) const {
    if (number == 0) return {0, 0};
    if (number >= count) return {a.rows, a.nonzeros};
    const index_t target = number * size;
    const index_t row = row_of(target), begin = a.begin(row);
    const index_t inside = target - (begin + row);
    if (inside <= 0) return {row, begin};
    const index_t length = a.length(row), cut = (inside + row_stretch - 1) / row_stretch * row_stretch;
    if (length > row_stretch && cut < length) return {row, begin + cut};
    return {row + 1, a.begin(row + 1)};
  }

 private:
  // The last row with so many rows and non-zeros before it, at most. It is looked for around where it is in a matrix of
  // even rows.
  index_t row_of(index_t target) const {
    const auto is_behind = [&](index_t row) { return a.begin(row) + row > target; };
    const auto guess = static_cast<index_t>(static_cast<double>(target) / static_cast<double>(a.rows + a.nonzeros) *
                                            static_cast<double>(a.rows));
    index_t low = std::min(guess, a.rows - 1), high = low + 1, step = 1;
    while (low > 0 && is_behind(low)) {
      high = low;
      low = std::max<index_t>(low - step, 0);
      step *= 2;
    }
    while (high < a.rows && !is_behind(high)) {
      low = high;
      high = std::min(high + step, a.rows);
      step *= 2;
    }
    while (high - low > 1) {
      const index_t middle = low + (high - low) / 2;
      (is_behind(middle) ? high : low) = middle;
    }
    return low;
  }
};

//! Sums of stretches of rows that are cut.
template <class V>
class cut_rows {
 public:
  void add(index_t row, index_t at, const V& sum) {
    const sole_user here(in_use_);
    stretches_.push_back({row, at, sum});
  }
  template <class Fold>
  void join(const Fold& fold) {
    std::sort(stretches_.begin(), stretches_.end(), [](const stretch& a, const stretch& b) { return a.at < b.at; });
    for (std::size_t k = 0; k < stretches_.size();) {
      const index_t row = stretches_[k].row;
      V sum = stretches_[k++].sum;
      for (; k < stretches_.size() && stretches_[k].row == row; k++) sum = fold.join(sum, stretches_[k].sum);
      fold.store(row, sum);
    }
  }

 private:
  struct stretch {
    index_t row, at;
    V sum;
  };
  std::vector<stretch> stretches_;
  atomic<bool> in_use_;
};

template <class V, class Rows, class Fold>
void fold_part(const Rows& a, const Fold& fold, const csr_place& from, const csr_place& to, cut_rows<V>& cut) {
  const auto stretches = [&](index_t row, index_t begin, index_t end) {
    for (index_t k = begin; k < end; k += row_stretch) cut.add(row, k, fold.stretch(k, std::min(end - k, row_stretch)));
  };
  index_t row = from.row;
  if (row < a.rows && from.at > a.begin(row)) {
    if (to.row == row) return stretches(row, from.at, to.at);
    stretches(row, from.at, a.begin(row + 1));
    row++;
  }
  if (row < to.row) fold.rows(row, to.row);
  if (to.row < a.rows) stretches(to.row, a.begin(to.row), to.at);
}

//! The places where parts begin, and the end.
using csr_places = buffer<csr_place>;

template <class Rows>
csr_places places_of(host& executor, const Rows& a) {
  const csr_parts<Rows> parts(a, executor.threads());
  csr_places places(executor, parts.count + 1);
  for (index_t k = 0; k <= parts.count; k++) places.data()[k] = parts(k);
  return places;
}

//! Folds all rows. V is the type of a sum, place(k) where part k begins.
template <class V, class Rows, class Fold, class Place>
void fold_parts(const host& executor, const Rows& a, const Fold& fold, index_t parts, const Place& place) {
  cut_rows<V> cut;
  share_out(executor.threads(), parts, [&](index_t k) { fold_part<V>(a, fold, place(k), place(k + 1), cut); });
  cut.join(fold);
}
template <class V, class Rows, class Fold>
void fold_rows(const host& executor, const Rows& a, const Fold& fold) {
  if (threads_for(a.bytes, executor.threads()) == 1) return fold.rows(0, a.rows);
  const csr_parts<Rows> parts(a, executor.threads());
  fold_parts<V>(executor, a, fold, parts.count, parts);
}
template <class V, class Rows, class Fold>
void fold_rows(const host& executor, const Rows& a, const Fold& fold, const csr_places& places) {
  if (places.size() == 0) return fold_rows<V>(executor, a, fold);  // a device's plan has none
  if (threads_for(a.bytes, executor.threads()) == 1) return fold.rows(0, a.rows);
  fold_parts<V>(executor, a, fold, places.size() - 1, [&](index_t k) { return places.data()[k]; });
}

//! Calls f(row, k, count, right) for rows [from, to): `count` non-zeros from `k` on, and are their columns known to be
//! right? Columns are looked at a tile of rows at a time.
template <class Rows, class F>
void visit_rows(const Rows& a, index_t from, index_t to, const F& f) {
  constexpr index_t tile = 2048;
  index_t guess = 0;
  while (from < to) {
    const index_t next = a.rows_that_fit(from, std::min(to, from + tile), tile, guess);
    const bool right = next > from && a.offsets_are_right(from, next) &&
                       a.columns_are_right(a.begin(from), a.begin(next) - a.begin(from));
    for (const index_t end = std::max(next, from + 1); from < end; from++)
      f(from, a.begin(from), a.length(from), right);
  }
}

//! The sum of a row of any length, but not of nothing: its stretches, joined.
template <class Fold>
auto sum_of_stretches(const Fold& fold, index_t k, index_t count) {
  auto sum = fold.stretch(k, std::min(count, row_stretch));
  for (index_t done = row_stretch; done < count; done += row_stretch)
    sum = fold.join(sum, fold.stretch(k + done, std::min(count - done, row_stretch)));
  return sum;
}

}  // namespace UPSWEEP_NAMESPACE::detail
