// What a thread of the host keeps of the part that it scans: the values of its items and of its chunks, and how chunks
// are folded and take their prefixes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/vectors.hpp>
#include <upsweep/monoid.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t chunk = 128;
constexpr index_t chunks_of(index_t items) { return (items + chunk - 1) / chunk; }

//! How many chunks are folded side by side: to fill vectors, or to hide the latency of the operator.
template <class M>
inline constexpr int side_by_side = has_vectors<M>                         ? 64 / sizeof(typename M::value_type)
                                    : sizeof(typename M::value_type) <= 8  ? 8
                                    : sizeof(typename M::value_type) <= 16 ? 4
                                    : sizeof(typename M::value_type) <= 32 ? 2
                                                                           : 1;
template <class M>
inline constexpr int side_by_side<segmented<M>> = side_by_side<M>;

//! Puts a value into raw memory (nvcc cannot parse a placement new of a dependent type inside a generic lambda).
template <class V>
UPSWEEP_INLINE void construct(V* memory, const V& v) {
  ::new (static_cast<void*>(memory)) V(v);
}

//! The prefix that is handed from part to part: of everything before, if there is anything.
template <class V>
struct running_prefix {
  bool any = false;
  alignas(V) unsigned char memory[sizeof(V)];
  const V& get() const { return *reinterpret_cast<const V*>(memory); }
  void set(const V& v) {
    ::new (static_cast<void*>(memory)) V(v);
    any = true;
  }
};

//! Where a piece of a part lies: positions [begin, end) along the scan, counted from the part's first. Values are kept
//! in the order of memory, so slot(k) runs backwards when the scan does.
template <bool Reversed>
struct slot_order {
  static constexpr index_t step = Reversed ? -1 : 1;
  static index_t slot(const part& p, index_t k) { return Reversed ? p.count - 1 - k : k; }
  static index_t low(const part& p, index_t begin, index_t end) { return Reversed ? p.count - end : begin; }
};

// Monoids that a compiler computes and throws away where a branch would be guessed wrong. (Not sums of floats, which
// may trap.)
template <class M>
inline constexpr bool is_plain_sum = false;
template <class T>
inline constexpr bool is_plain_sum<plus<T>> = std::is_integral_v<T> && sizeof(T) <= 8;
//! Are the running sums of a chunk made in registers? (One thread of a Xeon, 2^20 bytes: 140 us, by eight chunks side
//! by side 380; words of 2 bytes 240 and 490; 2026-11-26.)
template <class M>
inline constexpr bool sums_in_registers = false;
#if UPSWEEP_VECTORS
template <class T>
inline constexpr bool sums_in_registers<plus<T>> = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 2;
#endif
//! Is a chunk's order all the same to one of our monoids, so that compilers fold it by vectors of any width, and read
//! one stream of memory? (One thread of a Zen 4, ns an item, by chunks side by side before: sums of int 0.080 to 0.053
//! in the cache and 0.22 to 0.19 beyond, maxima of bytes 0.36 to 0.033, bit_xor of words 0.34 to 0.07; sums of 8 bytes
//! 0.145 to 0.10, beyond the cache 0.37 to 0.39; 2026-11-28. Others' may take long, and want their latency hidden.)
template <class M>
inline constexpr bool folds_in_any_order =
    std::is_integral_v<typename M::value_type> && is_commutative<M> && !requires { M::is_commutative; };
template <class T>
using lane_int =
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;

// ---------------------------------------------------------------- values of any monoid
//! What a thread keeps of a part: the values of its items and of its chunks. Slots -1 and `count` are there for what
//! lies before.
template <class M, bool Reversed>
struct chunk_values {
  using V = typename M::value_type;
  using order = slot_order<Reversed>;
  V* slots = nullptr;
  V* totals = nullptr;    // one a chunk
  V* prefixes = nullptr;  // one a chunk, and the one behind the part

  static constexpr index_t margin = sizeof(V) < 64 ? 64 / sizeof(V) : 1;  // keeps slot 0 aligned
  constexpr void cut(scratch_cutter& scratch, index_t items, index_t capacity) {
    slots = scratch.take<V>(items + margin + 1, margin);
    totals = scratch.take<V>(chunks_of(capacity));
    prefixes = scratch.take<V>(chunks_of(capacity) + 1);
  }

  UPSWEEP_INLINE void put(index_t slot, const V& v) const { ::new (static_cast<void*>(slots + slot)) V(v); }
  V total(index_t c, index_t) const { return totals[c]; }

