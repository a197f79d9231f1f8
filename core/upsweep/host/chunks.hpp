// The association of every scan on the host, and the loops that carry it out.
//
// Positions along the scan are cut into chunks of 128. A chunk is folded left to right; the chunks' totals are folded
// left to right; and inclusive[k] = (fold of the chunks before k's) ∘ (fold within k's chunk up to k), exclusive[k + 1]
// = inclusive[k]. Nothing else enters: not the parts that threads take, not how many chunks are worked on side by side,
// not the instructions.
#pragma once
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/chunk_values.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Are the lifted items those of a range as they stand? Then they are folded from there.
template <class View, class Lift, class M>
inline constexpr bool lifts_nothing = false;
template <class T, bool Copies, std::size_t... I, class M>
  requires(std::is_same_v<T, typename M::value_type>)
inline constexpr bool
    lifts_nothing<load_view<load_stage<range_column<T>>, Copies, std::index_sequence<I...>>, lift_to<T>, M> = true;

//! Does the monoid fold a stretch of a range by itself? (monoid.hpp)
template <class View, class Lift, class M>
inline constexpr bool folds_itself = false;
template <class T, bool Copies, std::size_t... I, class V, class M>
  requires requires(const T* items, index_t count) {
    { M::fold(items, count) } -> std::same_as<V>;
  }
inline constexpr bool
    folds_itself<load_view<load_stage<range_column<T>>, Copies, std::index_sequence<I...>>, lift_to<V>, M> = true;

template <class View, class Lift, class M, bool Reversed>
struct chunk_scan {
  using V = typename M::value_type;
  using values_type = chunk_values<M, Reversed>;
  using order = slot_order<Reversed>;
  static constexpr bool small = sizeof(V) <= 16;  // several versions are worth compiling
  static constexpr int L = side_by_side<M>;       // chunks that are folded together, or half or a fourth of them
  static constexpr index_t fewest_side_by_side = (L > 8 ? L / 4 : L > 2 ? L / 2 : L) * chunk;
  static constexpr bool folds_ranges = (has_vectors<M> || sums_in_registers<M>)&&lifts_nothing<View, Lift, M>;
  index_t n;
  const Lift& lift;
  const M& m;

  //! Lifts a part's items in [begin, end) and folds each of their chunks. `begin` is a multiple of the chunk.
  template <bool Keeps>
  void fold(const View& items, const part& p, const values_type& to, index_t begin, index_t end,
            index_t slot_shift) const {
    if constexpr (!Keeps && folds_itself<View, Lift, M>) {
      for (index_t at = begin; at < end; at += chunk) {
        const index_t length = end - at < chunk ? end - at : chunk;
        const auto* from = get<0>(items.views).at(p.low + order::low(p, at, at + length));
        construct(to.totals + at / chunk, M::fold(from, length));
      }
      return;
    }
    // Of one stream of memory the hardware fetches more than we could ask for.
    constexpr bool streams = !Keeps && folds_in_any_order<M> && lifts_nothing<View, Lift, M>;
    constexpr bool reads_range = folds_ranges || streams;
    with_vectors<small>([&](auto) UPSWEEP_LAMBDA_INLINE {
      if constexpr (!reads_range) lift_items(items, p, to, begin, end, slot_shift);
      const auto first_of = [&](index_t slot) UPSWEEP_LAMBDA_INLINE {  // a chunk's first item
        if constexpr (reads_range) return get<0>(items.views).at(p.low + slot);
        else return to.slots + slot - slot_shift;
      };
      index_t at = begin;
      const auto several = [&](auto count) UPSWEEP_LAMBDA_INLINE {
        constexpr index_t width = count.value * chunk;
        for (; end - at >= width; at += width) {
          const auto fetch = [&](index_t step, index_t steps) UPSWEEP_LAMBDA_INLINE {
            if constexpr (!streams) {
              // The items were read in one go, and the next ones will be: meanwhile the memory would be idle. At the
              // end the last ones are asked for again, as what is no memory would be looked for each time.
              const index_t next = p.low + order::low(p, at, at + width) + order::step * (end - begin);
              const index_t ahead = next < 0 ? -1 : next < n - width ? next : n - width - 1;
              items.prefetch(ahead + step * width / steps, width / steps + 1);
            }
          };
          const index_t slot = order::slot(p, at);
          to.template fold_several<Keeps>(m, at / chunk, slot - slot_shift, first_of(slot), fetch,
                                          std::make_index_sequence<count.value>{});
        }
      };
      several(std::integral_constant<int, L>{});
      if constexpr (L > 2) several(std::integral_constant<int, L / 2>{});
      if constexpr (L > 8) several(std::integral_constant<int, L / 4>{});
      if constexpr (values_type::folds_two) {
        for (; end - at > chunk; at += 2 * chunk) {
          const index_t slot = order::slot(p, at), behind = end - at - chunk;
          to.template fold_two<Keeps>(m, at / chunk, slot - slot_shift, first_of(slot),
                                      behind < chunk ? behind : chunk);
        }
      }
      for (; at < end; at += chunk) {
        const index_t slot = order::slot(p, at), length = end - at < chunk ? end - at : chunk;
        to.template fold_one<Keeps>(m, at / chunk, slot - slot_shift, first_of(slot), length);
      }
    });
  }

