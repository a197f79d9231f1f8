// Sweeps with a packed store: compaction and partition. A part notes the streams of its items (stream_notes.hpp); when
// its turn has come it puts rows together for each stream's items, and for those only.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/chunks.hpp>
#include <upsweep/host/compress.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/stream_notes.hpp>
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

// Are rows the items of columns as they stand, and not large? Then there is nothing to put together.
template <class Column, class T>
inline constexpr bool is_column_of = false;
template <class T>
inline constexpr bool is_column_of<range_column<T>, T> = sizeof(T) <= most_compressed;
template <class T>
inline constexpr bool is_column_of<previous_column<T>, T> = sizeof(T) <= most_compressed;
template <class Load, class F, class... Ts, std::size_t... C>
constexpr bool rows_are_items(const tuple<named_range<Ts>...>*, std::index_sequence<C...>) {
  if constexpr (requires { F::leading_columns; } && sizeof...(C) <= Load::width) {
    return F::leading_columns == sizeof...(C) &&
           (is_column_of<typename Load::template column_type<C>, typename nth<C, Ts...>::type> && ...);
  } else {
    return false;
  }
}
// Or the keys and the sums in front of heads of runs?
template <class Load, class F, class M>
inline constexpr bool rows_are_runs = false;
template <class Values, class Key, class T, class Lift, class M>
inline constexpr bool
    rows_are_runs<load_stage<Values, previous_column<Key>>, finished_run<Key, T, Lift, segmented<M>>, segmented<M>> =
        std::is_same_v<T, typename M::value_type> && sizeof(Key) <= most_compressed && sizeof(T) <= most_compressed;

template <class... Ts>
constexpr std::size_t widest_item(const tuple<named_range<Ts>...>*) {
  return std::max({sizeof(Ts)...});
}

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
struct pack_job : stream_notes<Load, Store> {
  using notes = stream_notes<Load, Store>;
  using notes::store_stage;
  using typename notes::streams, typename notes::view;
  using V = typename M::value_type;
  using Row = typename Store::row_type;
  static constexpr bool has_values = !std::is_same_v<M, nothing>;
  using lifts = packed_lift<Lift, std::remove_cvref_t<decltype(Store::classify)>>;
  using scan_type =
      chunk_scan<std::conditional_t<lifts::by_streams, items_and_streams<view>, view>, typename lifts::type, M, false>;
  using values_type = typename scan_type::values_type;
  using F = std::remove_cvref_t<decltype(Store::project)>;
  using columns = std::make_index_sequence<Store::columns>;
  using ranges_type = std::remove_cvref_t<decltype(Store::ranges)>;
  static constexpr bool moves_runs = rows_are_runs<Load, F, M>;
  static constexpr bool compresses =
      moves_runs || (!has_values && rows_are_items<Load, F>(static_cast<const ranges_type*>(nullptr), columns{}));
  static constexpr std::size_t widest_column = widest_item(static_cast<const ranges_type*>(nullptr));
  static constexpr std::size_t item_bytes = load_traits<Load>::item_bytes + (has_values ? sizeof(V) : 0) + 1;
  // Of an item a part keeps a copy, if it is in place, its stream and its position, and a column's staged.
  static constexpr std::size_t scratch_an_item =
      load_traits<Load>::item_bytes + widest_column + sizeof(std::uint32_t) + 1;
  static constexpr index_t round = has_values   ? side_by_side<M> * chunk
                                   : compresses ? compressed_round<sizeof(Row), scratch_an_item>
                                                : most_in_round;
  static constexpr index_t tile = tile_items(item_bytes, round);

