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
// next one computes: its last inclusive value, and the total. (32 tiles are one read a lane; blocks of 128, four reads
// a lane, were no faster.)
//
// Published state. A tile's aggregate, a block's aggregate and a block's prefix have a slot each, written once in a
// launch. The last tile of a block publishes its aggregate as soon as the block's tiles are known, without waiting for
// any other block: where it waited for older ones first, int32 sums fell from 0.81 of a copy to 0.60 (H200,
// 2026-11-20). One warp looks at the tiles in a tile's block, another folds the blocks before it: the aggregates since
// the prefix that it knows, and of the nearest blocks the tiles themselves, as soon as they are all there. Whichever it
// reads, it computes the same; and so does a warp that starts from a published prefix.
//
// A slot is one or more 16-byte words of 12 bytes of value and a 4-byte tag, read and written whole, for every type.
// The tag is the launch's number: a word with another tag is not there yet, so nothing is cleared between launches, and
// what an older launch left is never read.
//
// The last CTA out resets the ticket and advances the tag in device memory (a kernel argument would be stale in a
// replayed graph); when the tag wraps it zeroes the slots. A workspace holds its own ticket and tag, and its
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

namespace UPSWEEP_NAMESPACE::gpu {

inline constexpr int tiles_per_block = warp_size;
//! How many tiles hold so many items.
UPSWEEP_HD constexpr index_t tiles_of(index_t items, int tile) { return (items + tile - 1) / tile; }

//! 16 bytes of published state. Where a value ends inside a word the rest holds the tag again, and readers look at it:
//! ptxas 13.0 cuts a 128-bit load whose middle nobody looks at into two, which is no longer one access (wrong sums,
//! H200, 2026-11-20).
struct alignas(16) word {
  std::uint32_t quarter[4];
};

//! The head of a workspace. All zero before the first launch.
struct alignas(128) progress {
  unsigned long long ticket_and_tag;  // the next tile in the lower half, launches so far in the upper
  unsigned int ctas_out;              // and of grid_counts (images): how many have come, and a bit
  unsigned int arrived, meetings;     // of meet_grid
};
struct ticket {
  unsigned long long drawn;
  __device__ index_t tile() const { return static_cast<index_t>(drawn & ~0u); }
  __device__ std::uint32_t tag() const { return static_cast<std::uint32_t>(drawn >> 32) + 1; }  // never 0
};

//! All CTAs of a cooperative launch meet: what any wrote before, all see after.
__device__ inline void meet_grid(progress* head) {
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned int* meetings = &head->meetings;
    const unsigned int before = *meetings;
    __threadfence();
    if (atomicAdd(&head->arrived, 1u) == gridDim.x - 1) {
      head->arrived = 0;
      __threadfence();
      *meetings = before + 1;
    } else {
      while (*meetings == before) __nanosleep(20);
    }
    __threadfence();
  }
  __syncthreads();
}

//! Bytes of workspace for a sweep: the head, and for each channel a slot a tile, two a block.
template <class V>
UPSWEEP_HD constexpr std::size_t slot_bytes(index_t tiles) {
  return sizeof(word) * ((sizeof(V) + 11) / 12) * static_cast<std::size_t>(tiles + 2 * (tiles / tiles_per_block + 1));
}
template <class V>
constexpr std::size_t workspace_bytes(index_t tiles, index_t channels = 1) {
  return sizeof(progress) + slot_bytes<V>(tiles) * static_cast<std::size_t>(channels);
}

//! Publishes a word: on Hopper by an exchange, as reading what was just stored slows the copies beside it. (H200,
//! 2026-11-20: int32 sums 0.91 of a copy by stores, 0.95 by exchanges; a ring that only copies, publishes and reads
//! four blocks of words a tile 0.94 and 0.97.)
__device__ inline void write_word(word* to, const word& w) {
  std::uint64_t u[2];
  memcpy(u, &w, 16);
#if __CUDA_ARCH__ >= 900
  asm volatile("{ .reg .b128 w, old; mov.b128 w, {%1, %2}; atom.exch.relaxed.gpu.global.b128 old, [%0], w; }" ::"l"(to),
               "l"(u[0]), "l"(u[1])
               : "memory");
#else
  asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(to), "l"(u[0]),
               "l"(u[1])
               : "memory");
