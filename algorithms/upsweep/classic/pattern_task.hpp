// What a scan by an access pattern works on, as both backends take it: a block's items, where its prefixes go, its
// total.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include <upsweep/classic/pattern_sweeps.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::classic {
enum class prefixes : unsigned char { exclusive, inclusive };
}

namespace UPSWEEP_NAMESPACE::detail {

//! Of the tree over n items: log2 of n, rounded up.
inline int levels_of_tree(index_t n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n) - 1)); }

//! n items in blocks of so many; the last one may be shorter.
struct in_blocks {
  index_t n, block;
  UPSWEEP_HD index_t blocks() const { return (n + block - 1) / block; }
  UPSWEEP_HD index_t count(index_t k) const { return k * block + block < n ? block : n - k * block; }
};

//! `totals`: one a block, or null.
template <class T, class U, class M>
struct pattern_task {
  using value_type = typename M::value_type;
  const T* in;
  U* out;
  value_type* totals;
  index_t n, block;
  int levels;
  M m;
  classic::prefixes which;

  UPSWEEP_HD index_t blocks() const { return in_blocks{n, block}.blocks(); }
  UPSWEEP_HD index_t count(index_t k) const { return in_blocks{n, block}.count(k); }
  UPSWEEP_HD index_t width() const { return index_t{1} << levels; }
  template <class Pattern>
  UPSWEEP_HD index_t slots(const Pattern& pattern) const {
    return pattern.slot(width() - 1) + 1;
  }
  UPSWEEP_HD value_type item(index_t i) const { return static_cast<value_type>(in[i]); }

  //! Stores the prefix of item i of block k, which has been scanned. The item itself is read again: a tree has left
  //! what stands before it alone.
  UPSWEEP_CALLS_USER
  template <class Pattern, class Memory>
  UPSWEEP_HD void finish(const Pattern& pattern, const Memory& memory, index_t k, index_t i) const {
    const index_t at = k * block + i;
    const bool is_last = totals != nullptr && i == count(k) - 1;
    if (is_last || which == classic::prefixes::inclusive) {
      const value_type inclusive = inclusive_prefix(pattern, memory, i, item(at), m);
      if (is_last) totals[k] = inclusive;
      if (which == classic::prefixes::inclusive) {
        out[at] = static_cast<U>(inclusive);
        return;
      }
    }
    out[at] = static_cast<U>(exclusive_prefix(pattern, memory, i, m));
  }
};

template <class T, class U, class M>
pattern_task<T, U, M> task_of(const T* in, U* out, index_t n, index_t block, const M& m, classic::prefixes which) {
  block = std::min(block, n);
  return {.in = in,
          .out = out,
          .totals = nullptr,
          .n = n,
          .block = block,
          .levels = levels_of_tree(block),
          .m = m,
          .which = which};
}

//! What stands before each block goes in front of its prefixes.
template <class U, class M>
struct totals_task {
  U* out;
  const typename M::value_type* before;
  index_t n, block;
  M m;
  UPSWEEP_HD index_t blocks() const { return in_blocks{n, block}.blocks(); }
  UPSWEEP_HD index_t count(index_t k) const { return in_blocks{n, block}.count(k); }
  UPSWEEP_CALLS_USER
  UPSWEEP_HD void add(index_t k, index_t i) const {
    U& prefix = out[k * block + i];
    prefix = static_cast<U>(m(before[k], static_cast<typename M::value_type>(prefix)));
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
