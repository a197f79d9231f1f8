// Merge sort of what fits a cache, by any comparator: stable, without branches that depend on an item, and a
// permutation in bounds whatever the comparator says.
#pragma once
#include <algorithm>
#include <cstring>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! One of two positions. Compilers make a branch of `second ? b : a` where they see a load behind it.
UPSWEEP_INLINE index_t chosen(bool second, index_t a, index_t b) { return a ^ ((a ^ b) & -index_t{second}); }

template <class T>
void copy_run(const T* in, index_t n, T* out) {
  if (in != out && n > 0) std::memcpy(static_cast<void*>(out), in, static_cast<std::size_t>(n) * sizeof(T));
}

//! Sorts four items; `in` may be `out`. Pairs first, then the least and the greatest of all, then the two between.
template <class T, class Less>
UPSWEEP_INLINE void sort_four(const T* in, T* out, const Less& less) {
  const index_t a = less(in[1], in[0]), b = 1 - a;
  const index_t c = 2 + index_t{less(in[3], in[2])}, d = 5 - c;
  const bool c_is_first = less(in[c], in[a]), b_is_last = less(in[d], in[b]);
  const index_t first = chosen(c_is_first, a, c), last = chosen(b_is_last, d, b);
  const index_t left = chosen(c_is_first, chosen(b_is_last, b, c), a);
  const index_t right = chosen(b_is_last, chosen(c_is_first, c, b), d);
  const bool swapped = less(in[right], in[left]);
  const T sorted[] = {in[first], in[chosen(swapped, left, right)], in[chosen(swapped, right, left)], in[last]};
  for (int k = 0; k < 4; k++) out[k] = sorted[k];
}

//! Sorts a few items in place.
template <class T, class Less>
void insertion_sort(T* items, index_t n, const Less& less) {
  for (index_t i = 1; i < n; i++) {
    const T item = items[i];
    index_t k = i;
    for (; k > 0 && less(item, items[k - 1]); k--) items[k] = items[k - 1];
    items[k] = item;
  }
}

//! Positions [begin, end) of a run that is still to be merged.
struct rest {
  index_t begin, end;
  index_t size() const { return end - begin; }
};

template <class T, class Less>
void merge_forward(const T* in, rest left, rest right, T* out, const Less& less) {
  while (left.begin < left.end && right.begin < right.end) {
    const bool from_right = less(in[right.begin], in[left.begin]);
    *out++ = in[chosen(from_right, left.begin, right.begin)];
    right.begin += from_right;
    left.begin += !from_right;
  }
  copy_run(in + left.begin, left.size(), out);
  copy_run(in + right.begin, right.size(), out + left.size());
}

//! Merges runs [0, middle) and [middle, n), from both ends at once for as many steps as the shorter one has items:
//! neither chain of comparisons waits for the other, and neither comes to the end of a run before its last step.
template <class T, class Less>
UPSWEEP_INLINE void merge(const T* in, index_t middle, index_t n, T* out, const Less& less) {
  const index_t steps = std::min(middle, n - middle);
  index_t l = 0, r = middle, l_last = middle - 1, r_last = n - 1;
  for (index_t k = 0; k < steps; k++) {
    const bool right = less(in[r], in[l]);
    out[k] = in[chosen(right, l, r)];
    r += right;
    l += !right;
    const bool left = less(in[r_last], in[l_last]);
    out[n - 1 - k] = in[chosen(left, r_last, l_last)];
    l_last -= left;
    r_last -= !left;
  }
  const rest left{l, l_last + 1}, right{r, r_last + 1};
  if (left.size() >= 0 && right.size() >= 0) return merge_forward(in, left, right, out + steps, less);
  merge_forward(in, {0, middle}, {middle, n}, out, less);  // the ends took the same item: less contradicts itself
}

//! The same for runs that may be in order already, or in reverse order.
template <class T, class Less>
void merge_if_needed(const T* in, index_t middle, index_t n, T* out, const Less& less) {
  if (!less(in[middle], in[middle - 1])) return copy_run(in, n, out);
  if (!less(in[n - 1], in[0])) return merge(in, middle, n, out, less);
  copy_run(in + middle, n - middle, out);
  copy_run(in, middle, out + (n - middle));
}

inline constexpr index_t merged_by_passes = 32;

//! Sorts n items into `out`, with `spare` for as many; `in` may be either of them. Passes over a handful.
template <class T, class Less>
void merge_by_passes(const T* in, index_t n, T* out, T* spare, const Less& less) {
  constexpr index_t first_run = 4;
  bool even = true;  // number of passes
  for (index_t run = first_run; run < n; run *= 2) even = !even;
  T* to = even ? out : spare;
  const index_t fours = n / first_run * first_run;
  for (index_t i = 0; i < fours; i += first_run) sort_four(in + i, to + i, less);
  copy_run(in + fours, n - fours, to + fours);
  insertion_sort(to + fours, n - fours, less);

  for (index_t run = first_run; run < n; run *= 2) {
    const T* const from = to;
    to = to == out ? spare : out;
    for (index_t i = 0; i < n; i += 2 * run) {
      const index_t both = std::min(2 * run, n - i);
      if (both > run) {
        merge(from + i, run, both, to + i, less);
      } else {
        copy_run(from + i, both, to + i);
      }
    }
  }
}

//! The same for any n, by halves: runs of about the same length merge fastest.
template <class T, class Less>
void merge_sort(const T* in, index_t n, T* out, T* spare, const Less& less) {
  if (n <= merged_by_passes) return merge_by_passes(in, n, out, spare, less);
  const index_t middle = (n / merged_by_passes + 1) / 2 * merged_by_passes;
  merge_sort(in, middle, spare, out, less);
  merge_sort(in + middle, n - middle, spare + middle, out + middle, less);
  merge_if_needed(spare, middle, n, out, less);
}

}  // namespace UPSWEEP_NAMESPACE::detail