#endif
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
      if (is_tag) all &= w[k / 4].quarter[k % 4] == tag;
    }
    return all;
  }
  __device__ V value() const {
    std::uint32_t u[3 * words];
#pragma unroll
    for (int k = 0; k < 3 * words; k++) u[k] = w[k / 3].quarter[k % 3];
    maybe<V> v;
    memcpy(&v.value, u, sizeof(V));
    return v.value;
  }
};

__device__ inline int place_in_block(index_t tile) { return static_cast<int>(tile % tiles_per_block); }
__device__ inline bool ends_block(index_t tile) { return place_in_block(tile) == tiles_per_block - 1; }

//! The published state of one launch, for values of type V.
template <class V>
class board {
 public:
  __device__ board(const memory_piece& workspace, index_t tiles)
      : head_(reinterpret_cast<progress*>(workspace.data)), tiles_(tiles), bytes_(workspace.bytes) {}

  //! Where a channel of a batch publishes; tickets are the whole batch's.
  __device__ board of_channel(index_t c) const {
    board own = *this;
    own.head_ = reinterpret_cast<progress*>(reinterpret_cast<std::byte*>(head_) + c * slot_bytes<V>(tiles_));
    return own;
  }
  //! Takes the next tile; may lie behind the last one.
  __device__ ticket take() {
    ticket drawn;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;"
                 : "=l"(drawn.drawn)
                 : "l"(&head_->ticket_and_tag)
                 : "memory");
    return drawn;
  }
  __device__ bool is_last(index_t tile) const { return tile == tiles_ - 1; }
  //! Slots: tiles, then every block's aggregate and the prefix after it.
  __device__ index_t tile_slot(index_t tile) const { return tile; }
  __device__ index_t aggregate_slot(index_t block) const { return tiles_ + 2 * block; }
  __device__ index_t prefix_slot(index_t block) const { return tiles_ + 2 * block - 1; }  // of block > 0

  __device__ void publish(index_t slot, const V& v, std::uint32_t tag) const {
    const tagged<V> t(v, tag);
#pragma unroll
    for (int k = 0; k < tagged<V>::words; k++) write_word(at(slot) + k, t.w[k]);
  }
  //! Publishes what stands behind the last tile of a block.
  __device__ void publish_prefix(index_t tile, const V& after, std::uint32_t tag) const {
    publish(prefix_slot(tile / tiles_per_block + 1), after, tag);
  }
  //! Reads a slot unless it has been read; returns whether this launch has published it.
  __device__ bool read_unless(bool skip, tagged<V>& t, index_t slot, std::uint32_t tag) const {
#pragma unroll
    for (int k = 0; k < tagged<V>::words; k++) read_word_unless(skip, t.w[k], at(slot) + k);
    return t.has(tag);
  }

  //! Brings the slots of later tiles into L2, so that those who look at them find them there: a line of 8 tiles, a line
  //! of 4 blocks. Called by one thread for every tile.
  __device__ void prepare(index_t tile) const {
    const index_t later = tile + 8 * tiles_per_block;
    if (tile % 8 == 0 && later < tiles_) prefetch(at(tile_slot(later)));
    if (tile % (4 * tiles_per_block) == 0 && later < tiles_) prefetch(at(aggregate_slot(later / tiles_per_block)));
  }

  //! The tag of this launch, where nobody takes a ticket.
  __device__ std::uint32_t tag() const { return ticket{head_->ticket_and_tag}.tag(); }

  //! Called by one thread of each CTA when the CTA takes no more tickets and reads no more slots.
  __device__ void leave(std::uint32_t tag) {
    if (is_last_out(gridDim.x)) close(tag);
  }
  //! The two halves of it, for who reads slots when all others have left; of so many CTAs.
  __device__ bool is_last_out(unsigned int ctas) { return atomicAdd(&head_->ctas_out, 1u) == ctas - 1; }
  __device__ void close(std::uint32_t tag) {
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
  __device__ static void prefetch(const word* w) { asm volatile("prefetch.global.L2 [%0];" ::"l"(w)); }

  progress* head_;
  index_t tiles_;
  std::size_t bytes_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu
