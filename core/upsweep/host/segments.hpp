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
#include <upsweep/host/share_out.hpp>
#include <upsweep/lifts.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T, class M>
struct segment_fold {
  using V = typename M::value_type;
  const M& m;

  //! The fold of `count` > 0 items.
  UPSWEEP_INLINE V operator()(const T* from, index_t count) const {
    index_t at = count < chunk ? count : chunk;
    V sum = fold_chunk(from, at);
    // Chunks side by side for floats; the compiler makes vectors of integers' chunks itself, and reads on in one go.
    if constexpr (has_vectors<M> && std::is_same_v<T, V> && std::is_floating_point_v<T>) {
      const auto several = [&](auto lanes) UPSWEEP_LAMBDA_INLINE {
        constexpr index_t width = lanes.value * chunk, line = 64 / sizeof(T);
        for (; count - at >= width; at += width) {
          V totals[lanes.value];
          fold_vectors<M, false, chunk, lanes.value, false, false>(
              from + at, totals, nullptr, totals, [&](index_t step, index_t steps) UPSWEEP_LAMBDA_INLINE {
                for (index_t k = step * width / steps; k < (step + 1) * width / steps; k += line)
                  __builtin_prefetch(from + at + width + k, 0, 2);
              });
          for (const V& total : totals) sum = m(sum, total);
        }
      };
      several(std::integral_constant<int, side_by_side<M>>{});
      several(std::integral_constant<int, side_by_side<M> / 4>{});
    }
    for (; at < count; at += chunk) sum = m(sum, fold_chunk(from + at, count - at < chunk ? count - at : chunk));
    return sum;
  }

 private:
  UPSWEEP_INLINE V fold_chunk(const T* from, index_t length) const {
    V sum = as_value<V>(from[0]);
    for (index_t k = 1; k < length; k++) sum = m(sum, as_value<V>(from[k]));
    return sum;
  }
};

template <class T, class Offset, class Out, class M>
struct segments_job {
  using V = typename M::value_type;
  static constexpr index_t part_size = index_t{1} << 15;  // items and segments of a part
  static constexpr index_t giant = index_t{1} << 18;      // items of a segment that all threads share

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
      const segment_fold<std::remove_const_t<T>, M> fold{m};
      for (index_t s = from; s < to; s++) {
        const index_t begin = bound(s), count = bound(s + 1) - begin;
        if (count <= 0) out.data[s] = static_cast<Out>(m.identity());
        else if (share_giants && count >= giant) leave(s);
        else out.data[s] = static_cast<Out>(fold(in.data + begin, count));
      }
    });
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
