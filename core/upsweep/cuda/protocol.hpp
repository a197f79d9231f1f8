// The protocol of progress, association and published state.
//
// Progress. Tiles are handed out by a ticket in device memory. A CTA waits only for tiles whose tickets were handed out
// before its own, and their holders are running: so no set of CTAs can wait for each other, however few of them are
// resident.
//
// Association. Tiles form blocks of 32. Inside a block they are scanned over the lanes of a warp (Kogge-Stone); blocks
// are folded left to right:
//     before(t) = prefix(t / 32) ∘ (scan of the block's tiles before t)
//     prefix(b + 1) = prefix(b) ∘ aggregate(b),  aggregate(b) = the scan of all 32 tiles of block b
// Each is a function of tile indices alone. The tile also computes after(t), bit for bit the before(t + 1) that the
// next one computes: its last inclusive value, and the total. (32 tiles are one read a lane;
// blocks of 128, four reads a lane, were no faster.)
//
// Published state. A tile's aggregate, a block's aggregate and a block's prefix have a slot each, written once in a
// launch. The last tile of a block publishes its aggregate as soon as the block's tiles are known, without waiting for
// any other block: where it waited for older ones first, int32 sums fell from 0.81 of a copy to 0.60 (same day). A CTA
// folds the aggregates since the prefix that it knows; a CTA that knows none starts from the nearest published one,
// which associates the same way. A slot is one or more 16-byte words of 12 bytes of value and a 4-byte tag, read and
// written whole, for every type. The tag is the launch's number: a word with another tag is not there yet, so nothing
// is cleared between launches, and what an older launch left is never read.
//
// The last CTA out resets the ticket and advances the tag in device memory (a kernel argument would be stale in a
// replayed graph); when the tag wraps it zeroes the slots. A block of workspace holds its own ticket and tag, and its
// slots are used for nothing else.
//
// Method: after single-pass scans with decoupled look-back (Merrill and Garland 2016); looking ahead at aggregates only
// makes the association fixed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/cuda/warp.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

inline constexpr int tiles_per_block = warp_size;

//! 16 bytes of published state. Where a value ends inside a word the rest holds the tag again, and readers look at it:
//! ptxas 13.0 cuts a 128-bit load whose middle nobody looks at into two, which is no longer one access (wrong sums,
//! H200, 2026-11-20).
struct alignas(16) word {
  std::uint32_t part[4];
};

//! The head of a block of workspace. All zero before the first launch.
struct alignas(128) progress {
  unsigned long long ticket_and_tag;  // the next tile in the lower half, launches so far in the upper
  unsigned int ctas_out;
};
struct ticket {
  unsigned long long drawn;
  __device__ index_t tile() const { return static_cast<index_t>(drawn & ~0u); }
  __device__ std::uint32_t tag() const { return static_cast<std::uint32_t>(drawn >> 32) + 1; }  // never 0
};

//! Bytes of workspace for a sweep: the head, a slot a tile, two a block.
template <class V>
constexpr std::size_t workspace_bytes(index_t tiles) {
  return sizeof(progress) +
         sizeof(word) * ((sizeof(V) + 11) / 12) * static_cast<std::size_t>(tiles + 2 * (tiles / tiles_per_block + 1));
}

__device__ inline void write_word(word* to, const word& w) {
  std::uint64_t u[2];
  memcpy(u, &w, 16);
  asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(to), "l"(u[0]),
               "l"(u[1])
               : "memory");
}
//! Reads a word unless `skip`; no branch, so that several reads are in flight together.
__device__ inline void read_word_unless(bool skip, word& w, const word* from) {
  std::uint64_t u[2];
  memcpy(u, &w, 16);
  asm volatile(
      "{ .reg .b128 w; .reg .pred skip; setp.ne.u32 skip, %3, 0; mov.b128 w, {%0, %1};\n"
      "@!skip ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
      : "+l"(u[0]), "+l"(u[1])
      : "l"(from), "r"(static_cast<int>(skip))
      : "memory");
  memcpy(&w, u, 16);
}

//! A value as it is published: its words, all tagged.
template <class V>
struct tagged {
  static constexpr int words = (sizeof(V) + 11) / 12;
  word w[words] = {};