  struct scratch : notes::scratch {
    values_type values;
    std::uint32_t* positions = nullptr;  // of one stream's items in a round
    std::byte* staged = nullptr;         // of a column

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      const index_t of_values = has_values ? capacity : 0;
      notes::scratch::cut(pieces, capacity);
      values.cut(pieces, of_values, of_values);
      positions = pieces.take<std::uint32_t>(round + compress_slack);
      staged = pieces.take<std::byte>(compresses ? (round + compress_slack) * index_t{widest_column} : 0);
    }
  };

  //! Of a few items rows are put together one by one.
  static constexpr index_t few = 64;
  using few_view = load_view<Load, false>;  // which are not written over
  static constexpr std::size_t few_bytes = scratch_bytes<few_items<few_view>>(few);
  static constexpr bool packs_few = !has_values && few_bytes <= stack_bytes;

  scan_type scan;
  running_prefix<V> running{};

  bool run_few() {
    if constexpr (packs_few)
      if (0 < this->n && this->n <= few && !this->in_place) return pack_few(streams{}), true;
    return false;
  }
  void load(scratch& s, const part& p) {
    this->note(s, p);
    if constexpr (has_values) {
      for (index_t begin = 0; begin < p.count; begin += round)
        scan.template fold<true>(scanned(s, p), p, s.values, begin, p.count - begin < round ? p.count : begin + round,
                                 0);
    }
  }
  void advance(scratch& s, const part& p) {
    if constexpr (has_values) scan.advance(p, s.values, running);
    this->count(s);
  }
  void store(scratch& s, const part& p) {
    if constexpr (has_values) scan.apply(p, s.values, 0, p.count);
    store_streams(s, p, streams{});
  }
  const V& total() const { return running.get(); }

 private:
  //! The same as a run of all steps, for at most `few` items that are not written over. (A Zen 4, ns for 1, 16, 64
  //! words, half of which are kept: 13, 17, 58; by the steps 28, 45, 62.)
  template <std::size_t... S>
  void pack_few(std::index_sequence<S...>) {
    alignas(scratch_cutter::cache_line) std::byte on_stack[few_bytes + 1];
    auto own = cut_scratch<few_items<few_view>>(on_stack, few);
    const part all{0, 0, this->n, 0};
    own.items.prepare(this->load_stage, all, false, this->fences);
    this->last.template take<false>(own.items, all, this->n);
    with_16_bytes([&](auto) UPSWEEP_LAMBDA_INLINE {
      const few_view items = own.items;  // copies: the compiler need not reload them after every store
      const auto classify = store_stage.classify;
      const auto project = store_stage.project;
      const auto ranges = store_stage.ranges;
      index_t to[] = {store_stage.begin(static_cast<int>(S))...};
      const auto put = [&](index_t k, auto first) UPSWEEP_LAMBDA_INLINE {
        const auto item = items.template item<first, false>(k);
        const int stream = notes::stream_of(classify(item));
        ((stream == static_cast<int>(S)
              ? put_row<S, Store::columns>(ranges, to[S]++, static_cast<Row>(project(k, item, nothing{}, nothing{})))
              : void()),
         ...);
      };
      put(0, std::true_type{});
      for (index_t k = 1; k < this->n; k++) put(k, std::false_type{});
      ((this->counts[S] = to[S] - store_stage.begin(static_cast<int>(S))), ...);
    });
  }
  template <std::size_t... S>
  void store_streams(const scratch& s, const part& p, std::index_sequence<S...>) const {
    (store_stream<S>(s, p), ...);
  }
  template <int S>
  void store_stream(const scratch& s, const part& p) const {
    index_t to = store_stage.begin(S) + s.offsets[S];
    const index_t end = to + s.counts[S];
    const bool copies = compresses && repays_compression<sizeof(Row), Store::columns>(s.counts[S], p.count);
    for (index_t begin = 0; begin < p.count && to < end; begin += round) {
      const index_t count = p.count - begin < round ? p.count - begin : round;
      if constexpr (compresses)
        if (copies) to += copy_columns<S>(s, p, begin, count, to, end, columns{});
      if (!copies) to += put_rows<S>(s, p, begin, count, to);
    }
  }
  // Of a round, the rows of a stream, which go to its place `to` on, the part's to `end`; how many they are.
  template <int S, std::size_t... C>
  index_t copy_columns(const scratch& s, const part& p, index_t begin, index_t count, index_t to, index_t end,
                       std::index_sequence<C...>) const {
    // In front of the first item of all is none, and no run ends there.
    const index_t skipped = moves_runs && p.first + begin == 0 ? 1 : 0;
    index_t found = 0;
    const run_stream run{s.stream + begin + skipped, static_cast<std::uint8_t>(S), count - skipped,
                         this->ahead_of(p.first + begin, count)};
    const auto copy = [&](const auto* from, const auto& range) {
      using Item = std::remove_cvref_t<decltype(*from)>;
      found = move_items(run, from, reinterpret_cast<Item*>(s.staged), range.data + to, end - to,
                         this->template streams_out<Item>());
    };
    (copy(column_of_rows<C>(s, p, begin + skipped),
          get<static_cast<std::size_t>(S) * sizeof...(C) + C>(store_stage.ranges)),
     ...);
    return found;
  }
  // What a column's rows of the items from `begin` on are.
  template <std::size_t Column>
  static const auto* column_of_rows(const scratch& s, const part& p, index_t begin) {
    if constexpr (!moves_runs) return get<Column>(s.items.views).at(p.first + begin);
    else if constexpr (Column == 0) return get<1>(s.items.views).at(p.first + begin - 1);
    else return s.values.slots + (begin - 1);
  }
  template <int S>
  index_t put_rows(const scratch& s, const part& p, index_t begin, index_t count, index_t to) const {
    const scratch own = s;  // copies: the compiler need not reload them after every store
    const auto ranges = store_stage.ranges;
    const auto project = store_stage.project;
    const index_t found = list_positions(s.stream + begin, S, count, s.positions);
    index_t j = 0;
    if (view::has_previous && p.first + begin == 0 && found > 0 && own.positions[0] == 0)
      put_row<S, Store::columns>(ranges, to, row<true>(own, project, p, begin + own.positions[j++]));
    for (; j < found; j++)
      put_row<S, Store::columns>(ranges, to + j, row<false>(own, project, p, begin + own.positions[j]));
    return found;
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
