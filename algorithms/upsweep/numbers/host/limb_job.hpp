// Sums and differences of limbs on the host: the job of a part (host/job.hpp). What a part does with a carry is what
// the most significant of its limbs does that does not just pass it on, most often the very last one. So the first step
// costs little, for a thread that works alone nothing, and the third is the processor's own addition with carry.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/numbers/carry.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T>
UPSWEEP_INLINE T limb_of(const range_column<T>& column, index_t i) {
  return column.range.data[i];
}
template <class T>
UPSWEEP_INLINE T limb_of(const constant_column<T>& column, index_t) {
  return column.value;
}

//! One limb, by the processor's carry flag where the compiler can be told of it (which a bool would not stay in).
//! Returns what is carried, 0 or 1.
template <class Op, class T>
UPSWEEP_INLINE unsigned char carry_limb(T a, T b, unsigned char carried, T& result) {
#if defined(__GNUC__) && defined(__x86_64__)
  if constexpr (sizeof(T) == 8) {
    // As it stands: what goes through a variable of that type is written twice (GCC 12).
    auto* const to = reinterpret_cast<unsigned long long*>(&result);
    if constexpr (std::is_same_v<Op, limb_sum>) carried = __builtin_ia32_addcarryx_u64(carried, a, b, to);
#if defined(__clang__)
    else carried = __builtin_ia32_subborrow_u64(carried, a, b, to);
#else
    else carried = __builtin_ia32_sbb_u64(carried, a, b, to);
#endif
    return carried;
  }
#endif
  const carry effect = Op::effect(a, b);
  result = Op::of(a, b, carried != 0);
  return effect == carry::passes ? carried : effect == carry::starts;
}

//! Limbs [first, end), of which `carry_in` comes in. Returns what comes out. Many at a time: a loop's own arithmetic
//! loses the flag. (2^10 limbs by 8, 16 and 32 at a time: 0.346, 0.309 and 0.291 ns each, by GMP 0.279; one thread of a
//! Xeon, 2026-11-26.)
template <class Op, class A, class B, class T>
bool carry_stretch(A a, B b, T* out, index_t first, index_t end, bool carry_in) {
  unsigned char carried = carry_in;
  const auto step = [&](index_t i) UPSWEEP_LAMBDA_INLINE {
    carried = carry_limb<Op>(limb_of(a, i), limb_of(b, i), carried, out[i]);
  };
  index_t i = first;
  const auto steps = [&]<index_t... K>(std::integer_sequence<index_t, K...>) UPSWEEP_LAMBDA_INLINE {
    constexpr index_t count = sizeof...(K);
    for (; i + count <= end; i += count) (step(i + K), ...);
  };
  steps(std::make_integer_sequence<index_t, 32>{});
  steps(std::make_integer_sequence<index_t, 8>{});
  for (; i < end; i++) step(i);
  return carried != 0;
}

//! Numbers of `length` limbs each that follow one another; carried[k] is what comes out of the k-th.
template <class Op, class A, class B, class T, class Flag>
struct limb_job {
  static constexpr bool reversed = false;
  static constexpr std::size_t item_bytes = 3 * sizeof(T);
  static constexpr index_t round = 4096, tile = tile_items(item_bytes, round);
  struct scratch {
    carry* effect = nullptr;  // of a part
    constexpr void cut(scratch_cutter& pieces, index_t) { effect = pieces.take<carry>(1); }
  };

  A a;
  B b;
  T* out;
  index_t length;
  Flag* carried;
  carry running = carry::passes;  // what stands in front of the next part does
  bool alone = false;             // a thread that works alone comes to a part when it has done all in front

  void start(index_t part_items) { alone = part_items == round; }
  void load(scratch& s, const part& p) const {
    *s.effect = carry::passes;
    if (alone) return;
    index_t end = p.first + p.count;
    while (end - p.first >= several && all_hand_on(end - several)) end -= several;
    for (index_t i = end; *s.effect == carry::passes && i > p.first; i--) {
      *s.effect = Op::effect(limb_of(a, i - 1), limb_of(b, i - 1));
      if (*s.effect == carry::passes && (i - 1) % length == 0) *s.effect = carry::stops;  // nothing comes in there
    }
  }
  void advance(scratch& s, const part&) {
    const carry before = running;
    running = carries{}(running, *s.effect);
    *s.effect = before;
  }
  void store(scratch& s, const part& p) {
    const index_t end = p.first + p.count;
    index_t at = p.first, number = at / length;
    bool carry_in = *s.effect == carry::starts && at % length != 0;
    while (at < end) {
      const index_t number_ends = (number + 1) * length, stop = std::min(end, number_ends);
      const bool carry_out = carry_stretch<Op>(a, b, out, at, stop, carry_in);
      if (stop == number_ends) carried[number++] = carry_out;
      if (alone) running = carry_out ? carry::starts : carry::stops;
      carry_in = false;
      at = stop;
    }
  }

 private:
  static constexpr index_t several = 64;
  // Do several limbs of one number just pass a carry on, and none of them is its first?
  bool all_hand_on(index_t first) const {
    if (first % length == 0 || first % length + several > length) return false;
    bool all = true;
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      unsigned others = 0;
      for (index_t i = first; i < first + several; i++)
        others |= Op::effect(limb_of(a, i), limb_of(b, i)) != carry::passes;
      all = others == 0;
    });
    return all;
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