  //! Makes the chunks' prefixes, if they are kept, of their totals and of what came before the part; `running` is then
  //! what is behind the part.
  template <bool Keeps = true>
  void advance(const part& p, const values_type& to, running_prefix<V>& running) const {
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      const index_t chunks = chunks_of(p.count);
      const auto total = [&](index_t c) { return to.total(c, c < chunks - 1 ? chunk : p.count - c * chunk); };
      if constexpr (Keeps) construct(to.prefixes, running.any ? running.get() : V(m.identity()));
      V sum = running.any ? m(running.get(), total(0)) : total(0);
      for (index_t c = 1; c < chunks; c++) {
        if constexpr (Keeps) construct(to.prefixes + c, sum);
        sum = m(sum, total(c));
      }
      if constexpr (Keeps) construct(to.prefixes + chunks, sum);
      running.set(sum);
    });
  }

  //! Puts the prefixes of their chunks in front of the values in [begin, end), in place.
  void apply(const part& p, const values_type& to, index_t begin, index_t end) const {
    with_vectors<small>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t at = begin; at < end; at += chunk) {
        const index_t length = end - at < chunk ? end - at : chunk, low = order::low(p, at, at + length);
        to.apply(m, at / chunk, low, length, p.first + at > 0, to.slots + low);
        to.put_prefix(at / chunk, low, length);
      }
    });
  }
  //! The same to memory of its own, in the order of memory: what is in the second-level cache need not be written there
  //! again.
  template <class T>
  void apply_to(T* __restrict out, const part& p, const values_type& to, index_t begin, index_t end) const {
    with_vectors<small>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const index_t base = order::low(p, begin, end);
      for (index_t at = begin; at < end; at += chunk) {
        const index_t length = end - at < chunk ? end - at : chunk, low = order::low(p, at, at + length);
        to.apply(m, at / chunk, low, length, p.first + at > 0, out + (low - base));
      }
    });
  }

 private:
  UPSWEEP_INLINE void lift_items(const View& items, const part& p, const values_type& to, index_t begin, index_t end,
                                 index_t slot_shift) const {
    index_t low = p.low + order::low(p, begin, end), high = low + (end - begin);  // indices
    if constexpr (View::has_previous) {
      if (p.first + begin == 0) {
        const index_t first = Reversed ? --high : low++;
        to.put(first - p.low - slot_shift, lift(items.template item<true, Reversed>(first)));
      }
    }
    const values_type target = to;  // copies: the compiler need not reload them after every store
    const View view = items;
    const Lift lift_item = lift;
    const index_t base = p.low + slot_shift;
    for (index_t i = low; i < high; i++) target.put(i - base, lift_item(view.template item<false, Reversed>(i)));
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