  tagged() = default;
  __device__ tagged(const V& v, std::uint32_t tag) {
    std::uint32_t u[3 * words];
#pragma unroll
    for (int k = 0; k < 3 * words; k++) u[k] = tag;
    memcpy(u, &v, sizeof(V));
#pragma unroll
    for (int k = 0; k < words; k++) w[k] = {{u[3 * k], u[3 * k + 1], u[3 * k + 2], tag}};
  }
  __device__ bool has(std::uint32_t tag) const {
    bool all = true;
#pragma unroll
    for (int k = 0; k < 4 * words; k++) {
      const int value_word = k / 4 * 3 + k % 4;
      const bool is_tag = k % 4 == 3 || value_word >= static_cast<int>((sizeof(V) + 3) / 4);
      if (is_tag) all &= w[k / 4].part[k % 4] == tag;
    }
    return all;
  }
  __device__ V value() const {
    std::uint32_t u[3 * words];
#pragma unroll
    for (int k = 0; k < 3 * words; k++) u[k] = w[k / 3].part[k % 3];
    maybe<V> v;
    memcpy(&v.value, u, sizeof(V));
    return v.value;
  }
};

//! The published state of one launch, for values of type V.
template <class V>
class board {
 public:
  __device__ board(const workspace_block& workspace, index_t tiles)
      : head_(reinterpret_cast<progress*>(workspace.data)), tiles_(tiles), bytes_(workspace.bytes) {}

  //! Takes the next tile; may lie behind the last one.
  __device__ ticket take() {
    ticket drawn;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;"
                 : "=l"(drawn.drawn)
                 : "l"(&head_->ticket_and_tag)
                 : "memory");
    return drawn;
  }
  //! Slots: tiles, then every block's aggregate and the prefix after it.
  __device__ index_t tile_slot(index_t tile) const { return tile; }
  __device__ index_t aggregate_slot(index_t block) const { return tiles_ + 2 * block; }
  __device__ index_t prefix_slot(index_t block) const { return tiles_ + 2 * block - 1; }  // of block > 0

  __device__ void publish(index_t slot, const V& v, std::uint32_t tag) {
    const tagged<V> t(v, tag);
#pragma unroll
    for (int k = 0; k < tagged<V>::words; k++) write_word(at(slot) + k, t.w[k]);
  }
  //! Reads a slot unless it has been read; returns whether this launch has published it.
  __device__ bool read_unless(bool skip, tagged<V>& t, index_t slot, std::uint32_t tag) const {
#pragma unroll
    for (int k = 0; k < tagged<V>::words; k++) read_word_unless(skip, t.w[k], at(slot) + k);
    return t.has(tag);
  }

  //! Called by one thread of each CTA when the CTA takes no more tickets and reads no more slots.
  __device__ void leave(std::uint32_t tag) {
    if (atomicAdd(&head_->ctas_out, 1u) != gridDim.x - 1) return;
    head_->ctas_out = 0;
    std::uint32_t launches = tag;
    if (tag == ~0u) {  // the next tag would be 0, which zeroed slots hold
      launches = 0;
      for (std::size_t k = 0; k < (bytes_ - sizeof(progress)) / sizeof(word); k++) slots()[k] = word{};
    }
    head_->ticket_and_tag = static_cast<unsigned long long>(launches) << 32;
  }

 private:
  __device__ word* slots() const { return reinterpret_cast<word*>(head_ + 1); }
  __device__ word* at(index_t slot) const { return slots() + slot * tagged<V>::words; }

  progress* head_;
  index_t tiles_;
  std::size_t bytes_;
};

//! What stands before and after a tile. `before` is there unless the tile is the first.
template <class V>
struct prefixes {
  maybe<V> before, after;
};

//! A warp that looks ahead for one tile after another, in increasing order. All lanes call.
template <class V, class M>
class look_ahead {
 public:
  __device__ look_ahead(const board<V>& slots, const M& m) : slots_(slots), m_(m) {}