  //! Folds the chunk of `length` items that starts at `slot`. `from`: where its first item is, here or in a range.
  template <bool Keeps>
  UPSWEEP_INLINE void fold_one(const M& m, index_t c, index_t slot, const V* from, index_t length) const {
    V* v = slots + slot;
    V sum = *from;
    if constexpr (Keeps) construct(v, sum);
    for (index_t s = 1; s < length; s++) {
      sum = m(sum, from[order::step * s]);
      if constexpr (Keeps) construct(v + order::step * s, sum);
    }
    totals[c] = sum;
  }
  static constexpr bool folds_two = !folds_in_any_order<M>;
  //! Folds that whole chunk and the one behind it, of `length` items, side by side.
  template <bool Keeps>
  UPSWEEP_INLINE void fold_two(const M& m, index_t c, index_t slot, const V* from, index_t length) const {
    constexpr index_t second = order::step * chunk;
    V* v = slots + slot;
    V sum = *from, other = from[second];
    if constexpr (Keeps) construct(v, sum), construct(v + second, other);
    const auto next = [&](V& running, index_t at) UPSWEEP_LAMBDA_INLINE {
      running = m(running, from[at]);
      if constexpr (Keeps) construct(v + at, running);
    };
    for (index_t s = 1; s < length; s++) next(sum, order::step * s), next(other, second + order::step * s);
    for (index_t s = length; s < chunk; s++) next(sum, order::step * s);
    totals[c] = sum;
    totals[c + 1] = other;
  }
  //! Folds whole chunks side by side, the first of them at `slot`.
  template <bool Keeps, class Meanwhile, std::size_t... L>
  UPSWEEP_INLINE void fold_several(const M& m, index_t c, index_t slot, [[maybe_unused]] const V* from,
                                   const Meanwhile& meanwhile, std::index_sequence<L...>) const {
    if constexpr (!Keeps && folds_in_any_order<M>) {
      constexpr index_t chunks = sizeof...(L), back = Reversed ? chunk - 1 : 0;
      for (index_t k = 0; k < chunks; k++) {
        meanwhile(k, chunks);
        const V* const items = from + order::step * k * chunk - back;
        V sum = m.identity();
        for (index_t i = 0; i < chunk; i++) sum = m(sum, items[i]);
        totals[c + k] = sum;
      }
    } else if constexpr (has_vectors<M> && sizeof...(L) * sizeof(V) >= 16) {
      fold_vectors<M, Reversed, chunk, sizeof...(L), false, Keeps>(from, slots + slot, nullptr, totals + c, meanwhile);
    } else if constexpr (sums_in_registers<M>) {
      constexpr index_t chunks = sizeof...(L), back = Reversed ? chunk - 1 : 0;
      for (index_t k = 0; k < chunks; k++) {
        meanwhile(k, chunks);
        const index_t low = order::step * k * chunk - back;
        totals[c + k] = running_sums<Reversed, chunk>(from + low, slots + slot + low);
      }
    } else {
      V* v = slots + slot;
      V sum[] = {v[order::step * static_cast<index_t>(L) * chunk]...};
      for (index_t s = 1; s < chunk; s++) {
        meanwhile(s - 1, chunk - 1);
        v += order::step;
        ((v[order::step * static_cast<index_t>(L) * chunk] = sum[L] =
              m(sum[L], v[order::step * static_cast<index_t>(L) * chunk])),
         ...);
      }
      ((totals[c + static_cast<index_t>(L)] = sum[L]), ...);
    }
  }
  //! The values of chunk c, the lowest of which is at `low`, with its prefix in front; `to` may be where they are.
  UPSWEEP_INLINE void apply(const M& m, index_t c, index_t low, index_t length, bool has_prefix, V* to) const {
    const V before = prefixes[c];
    const V* v = slots + low;
    if (!has_prefix) {
      if (to != v)
        for (index_t k = 0; k < length; k++) to[k] = v[k];
    } else if (length == chunk) {
      for (index_t k = 0; k < chunk; k++) to[k] = m(before, v[k]);
    } else {
      for (index_t k = 0; k < length; k++) to[k] = m(before, v[k]);
    }
  }
  //! Lets exclusive prefixes of chunk c find what is before them.
  UPSWEEP_INLINE void put_prefix(index_t c, index_t low, index_t length) const {
    put(Reversed ? low + length : low - 1, prefixes[c]);
  }
  UPSWEEP_INLINE const V& inclusive(index_t, index_t, index_t slot) const { return slots[slot]; }
  UPSWEEP_INLINE const V& exclusive(index_t, index_t, index_t slot) const { return slots[slot - order::step]; }
};

// ---------------------------------------------------------------- values of a segmented monoid
//! Only the inner values are kept: whether a head stands before an item follows from where its chunk's first head
//! stands. (One thread of a Xeon, 2^12 ints by key, segments of 100: 0.47 ns each, 0.36 of it to mark heads and to
//! fold; by a serial loop 0.38. 2^8 of them: 0.65, one chunk after the other, and 75 ns. 2026-11-26.)
template <class Inner, bool Reversed>
struct chunk_values<segmented<Inner>, Reversed> {
  using M = segmented<Inner>;
  using V = typename M::value_type;
  using T = typename Inner::value_type;
  using order = slot_order<Reversed>;
  T* slots = nullptr;
  std::uint8_t* heads = nullptr;  // one an item
  index_t* open = nullptr;        // one a chunk: how many of its items stand before its first head
  T* totals = nullptr;            // one a chunk
  V* prefixes = nullptr;          // one a chunk, and the one behind the part

