// Scans of one block by an access pattern, step by step: what a lane does, for lanes and memory of any kind. A host's
// loops, a CTA and the model that counts run these same steps.
//   memory.load(slot), memory.store(slot, value)
//   lanes.step(count, f)        f(i) for i < count, in no order; all have come to the end before it returns
//   lanes.exchange(count, f)    f.write(i, f.read(i)); no lane reads what another one has written already
#pragma once
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class V>
struct plain_memory {
  V* at;
  UPSWEEP_HD V load(index_t slot) const { return at[slot]; }
  UPSWEEP_HD void store(index_t slot, const V& value) const { at[slot] = value; }
};

//! A node of the up-sweep. Where the sum overwrites the left operand, that goes to the other's slot: the down-sweep
//! needs it.
template <class Pattern, class Memory, class M>
struct up_step {
  Pattern pattern;
  Memory memory;
  M m;
  int level;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD void operator()(index_t i) const {
    const classic::tree_node at = pattern.node(level, i);
    const auto near = memory.load(at.near), far = memory.load(at.far);
    memory.store(at.kept, at.near_is_left ? m(near, far) : m(far, near));
    if (at.near_is_left) memory.store(at.far, near);
  }
};

//! A node of the down-sweep: what stands before it goes to its left half, that and the left half's sum to the right.
template <class Pattern, class Memory, class M>
struct down_step {
  Pattern pattern;
  Memory memory;
  M m;
  int level;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD void operator()(index_t i) const {
    const classic::tree_node at = pattern.node(level, i);
    const auto before = memory.load(at.kept), left = memory.load(at.far);
    const auto before_right = m(before, left);
    memory.store(at.near, at.near_is_left ? before : before_right);
    memory.store(at.far, at.near_is_left ? before_right : before);
  }
};

template <class Memory, class M>
struct clear_step {
  Memory memory;
  M m;
  index_t slot;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD void operator()(index_t) const { memory.store(slot, m.identity()); }
};

//! Item i + distance takes in item i.
template <class Memory, class M>
struct reach_step {
  Memory memory;
  M m;
  index_t distance;
  UPSWEEP_CALLS_USER
  UPSWEEP_HD auto read(index_t i) const {
    const auto earlier = memory.load(i), own = memory.load(i + distance);
    return m(earlier, own);
  }
  UPSWEEP_CALLS_USER
  template <class V>
  UPSWEEP_HD void write(index_t i, const V& value) const {
    memory.store(i + distance, value);
  }
};

UPSWEEP_CALLS_USER
template <class Pattern, class Memory, class M, class Lanes>
UPSWEEP_HD void sweep_up(const Pattern& pattern, const Memory& memory, int levels, const M& m, Lanes& lanes) {
  for (int level = 1; level <= levels; level++)
    lanes.step(index_t{1} << (levels - level), up_step<Pattern, Memory, M>{pattern, memory, m, level});
}
UPSWEEP_CALLS_USER
template <class Pattern, class Memory, class M, class Lanes>
UPSWEEP_HD void sweep_down(const Pattern& pattern, const Memory& memory, int levels, const M& m, Lanes& lanes) {
  for (int level = levels; level >= 1; level--)
    lanes.step(index_t{1} << (levels - level), down_step<Pattern, Memory, M>{pattern, memory, m, level});
}

//! Scans the 2^levels items that lie in memory, by a tree, or by Hillis and Steele's steps.
UPSWEEP_CALLS_USER
template <class Pattern, class Memory, class M, class Lanes>
UPSWEEP_HD void sweep_block(const Pattern& pattern, const Memory& memory, int levels, const M& m, Lanes& lanes) {
  sweep_up(pattern, memory, levels, m, lanes);
  lanes.step(1, clear_step<Memory, M>{memory, m, pattern.root(levels)});
  sweep_down(pattern, memory, levels, m, lanes);
}
UPSWEEP_CALLS_USER
template <class Memory, class M, class Lanes>
UPSWEEP_HD void sweep_block(const classic::connection_machine&, const Memory& memory, int levels, const M& m,
                            Lanes& lanes) {
  for (int step = 0; step < levels; step++)
    lanes.exchange((index_t{1} << levels) - (index_t{1} << step), reach_step<Memory, M>{memory, m, index_t{1} << step});
}

//! The prefixes of item i, when the block has been scanned.
UPSWEEP_CALLS_USER
template <class Pattern, class Memory, class V, class M>
UPSWEEP_HD V inclusive_prefix(const Pattern& pattern, const Memory& memory, index_t i, const V& item, const M& m) {
  if constexpr (Pattern::leaves_inclusive) return memory.load(pattern.slot(i));
  else return m(memory.load(pattern.slot(i)), item);
}
UPSWEEP_CALLS_USER
template <class Pattern, class Memory, class M>
UPSWEEP_HD auto exclusive_prefix(const Pattern& pattern, const Memory& memory, index_t i, const M& m) ->
    typename M::value_type {
  if constexpr (!Pattern::leaves_inclusive) return memory.load(pattern.slot(i));
  else return i > 0 ? memory.load(pattern.slot(i - 1)) : m.identity();
}

}  // namespace UPSWEEP_NAMESPACE::detail
