// Segments of any lengths, reduced on the host. Not a sweep: a segment's sum needs nothing of its neighbours. Each is
// folded as a sweep over it alone would fold it: by chunks of 128 of its own items, left to right.
#pragma once
#include <algorithm>
#include <mutex>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/engine.hpp>
#include <upsweep/host/segment_folds.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/lifts.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class Offset, class Out, class M>
struct segments_job {
  using V = typename M::value_type;
  static constexpr index_t part_size = index_t{1} << 15;  // items and segments of a part
  using item = std::remove_const_t<T>;
  static constexpr index_t giant = index_t{1} << 18;  // items of a segment that all threads share

  const named_range<T>& in;
  const named_range<Offset>& offsets;
  const named_range<Out>& out;
  const M& m;
  std::vector<index_t> giants{};
  std::mutex giants_of_all{};

  index_t bound(index_t s) const {  // wrong contents stay in bounds
    return std::clamp<index_t>(static_cast<index_t>(offsets.data[s]), 0, in.size);
  }
  void reduce(index_t from, index_t to, bool share_giants) {
    with_vectors<sizeof(V) <= 16>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const segment_fold<item, M> fold{m};
      index_t s = from;
      if constexpr (folds_lanes<item, M>)
        for (; s + crowd <= to; s += crowd)
          if (!reduce_crowd(s))
            for (int k = 0; k < crowd; k++) reduce_one(fold, s + k, share_giants);
      for (; s < to; s++) reduce_one(fold, s, share_giants);
    });
  }
  UPSWEEP_INLINE void reduce_one(const segment_fold<item, M>& fold, index_t s, bool share_giants) {
    const index_t begin = bound(s), count = bound(s + 1) - begin;
    if (count <= 0) out.data[s] = static_cast<Out>(m.identity());
    else if (share_giants && count >= giant) leave(s);
    else out.data[s] = static_cast<Out>(fold(in.data + begin, count));
  }
  //! The segments from s on, if they are short ones.
  UPSWEEP_INLINE bool reduce_crowd(index_t s) {
    using fold_type = crowd_fold<item, M>;
    index_t begin = bound(s), longest = 0, last = 0;
    if (bound(s + crowd) - begin > fold_type::all) return false;
    fold_type fold{.items = in.data, .begins = {}, .counts = {}};
    for (int k = 0; k < crowd; k++) {
      const index_t end = bound(s + k + 1), count = std::max<index_t>(end - begin, 0);
      fold.begins[k] = begin;
      fold.counts[k] = static_cast<typename fold_type::bits>(count);
      longest = std::max(longest, count);
      last = std::max(last, begin);
      begin = end;
    }
    if (longest > fold_type::longest || last + longest + fold_type::beyond > in.size) return false;
    item totals[crowd];
    fold(m, longest, totals);
    for (int k = 0; k < crowd; k++) out.data[s + k] = static_cast<Out>(totals[k]);
    return true;
  }
  void leave(index_t s) {
    const std::lock_guard lock(giants_of_all);
    giants.push_back(s);
  }
  //! Where the parts start: at the first segment that so many items and segments stand before.
  std::vector<index_t> starts() const {
    const index_t parts = (in.size + out.size + part_size - 1) / part_size;
    std::vector<index_t> at(static_cast<std::size_t>(parts) + 1, 0);
    for (index_t number = 1; number < parts; number++) {
      index_t low = at[static_cast<std::size_t>(number) - 1], count = out.size - low;
      while (count > 0) {
        const index_t half = count / 2;
        const bool before = bound(low + half) + low + half < number * part_size;
        low = before ? low + half + 1 : low;
        count = before ? count - half - 1 : half;
      }
      at[static_cast<std::size_t>(number)] = low;
    }
    at.back() = out.size;
    return at;
  }
};

//! out[s] = the fold of in[offsets[s]…offsets[s + 1]).
template <class T, class Offset, class Out, class M>
void reduce_segments(host& executor, const named_range<T>& in, const named_range<Offset>& offsets,
                     const named_range<Out>& out, const M& m) {
  using V = typename M::value_type;
  segments_job<T, Offset, Out, M> job{in, offsets, out, m};
  const int threads = threads_for(static_cast<std::size_t>(in.size) * sizeof(T), executor.threads());
  if (threads == 1) return job.reduce(0, out.size, false);
  const auto starts = job.starts();
  const auto parts = static_cast<index_t>(starts.size()) - 1;
  share_out(threads, parts, [&](index_t k) {
    job.reduce(starts[static_cast<std::size_t>(k)], starts[static_cast<std::size_t>(k) + 1], true);
  });
  for (const index_t s : job.giants) {
    const index_t begin = job.bound(s), count = job.bound(s + 1) - begin;
    out.data[s] = static_cast<Out>(executor.template returned<V>([&](V* total) {
      sweep(executor, count, contiguous(part_of(in, begin, count)), lift_to<V>{}, m, discard, write_total<V>{total},
            forward);
    }));
  }
}

}  // namespace UPSWEEP_NAMESPACE::detail