  static constexpr bool folds_two = false;
  static constexpr index_t margin = sizeof(T) < 64 ? 64 / sizeof(T) : 1;
  constexpr void cut(scratch_cutter& scratch, index_t items, index_t capacity) {
    slots = scratch.take<T>(items + margin + 1, margin);
    heads = scratch.take<std::uint8_t>(items);
    open = scratch.take<index_t>(chunks_of(capacity));
    totals = scratch.take<T>(chunks_of(capacity));
    prefixes = scratch.take<V>(chunks_of(capacity) + 1);
  }

  UPSWEEP_INLINE void put(index_t slot, const V& v) const {
    ::new (static_cast<void*>(slots + slot)) T(v.value);
    heads[slot] = v.head ? 1 : 0;
  }
  V total(index_t c, index_t length) const { return {totals[c], open[c] < length}; }

  template <bool Keeps>
  UPSWEEP_INLINE void fold_one(const M& m, index_t c, index_t slot, const T*, index_t length) const {
    T* v = slots + slot;
    const std::uint8_t* h = heads + slot;
    T sum = *v;
    for (index_t s = 1; s < length; s++) {
      v += order::step;
      h += order::step;
      *v = sum = *h ? *v : m.inner(sum, *v);
    }
    totals[c] = sum;
    open[c] = leading_zeros(heads + slot, length);
  }
  template <bool Keeps, class Meanwhile, std::size_t... L>
  UPSWEEP_INLINE void fold_several(const M& m, index_t c, index_t slot, const T*, const Meanwhile& meanwhile,
                                   std::index_sequence<L...>) const {
    if constexpr (has_vectors<Inner> && sizeof...(L) * sizeof(T) >= 16) {
      fold_vectors<Inner, Reversed, chunk, sizeof...(L), true, Keeps>(slots + slot, slots + slot, heads + slot,
                                                                      totals + c, meanwhile);
      ((open[c + static_cast<index_t>(L)] =
            leading_zeros(heads + slot + order::step * static_cast<index_t>(L) * chunk, chunk)),
       ...);
    } else {
      (fold_one<Keeps>(m, c + static_cast<index_t>(L), slot + order::step * static_cast<index_t>(L) * chunk, nullptr,
                       chunk),
       ...);
    }
  }
  UPSWEEP_INLINE void apply(const M& m, index_t c, index_t low, index_t length, bool has_prefix, T* to) const {
    const T before = prefixes[c].value;
    const T* v = slots + low;
    if (is_plain_sum<Inner> && length == chunk) {
      const auto count = static_cast<lane_int<T>>(has_prefix ? open[c] : 0);
      for (int k = 0; k < chunk; k++) {
        const T sum = m.inner(before, v[k]);
        to[k] = static_cast<lane_int<T>>(Reversed ? chunk - 1 - k : k) < count ? sum : v[k];
      }
    } else {
      if (to != v)
        for (index_t k = 0; k < length; k++) to[k] = v[k];
      const index_t from = Reversed ? length - open[c] : 0;
      if (has_prefix)
        for (index_t k = from; k < from + open[c]; k++) to[k] = m.inner(before, v[k]);
    }
  }
  UPSWEEP_INLINE void put_prefix(index_t c, index_t low, index_t length) const {
    ::new (static_cast<void*>(slots + (Reversed ? low + length : low - 1))) T(prefixes[c].value);
  }
  UPSWEEP_INLINE V inclusive(index_t c, index_t k, index_t slot) const {
    return {slots[slot], static_cast<bool>(prefixes[c].head | (k >= open[c]))};
  }
  UPSWEEP_INLINE V exclusive(index_t c, index_t k, index_t slot) const {
    return {slots[slot - order::step], static_cast<bool>(prefixes[c].head | (k > open[c]))};
  }

 private:
  // Where a chunk's first head stands. For whole chunks without a branch: heads come at random.
  UPSWEEP_INLINE static index_t leading_zeros(const std::uint8_t* from, index_t length) {
    if (length < chunk) {
      index_t k = 0;
      while (k < length && !from[order::step * k]) k++;
      return k;
    }
    static_assert(chunk < 256);
    const std::uint8_t* low = Reversed ? from - (chunk - 1) : from;
    std::uint8_t first = chunk;
    for (int k = 0; k < chunk; k++) {
      const auto distance = static_cast<std::uint8_t>(Reversed ? chunk - 1 - k : k);
      const std::uint8_t here = low[k] ? distance : static_cast<std::uint8_t>(chunk);
      first = here < first ? here : first;
    }
    return first;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
