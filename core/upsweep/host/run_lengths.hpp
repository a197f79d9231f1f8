// Runs whose items all count the same, as in run_length_encode: a run's sum follows from where it begins and ends, so
// that nothing is folded.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/host/compress.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/stream_notes.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/runs.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Does a sweep add up a constant over runs?
template <class Load, class M, class Store>
inline constexpr bool counts_runs = false;
template <std::integral T, class Key, class Equal, class Values, class F, class KeyOut, class Out>
inline constexpr bool counts_runs<load_stage<constant_column<T>, previous_column<Key>>, segmented<plus<T>>,
                                  packed_store<1, tuple<KeyOut, Out>, next_run<Equal, Values>, F, KeyOut, Out>> =
    sizeof(T) <= 8;

template <class Load, class Store>
struct run_length_job : stream_notes<Load, Store> {
  using notes = stream_notes<Load, Store>;
  using T = typename Load::template column_type<0>::item_type;
  using Key = typename Load::template column_type<1>::memory_type;
  using KeyOut = std::tuple_element_t<0, typename Store::row_type>;
  using Out = std::tuple_element_t<1, typename Store::row_type>;
  static constexpr bool compresses = std::is_same_v<Key, KeyOut> && sizeof(Key) <= most_compressed;
  static constexpr std::size_t item_bytes = sizeof(Key) + 1;
  // Of an item a part keeps a copy, if it is in place, its stream, and of a run its head, key and length.
  static constexpr index_t round =
                               compressed_round<sizeof(Key), 2 * sizeof(Key) + sizeof(Out) + sizeof(std::uint32_t) + 1>,
                           tile = tile_items(item_bytes, round);

  struct scratch : notes::scratch {
    std::uint32_t* heads = nullptr;  // where runs begin in a round
    Key* keys = nullptr;             // what is staged of a round
    Out* lengths = nullptr;
    index_t open;  // items of the run that the part begins in

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      notes::scratch::cut(pieces, capacity);
      heads = pieces.take<std::uint32_t>(round + compress_slack);
      keys = pieces.take<Key>(compresses ? round + compress_slack : 0);
      lengths = pieces.take<Out>(round);
    }
  };

  index_t open = 0;  // items of the run that has begun last

  void load(scratch& s, const part& p) { this->note(s, p); }
  void advance(scratch& s, const part& p) {
    this->count(s);
    s.open = open;
    open = s.counts[0] == 0 ? open + p.count : p.count - last_head(s.stream, p.count);
  }
  void store(scratch& s, const part& p) {
    index_t to = s.offsets[0], before = s.open;
    for (index_t begin = 0; begin < p.count; begin += round) {
      const index_t count = p.count - begin < round ? p.count - begin : round;
      const index_t found = list_positions(s.stream + begin, 0, count, s.heads);
      if (found > 0) {
        put_lengths(s, found, to, before);
        put_keys(s, p, begin, count, found, to);
      }
      before = found > 0 ? count - s.heads[found - 1] : before + count;
      to += found;
    }
  }
  typename segmented<plus<T>>::value_type total() const { return {sum_of(one(), open), true}; }

 private:
  //! Where the last item of stream 0 is. There is one.
  static index_t last_head(const std::uint8_t* stream, index_t count) {
    std::uint64_t eight;
    for (; count >= 8; count -= 8) {
      std::memcpy(&eight, stream + count - 8, 8);
      if (eight != ~std::uint64_t{0} / 255) break;  // eight items of stream 1
    }
    while (stream[count - 1] != 0) count--;
    return count - 1;
  }
  T one() const { return get<0>(this->load_stage.columns).value; }
  //! Of so many items, as if they had been added.
  UPSWEEP_INLINE static T sum_of(T one, index_t items) {
    return static_cast<T>(static_cast<std::uint64_t>(one) * static_cast<std::uint64_t>(items));
  }
  // Each head in a round ends the run before it.
  void put_lengths(const scratch& s, index_t found, index_t to, index_t before) const {
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      Out* const out = s.lengths;
      const std::uint32_t* const heads = s.heads;
      const T each = one();
      out[0] = static_cast<Out>(sum_of(each, before + heads[0]));
      for (index_t j = 1; j < found; j++) out[j] = static_cast<Out>(sum_of(each, heads[j] - heads[j - 1]));
    });
    copy_out(get<1>(this->store_stage.ranges).data + to, s.lengths, static_cast<std::size_t>(found) * sizeof(Out),
             this->template streams_out<Out>());
  }
  void put_keys(const scratch& s, const part& p, index_t begin, index_t count, index_t found, index_t to) const {
    const auto& keys = get<1>(s.items.views);
    KeyOut* const out = get<0>(this->store_stage.ranges).data + to;
    if constexpr (compresses) {
      if (repays_compression<sizeof(Key), 1>(found, count)) {
        // Those in front of heads. In front of the first of all is none, which is no head either.
        const index_t first = p.first + begin == 0 ? 1 : 0;
        move_items({s.stream + begin + first, 0, count - first, this->ahead_of(p.first + begin, count)},
                   keys.at(p.first + begin + first - 1), s.keys, out, s.offsets[0] + s.counts[0] - to,
                   this->template streams_out<Key>());
        return;
      }
    }
    const Key* const from = keys.at(p.first + begin);
    for (index_t j = 0; j < found; j++) out[j] = static_cast<KeyOut>(from[static_cast<index_t>(s.heads[j]) - 1]);
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
