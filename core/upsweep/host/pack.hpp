// Sweeps with a packed store: compaction and partition. A part notes the stream of each of its items and counts them;
// when its turn has come it knows where its streams go on; then it puts rows together for each stream's items, and for
// those only.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/compress.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/lifts.hpp>
#include <upsweep/runs.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Writes a row of stream `S` to its place: each of its columns to the stream's range of that column.
template <int S, class Ranges, class Row, int... C>
UPSWEEP_INLINE void put_columns(const Ranges& ranges, index_t at, const Row& row, std::integer_sequence<int, C...>) {
  constexpr int columns = sizeof...(C);
  ((get<S * columns + C>(ranges).data[at] = column_of<C, columns>(row)), ...);
}
template <int S, int Columns, class Ranges, class Row>
UPSWEEP_INLINE void put_row(const Ranges& ranges, index_t at, const Row& row) {
  put_columns<S>(ranges, at, row, std::make_integer_sequence<int, Columns>{});
}

//! Are rows the items of a range as they stand? Then there is nothing to put together.
template <class Load, class F, class Row>
inline constexpr bool rows_are_items = false;
template <class T>
inline constexpr bool rows_are_items<load_stage<range_column<T>>, take_item, T> = sizeof(T) == 4 || sizeof(T) == 8;

struct stream_head {
  template <class T>
  UPSWEEP_HD bool is_head(const tuple<T, std::uint8_t>& item) const {
    return get<1>(item) == 0;
  }
};
//! How items are lifted: where streams tell where runs begin, by them. Then keys are compared once. (They do not tell
//! of the first run of all. Nothing is before it.)
template <class Lift, class Classify>
struct packed_lift {
  using type = Lift;
  static constexpr bool by_streams = false;
  static const Lift& of(const Lift& lift) { return lift; }
};
template <class M, class Equal, class C>
struct packed_lift<lift_segmented<M, head_of_run<Equal>>, next_run<Equal, C>> {
  using type = lift_segmented<M, stream_head>;
  static constexpr bool by_streams = true;
  static type of(const lift_segmented<M, head_of_run<Equal>>&) { return {}; }
};
//! The items that are summed, and their streams.
template <class View>
struct items_and_streams {
  static constexpr bool has_previous = false;
  static_assert(!View::load::template column_type<0>::has_previous);
  View items;
  const std::uint8_t* stream;
  index_t first;
  template <bool First, bool Reversed>
  UPSWEEP_INLINE auto item(index_t i) const {
    return upsweep::make_tuple(get<0>(items.views).template item<First, Reversed>(get<0>(items.columns->columns), i),
                               stream[i - first]);
  }
  UPSWEEP_INLINE void prefetch(index_t i, index_t count) const { items.prefetch(i, count); }
};

template <class Load, class Lift, class M, class Store>
struct pack_job {
  using V = typename M::value_type;
  using Row = typename Store::row_type;
  using view = load_view<Load, true>;
  static constexpr int K = Store::streams;
  static constexpr bool reversed = false, has_values = !std::is_same_v<M, nothing>;
  using lifts = packed_lift<Lift, std::remove_cvref_t<decltype(Store::classify)>>;
  using scan_type =
      chunk_scan<std::conditional_t<lifts::by_streams, items_and_streams<view>, view>, typename lifts::type, M, false>;
  using values_type = typename scan_type::values_type;
  using streams = std::make_index_sequence<K>;
  using F = std::remove_cvref_t<decltype(Store::project)>;
  static constexpr std::size_t item_bytes = load_traits<Load>::item_bytes + (has_values ? sizeof(V) : 0) + 1;
  static constexpr index_t round = has_values ? side_by_side<M> * chunk : 4096;
  static constexpr bool compresses = rows_are_items<Load, F, Row> && !has_values;
  static constexpr index_t tile = tile_items(item_bytes, round);

