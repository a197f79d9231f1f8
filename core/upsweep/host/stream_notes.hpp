// What the jobs of packed stores begin with: a part notes the stream of each of its items and counts them; when its
// turn has come it knows where its streams go on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/compress.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Load, class Store>
struct stream_notes {
  using view = load_view<Load, true>;
  static constexpr int K = Store::streams;
  static constexpr bool reversed = false;
  using streams = std::make_index_sequence<K>;

  struct scratch {
    view items;
    std::uint8_t* stream = nullptr;  // of each item; K: dropped
    index_t counts[K], offsets[K];

    constexpr void cut(scratch_cutter& pieces, index_t capacity) {
      items.cut(pieces, capacity);
      stream = pieces.take<std::uint8_t>(capacity + compress_slack);
    }
  };

  index_t n;
  const Load& load_stage;
  const Store& store_stage;
  host_memory& memory;
  bool in_place = overwrites_input();
  index_t counts[K] = {};
  last_item<typename Load::item_type> last{};
  typename load_traits<Load>::fences fences{};
  std::optional<lent_memory> fence_memory{};

  void start(index_t part_items) {
    if (in_place) read_fences(part_items, std::make_index_sequence<Load::width>{});
  }
  void note(scratch& s, const part& p) {
    s.items.prepare(load_stage, p, in_place, fences);
    last.template take<false>(s.items, p, n);
    note_streams(s, p, streams{});
  }
  void count(scratch& s) {
    for (int k = 0; k < K; k++) {
      s.offsets[k] = counts[k];
      counts[k] += s.counts[k];
    }
  }
  //! K or another number that is no stream's: the item is dropped.
  template <class Number>
  UPSWEEP_INLINE static std::uint8_t stream_of(const Number& of_item) {
    constexpr auto others = static_cast<unsigned>(Store::counts);  // dropped, or the last stream
    const auto number = static_cast<unsigned>(static_cast<int>(of_item));
    // (So, and not with one cast of both: of that g++ 12 makes stores of bits, no vectors, for a predicate like x & 1.)
    return number < others ? static_cast<std::uint8_t>(number) : static_cast<std::uint8_t>(others);
  }
  //! Do items of such a column leave past the caches?
  template <class Item>
  bool streams_out() const {
    return !in_place && is_streamed<Item>(n);
  }
  //! How far behind a run of `count` items from `first` on the next one is; 0 if it is shorter (run_stream::ahead).
  index_t ahead_of(index_t first, index_t count) const { return first + 2 * count <= n ? count : 0; }

 private:
  //! Is a range written over one that is read?
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
  template <std::size_t... C>
  void read_fences(index_t part_items, std::index_sequence<C...>) {
    const index_t parts = (n + part_items - 1) / part_items;
    fence_memory.emplace(memory, [&](scratch_cutter& pieces) { (get<C>(fences).cut(pieces, parts), ...); });
    (get<C>(fences).read(get<C>(load_stage.columns), parts, part_items), ...);
  }
  template <std::size_t... S>
  void note_streams(scratch& s, const part& p, std::index_sequence<S...>) const {
    with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const auto classify = store_stage.classify;  // copies: the compiler need not reload them after every store
      const view items = s.items;
      std::uint8_t* stream = s.stream;
      const index_t first = p.first, count = p.count;
      const auto note = [&]<bool First>(index_t k, std::bool_constant<First>) UPSWEEP_LAMBDA_INLINE {
        stream[k] = stream_of(classify(items.template item<First, false>(first + k)));
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
};

}  // namespace UPSWEEP_NAMESPACE::detail