  //! Waits for what stands before `tile`; `own()` gives the tile's aggregate. The result is in lane `holder(tile)`.
  template <class Own>
  __device__ prefixes<V> operator()(index_t tile, std::uint32_t tag, const Own& own) {
    const index_t block = tile / tiles_per_block, first = block * tiles_per_block;
    const int lane = lane_id(), in_block = holder(tile);
    if (!started_) start(block, tag);
    fold_blocks(block - 1, tag, false);
    // Most others publish about when this tile does: look only then. The reads have no branches, so that they are in
    // flight together.
    maybe<V> sum(own());
    tagged<V> seen, last;
    bool there = lane >= in_block, last_there = block_ == block;
    for (;;) {
      const bool arrived = slots_.read_unless(there, seen, slots_.tile_slot(first + lane), tag);
      const bool last_arrived = slots_.read_unless(last_there, last, slots_.aggregate_slot(block - 1), tag);
      there = there || arrived;
      last_there = last_there || last_arrived;
      if (__all_sync(~0u, there)) break;
      __nanosleep(20);
    }
    reread(lane < in_block, seen, slots_.tile_slot(first + lane), tag);
    if (lane < in_block) sum.value = seen.value();
    sum.value = warp_scan(sum.value, in_block + 1, m_);
    const maybe<V> before(from_below(sum.value, 1));
    if (ends_block(tile) && lane == in_block) slots_.publish(slots_.aggregate_slot(block), sum.value, tag);

    // Only now wait for other blocks: their aggregates must not depend on each other.
    fold_blocks(block - 1, tag, true);
    while (!__all_sync(~0u, last_there))
      last_there = slots_.read_unless(last_there, last, slots_.aggregate_slot(block - 1), tag) || last_there;
    reread(block_ < block, last, slots_.aggregate_slot(block - 1), tag);
    if (block_ < block) {
      prefix_.value = block_ > 0 ? m_(prefix_.value, last.value()) : last.value();
      block_ = block;
    }
    prefixes<V> result;
    if (lane == in_block) {
      if (block == 0) {
        result.before = before;
        result.after = sum;
      } else {
        if (in_block > 0) result.before.value = m_(prefix_.value, before.value);
        else result.before = prefix_;
        result.after.value = m_(prefix_.value, sum.value);
      }
      if (ends_block(tile)) slots_.publish(slots_.prefix_slot(block + 1), result.after.value, tag);
    }
    __syncwarp();
    return result;
  }
  __device__ static bool ends_block(index_t tile) { return tile % tiles_per_block == tiles_per_block - 1; }
  __device__ static int holder(index_t tile) { return static_cast<int>(tile % tiles_per_block); }

 private:
  //! Values too wide to be kept while other slots are waited for are read once more when they are needed.
  __device__ void reread(bool wanted, tagged<V>& t, index_t slot, std::uint32_t tag) const {
    if constexpr (tagged<V>::words > 4) {
      t = tagged<V>();
      slots_.read_unless(!wanted, t, slot, tag);
    }
  }
  //! Finds the nearest published prefix at or before `block`; there is always one to come, and nothing stands before
  //! block 0.
  __device__ void start(index_t block, std::uint32_t tag) {
    started_ = true;
    while (block_ == 0 && block > 0) {
      tagged<V> prefix;
      const index_t candidate = block - lane_id();
      const bool there =
          slots_.read_unless(candidate <= 0, prefix, slots_.prefix_slot(candidate), tag) && candidate > 0;
      const unsigned found = __ballot_sync(~0u, there);
      if (found) {
        const int nearest = __ffs(static_cast<int>(found)) - 1;
        prefix_.value = from_lane(prefix.value(), nearest);
        block_ = block - nearest;
      } else if (block <= warp_size) {
        return;  // fold from block 0 on
      }
    }
  }
  //! Advances the known prefix to `block` by the blocks' aggregates, read one a lane; as far as they are there, unless
  //! it is to wait.
  __device__ void fold_blocks(index_t block, std::uint32_t tag, bool wait) {
    while (block_ < block) {
      const int count = static_cast<int>(min(block - block_, index_t{warp_size}));
      tagged<V> next;
      bool there = slots_.read_unless(lane_id() >= count, next, slots_.aggregate_slot(block_ + lane_id()), tag) &&
                   lane_id() < count;
      const int ready = __ffs(static_cast<int>(~__ballot_sync(~0u, there))) - 1;  // those without a gap; −1: all 32
      const V mine = next.value();
      for (int k = 0; k < (ready < 0 ? warp_size : ready); k++) {
        const V aggregate = from_lane(mine, k);
        prefix_.value = block_ > 0 ? m_(prefix_.value, aggregate) : aggregate;
        block_++;
      }
      if (!wait) return;
    }
  }

  board<V> slots_;
  M m_;
  bool started_ = false;
  index_t block_ = 0;  // the block whose prefix is known
  maybe<V> prefix_;    // in all lanes; nothing for block 0
};

}  // namespace upsweep::inline UPSWEEP_ABI::gpu