  struct scratch {
    view items;
    values_type values;
    std::uint8_t* stream = nullptr;      // of each item; K: dropped
    std::uint32_t* positions = nullptr;  // of one stream's items in a round
    Row* staged = nullptr;
    index_t counts[K], offsets[K];

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      const index_t of_values = has_values ? capacity : 0;
      items.cut(pieces, capacity);
      values.cut(pieces, of_values, of_values);
      stream = pieces.take<std::uint8_t>(capacity + compress_slack);
      positions = pieces.take<std::uint32_t>(round + compress_slack);
      staged = pieces.take<Row>(compresses ? round + compress_slack : 0);
    }
  };

  index_t n;
  const Load& load_stage;
  const Store& store_stage;
  scan_type scan;
  host_memory& memory;
  bool in_place = false, streaming = false;
  running_prefix<V> running{};
  index_t counts[K] = {};
  last_item<typename Load::item_type> last{};
  typename load_traits<Load>::fences fences{};
  std::optional<lent_memory> fence_memory{};

  void start(index_t part_items) {
    in_place = overwrites_input();
    streaming = !in_place && is_streamed<Row>(n);
    if (!in_place) return;
    read_fences(part_items, std::make_index_sequence<Load::width>{});
  }
  void load(scratch& s, const part& p) {
    s.items.prepare(load_stage, p, in_place, fences);
    last.template take<false>(s.items, p, n);
    note_streams(s, p, streams{});
    if constexpr (has_values) {
      for (index_t begin = 0; begin < p.count; begin += round)
        scan.template fold<true>(scanned(s, p), p, s.values, begin, p.count - begin < round ? p.count : begin + round,
                                 0);
    }
  }
  void advance(scratch& s, const part& p) {
    if constexpr (has_values) scan.advance(p, s.values, running);
    for (int k = 0; k < K; k++) {
      s.offsets[k] = counts[k];
      counts[k] += s.counts[k];
    }
  }
  void store(scratch& s, const part& p) {
    if constexpr (has_values) scan.apply(p, s.values, 0, p.count);
    store_streams(s, p, streams{});
  }

 private:
  template <std::size_t... C>
  void read_fences(index_t part_items, std::index_sequence<C...>) {
    const index_t parts = (n + part_items - 1) / part_items;
    fence_memory.emplace(memory, [&](scratch_cutter& pieces) { (get<C>(fences).cut(pieces, parts), ...); });
    (get<C>(fences).read(get<C>(load_stage.columns), parts, part_items), ...);
  }
  bool overwrites_input() const {
    bool found = false;
    for_each_element(load_stage.columns, [&](const auto& column) {
      if constexpr (std::remove_cvref_t<decltype(column)>::in_memory) {
        for_each_element(store_stage.ranges,
                         [&](const auto& out) { found |= overlap(extent_of(column.range, n), extent_of(out, n)); });
      }
    });
    return found;
  }
  template <std::size_t... S>
  void note_streams(scratch& s, const part& p, std::index_sequence<S...>) const {
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const auto classify = store_stage.classify;  // copies: the compiler need not reload them after every store
      const view items = s.items;
      std::uint8_t* stream = s.stream;
      const index_t first = p.first, count = p.count;
      constexpr auto others = static_cast<unsigned>(Store::counts);  // dropped, or the last stream
      const auto note = [&]<bool First>(index_t k, std::bool_constant<First>) UPSWEEP_LAMBDA_INLINE {
        const auto number =
            static_cast<unsigned>(static_cast<int>(classify(items.template item<First, false>(first + k))));
        // (So, and not with one cast of both: of that g++ 12 makes stores of bits, no vectors, for a predicate like x
        // & 1.)
        stream[k] = number < others ? static_cast<std::uint8_t>(number) : static_cast<std::uint8_t>(others);
      };
      index_t k = 0;
      if (view::has_previous && first == 0) note(k++, std::true_type{});
      for (; k < count; k++) note(k, std::false_type{});
      ((s.counts[S] = count_stream(stream, count, S)), ...);
    });
  }
  UPSWEEP_INLINE static index_t count_stream(const std::uint8_t* stream, index_t count, std::size_t number) {
    index_t found = 0, k = 0;
    for (; count - k >= 128; k += 128) {  // few enough for a byte
      std::uint8_t few = 0;
      for (int j = 0; j < 128; j++) few = static_cast<std::uint8_t>(few + (stream[k + j] == number));
      found += few;
    }
    for (; k < count; k++) found += stream[k] == number;
    return found;
  }
  template <std::size_t... S>
  void store_streams(const scratch& s, const part& p, std::index_sequence<S...>) const {
    (store_stream<S>(s, p), ...);
  }
  template <int S>
  void store_stream(const scratch& s, const part& p) const {
    index_t to = store_stage.begin(S) + s.offsets[S];
    const scratch own = s;  // copies: the compiler need not reload them after every store
    const auto ranges = store_stage.ranges;
    const auto project = store_stage.project;
    for (index_t begin = 0; begin < p.count; begin += round) {
      const index_t count = p.count - begin < round ? p.count - begin : round;
      if constexpr (compresses) {
        if (has_vectors_of(32)) {
          using word = std::conditional_t<sizeof(Row) == 4, std::uint32_t, std::uint64_t>;
          const index_t kept =
              compress_words<word>(s.stream + begin, S, count, get<0>(s.items.views).at(p.first + begin), s.staged);
          copy_out(get<S>(store_stage.ranges).data + to, s.staged, static_cast<std::size_t>(kept) * sizeof(Row),
                   streaming);
          to += kept;
          continue;
        }
      }
      const index_t found = list_positions(s.stream + begin, S, count, s.positions);
      index_t j = 0;
      if (view::has_previous && p.first + begin == 0 && found > 0 && own.positions[0] == 0)
        put_row<S, Store::columns>(ranges, to, row<true>(own, project, p, begin + own.positions[j++]));
      for (; j < found; j++)
        put_row<S, Store::columns>(ranges, to + j, row<false>(own, project, p, begin + own.positions[j]));
      to += found;
    }
  }
  static auto scanned(const scratch& s, const part& p) {
    if constexpr (lifts::by_streams) return items_and_streams<view>{s.items, s.stream, p.first};
    else return s.items;
  }
  template <bool First>
  UPSWEEP_INLINE static Row row(const scratch& s, const F& project, const part& p, index_t k) {
    const auto item = s.items.template item<First, false>(p.first + k);
    if constexpr (has_values) {
      return static_cast<Row>(project(p.first + k, item, s.values.exclusive(k / chunk, k % chunk, k),
                                      s.values.inclusive(k / chunk, k % chunk, k)));
    } else {
      return static_cast<Row>(project(p.first + k, item, nothing{}, nothing{}));
    }
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
