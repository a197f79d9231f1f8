// How a warp's results leave: staged in shared memory and copied out in full lines (dense, packed, several), or item by
// item (each).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/emit_several.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What a store stages an item; nothing for none.
template <class Store>
struct staged_result {
  using type = nothing;
};
template <class T, class F>
struct staged_result<dense_store<T, F>> {
  using type = T;
};
template <int K, class Row, class Classify, class F, class... Ts>
struct staged_result<packed_store<K, Row, Classify, F, Ts...>> {
  using type = Row;
};
template <int Most, class Rows, class... Ts>
struct staged_result<several_store<Most, Rows, Ts...>> {
  struct type {
    typename Rows::row_type rows[Most];
  };
};
template <class Store>
using staged_result_t = typename staged_result<Store>::type;
template <class Store>
inline constexpr bool stages_nothing = std::is_same_v<staged_result_t<Store>, nothing>;
template <class Store>
inline constexpr int staged_bytes = stages_nothing<Store> ? 0 : static_cast<int>(sizeof(staged_result_t<Store>));
//! The ranges of a packed store.
template <class Store>
inline constexpr int packed_ranges = 0;
template <int K, class Row, class Classify, class F, class... Ts>
inline constexpr int packed_ranges<packed_store<K, Row, Classify, F, Ts...>> = static_cast<int>(sizeof...(Ts));
//! Bytes beside them that let every run of a packed store lie as it will in memory (packed_run).
template <class Store>
inline constexpr int slack = 32 * packed_ranges<Store>;
//! Is it worth a space of its own? One run finds room where items were dropped; several of different columns do not,
//! when all rows are kept.
template <class Store>
inline constexpr bool needs_slack = false;
template <int K, class Row, class Classify, class F, class... Ts>
inline constexpr bool needs_slack<packed_store<K, Row, Classify, F, Ts...>> =
    packed_store<K, Row, Classify, F, Ts...>::columns > 1 ||
    (packed_store<K, Row, Classify, F, Ts...>::streams > 1 && 16 % sizeof(Row) == 0);
template <int Most, class Rows, class... Ts>
inline constexpr bool needs_slack<several_store<Most, Rows, Ts...>> = true;

//! Are a lane's first results staged before its last items are read?
template <class Store>
inline constexpr bool stages_early = false;

//! Are results staged in a space of their own although there is room where items lay? A slot of the pipeline is then
//! free before they have left.
template <class G, class Store>
inline constexpr bool stages_apart = false;

//! How many results of a warp are staged at once in a space of their own.
template <class G, class Store>
inline constexpr int staged_at_once = G::part_items;

//! Where a warp stages its results: where its items lay if there is room, else in a space of its own behind the tiles.
template <class G, class Store>
struct staging {
  static constexpr int column = stages_nothing<Store> ? 0
                                : needs_slack<Store> || stages_apart<G, Store>
                                    ? -1
                                    : G::template staging_column<staged_result_t<Store>, stages_early<Store>>;
  static constexpr bool own = column < 0;
  static constexpr int own_bytes =
      own ? round_up(staged_at_once<G, Store> * staged_bytes<Store>, 16) + slack<Store> : 0;  // of a warp

  //! 16-byte aligned unless the column is not.
  template <class Load, bool Reversed>
  __device__ static std::byte* of(const Load& load, const live_part<G, Reversed>& part, std::byte* slot,
                                  std::byte* own_space) {
    const int place = Reversed ? G::warps - 1 - part.warp : part.warp;
    if constexpr (own) {
      return own_space + place * own_bytes;
    } else if constexpr (stages_nothing<Store>) {
      return nullptr;
    } else {
      using C = typename Load::template column_type<column>;
      return slot + G::template column_offset<column> + window_shift<G>(get<column>(load.columns), part.items) +
             place * (G::part_items * static_cast<int>(sizeof(staged_t<C>)));
    }
  }
};

//! Copies a run of items from shared to global memory. Called by a whole warp.
template <class T>
__device__ void copy_run(T* to, const T* from, int count) {
  int done = 0;
  if constexpr (16 % sizeof(T) == 0 && sizeof(T) < 16) {
    if ((reinterpret_cast<std::uintptr_t>(to) | shared_address(from)) % 16 == 0) {
      constexpr int per_vector = 16 / sizeof(T);
      const int vectors = count / per_vector;
#pragma unroll 4
      for (int k = lane_id(); k < vectors; k += warp_size)
        reinterpret_cast<uint4*>(to)[k] = reinterpret_cast<const uint4*>(from)[k];
      done = vectors * per_vector;
    }
  }
#pragma unroll 4
  for (int k = done + lane_id(); k < count; k += warp_size) to[k] = from[k];
}

//! Puts a lane's results into shared memory, vector by vector as they come.
template <class T, int PerLane, bool Reversed>
class lane_writer {
  static constexpr int bytes = PerLane * static_cast<int>(sizeof(T));
  static constexpr bool by_vectors = bytes % 16 == 0 && 16 % sizeof(T) == 0 && sizeof(T) < 16;

 public:
  __device__ explicit lane_writer(std::byte* stage)
      : to_(stage + (Reversed ? warp_size - 1 - lane_id() : lane_id()) * bytes),
        aligned_(shared_address(stage) % 16 == 0) {}
  //! The lane's k-th result: k = 0, 1, 2, …, constants after unrolling. `last`: it is the lane's last one.
  __device__ void put(int k, const T& value, bool last) {
    const int place = Reversed ? PerLane - 1 - k : k;
    if constexpr (by_vectors) {
      constexpr int per_vector = 16 / sizeof(T);
      memcpy(reinterpret_cast<char*>(vector_) + place % per_vector * sizeof(T), &value, sizeof(T));
      if (last || place % per_vector == (Reversed ? 0 : per_vector - 1)) flush(place / per_vector);
    } else {
      reinterpret_cast<T*>(to_)[place] = value;
    }
  }

 private:
  __device__ void flush(int vector) {
    if (aligned_) {
      reinterpret_cast<uint4*>(to_)[vector] = uint4{vector_[0], vector_[1], vector_[2], vector_[3]};
    } else {
      T items[16 / sizeof(T)];
      memcpy(items, vector_, 16);
#pragma unroll
      for (int k = 0; k < static_cast<int>(16 / sizeof(T)); k++)
        reinterpret_cast<T*>(to_)[vector * (16 / static_cast<int>(sizeof(T))) + k] = items[k];
    }
  }
  std::byte* to_;
  bool aligned_;
  std::uint32_t vector_[4];
};

//! Sends off a warp's staged results. True: the copy engine is still reading the stage.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool send_dense(const Args& a, std::byte* stage, const live_part<G, Args::reversed>& part) {
  using T = typename Args::store_type::value_type;
  const int before = part.warp * G::part_items,
            count = Full ? G::part_items : min(part.items.count - before, G::part_items);
  T* to = a.store.range.data + (Args::reversed ? a.n - part.items.first - before - count : part.items.first + before);
  const T* from = reinterpret_cast<const T*>(stage) + (Args::reversed ? G::part_items - count : 0);
  constexpr int bytes = G::part_items * static_cast<int>(sizeof(T));
  if constexpr (Full && Bulk && bytes % 16 == 0) {
    if ((reinterpret_cast<std::uintptr_t>(to) | shared_address(stage)) % 16 == 0) {
      fence_async();
      __syncwarp();
      if (lane_id() == 0) bulk_store(to, stage, bytes);
      return true;
    }
  }
  __syncwarp();
  copy_run(to, from, count);
  return false;
}

//! Along a lane's items with a walker of the store's function `f` (detail::walks_on), before which `before` stands:
//! visit(k, walker, item).
template <class G, bool Full, class Args, class F, class Visit>
__device__ void walk_on(const Args& a, const F& f, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                        const live_part<G, Args::reversed>& part, const auto& before,
                        const typename Args::value_type& last, const Visit& visit) {
  const index_t first = part.items.first + part.lane_first();
  auto walker = f.from(Args::reversed ? a.n - 1 - first : first, before);
  for_each_item<G, Full>(part, [&](int k, index_t logical, index_t i) {
    const auto item = held.item(a.load, k, logical, i);
    visit(k, walker, item);
    if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, last);
  });
}

//! Walks along a warp's items, and sends off a dense store's results.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit_dense(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                           std::byte* stage, const live_part<G, Args::reversed>& part,
                           lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  using T = typename Args::store_type::value_type;
  lane_writer<T, G::per_lane, Args::reversed> writer(stage);
  const int last = part.lane_count() - 1;
  if constexpr (detail::walks_on<decltype(a.store.project), V>) {
    walk_on<G, Full>(a, a.store.project, held, part, prefix.has_before ? prefix.before.value : a.m.identity(),
                     prefix.last.value, [&](int k, auto& walker, const auto& item) {
                       writer.put(k, static_cast<T>(walker(item)), !Full && k == last);
                     });
  } else {
    walk_lane<G, Full>(
        a.load, a.lift, a.m, held, part, prefix,
        [&](int k, index_t logical, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
          writer.put(k, static_cast<T>(a.store.project(i, item, exclusive, inclusive)), !Full && k == last);
          if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, inclusive);
        });
  }
  return send_dense<G, Full, Bulk>(a, stage, part);
}

//! A run of results on its way to consecutive places in memory: staged as it will lie to 16-byte granules there, so
//! that one bulk copy moves all but its ends. (Types that do not tile a granule, and what fills the stage to the last
//! byte, go item by item.)
template <class T>
class packed_run {
 public:
  //! `count` items for `to`, staged at the start of [room, end), which is cut off there; this lane's are those from
  //! number `rank` on.
  __device__ void place(T* to, int count, int rank, std::byte*& room, const std::byte* end) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    const auto aligned = [&](int size) { return room + (-static_cast<int>(shared_address(room)) & (size - 1)); };
    std::byte* stage = aligned(16) + address % 16;
    by_granules_ = 16 % sizeof(T) == 0 && address % sizeof(T) == 0 && stage + count * sizeof(T) <= end;
    stage_ = reinterpret_cast<T*>(by_granules_ ? stage : aligned(alignof(T)));
    next_ = stage_ + rank;
    to_ = to;
    count_ = count;
    room = reinterpret_cast<std::byte*>(stage_ + count);
  }
  //! The lane's next item.
  __device__ void put(const T& item) { *next_++ = item; }
  //! Sends off what is staged. True: the copy engine is still reading it. Called by a whole warp.
  template <bool Bulk>
  __device__ bool send() const {
    if (!by_granules_) {
      copy_run(to_, stage_, count_);
      return false;
    }
    constexpr int granule = 16 % sizeof(T) == 0 ? 16 / static_cast<int>(sizeof(T)) : 1;
    const int head = min(count_, static_cast<int>(-reinterpret_cast<std::uintptr_t>(to_) & 15) / int{sizeof(T)});
    const int inside = (count_ - head) / granule * granule, lane = lane_id();
    if (lane < head) to_[lane] = stage_[lane];
    if (head + inside + lane < count_) to_[head + inside + lane] = stage_[head + inside + lane];
    if constexpr (!Bulk) copy_run(to_ + head, stage_ + head, inside);
    else if (lane == 0 && inside > 0)
      bulk_store(to_ + head, stage_ + head, static_cast<std::uint32_t>(inside) * std::uint32_t{sizeof(T)});
    return Bulk;
  }

 private:
  T *to_, *stage_, *next_;
  int count_;
  bool by_granules_;
};

//! The runs of a packed store: one a column of every stream.
template <class Store>
struct packed_runs;
template <int K, class Row, class Classify, class F, class... Ts>
struct packed_runs<packed_store<K, Row, Classify, F, Ts...>> {
  using Store = packed_store<K, Row, Classify, F, Ts...>;
  static constexpr int size = sizeof...(Ts);
  tuple<packed_run<Ts>...> runs;

  //! The lane's next row of stream `Stream`.
  template <int Stream>
  __device__ void put(const Row& row) {
    for_each_column<Store::columns>([&](auto column) {
      get<Stream * Store::columns + column>(runs).put(detail::column_of<column, Store::columns>(row));
    });
  }
};

//! Sends off a packed store's rows: staged run by run.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit_packed(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                            std::byte* stage, const live_part<G, Args::reversed>& part,
                            lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  using Row = typename Store::row_type;
  using Runs = packed_runs<Store>;
  constexpr int streams = Store::streams;
  const Store& store = a.store;
  index_t at[streams];                // where in its stream the warp's rows begin
  int count[streams], rank[streams];  // of the warp's rows; of this lane's next row among them
  const int before = part.warp * G::part_items;
  index_t at_rest = part.items.first + before;
  int rest = Full ? G::part_items : min(part.items.count - before, G::part_items), rank_rest = lane_id() * G::per_lane;
#pragma unroll
  for (int s = 0; s < Store::counts; s++) {
    const index_t first = prefix.has_before ? prefix.before.value.counts[s] : index_t{0};
    at[s] = from_lane(first, 0);
    count[s] = static_cast<int>(from_lane(prefix.last.value.counts[s], part.lanes - 1) - at[s]);
    rank[s] = static_cast<int>(first - at[s]);
    at_rest -= at[s];
    rest -= count[s];
    rank_rest -= rank[s];
  }
  if constexpr (Store::keeps_all) {
    at[streams - 1] = at_rest;
    count[streams - 1] = rest;
    rank[streams - 1] = rank_rest;
  }
  constexpr int stage_bytes =
      staging<G, Store>::own ? staging<G, Store>::own_bytes : G::part_items * staged_bytes<Store>;
  Runs out;
  std::byte* room = stage;
  for_each_column<Runs::size>([&](auto c) {
    constexpr int s = static_cast<int>(c) / Store::columns;
    get<c>(out.runs).place(get<c>(store.ranges).data + store.begin(s) + at[s], count[s], rank[s], room,
                           stage + stage_bytes);
  });
  const auto put = [&](const auto& item, const auto& row) {
    const int stream = static_cast<int>(store.classify(item));
    bool rests = Store::keeps_all;
    for_each_column<Store::counts>([&](auto s) {
      if (stream == s) out.template put<s>(row());
      rests &= stream != s;
    });
    if constexpr (Store::keeps_all)
      if (rests) out.template put<streams - 1>(row());
  };
  if constexpr (only_counts<V>) {
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t i) {
      const auto item = held.item(a.load, k, logical, i);
      put(item, [&] { return static_cast<Row>(store.project(i, item, nothing{}, nothing{})); });
      if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, prefix.last.value);
    });
  } else {
    using Inner = decltype(V::value);
    lane_prefix<Inner> inner;  // the values' part
    inner.before.value = prefix.before.value.value;
    inner.last.value = prefix.last.value.value;
    inner.has_before = prefix.has_before;
    if constexpr (detail::walks_on<decltype(store.project), Inner>) {
      walk_on<G, Full>(a, store.project, held, part, inner.has_before ? inner.before.value : a.m.inner.identity(),
                       prefix.last.value, [&](int, auto& walker, const auto& item) {
                         const auto row = static_cast<Row>(walker(item));
                         put(item, [&] { return row; });
                       });
    } else {
      walk_lane<G, Full>(
          a.load, a.lift.lift, a.m.inner, held, part, inner,
          [&](int k, index_t logical, index_t i, const auto& item, const Inner& exclusive, const Inner& inclusive) {
            put(item, [&] { return static_cast<Row>(store.project(i, item, exclusive, inclusive)); });
            if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, prefix.last.value);
          });
    }
  }
  if constexpr (Bulk) fence_async();
  __syncwarp();
  bool async = false;
  for_each_column<Runs::size>([&](auto c) { async |= get<c>(out.runs).template send<Bulk>(); });
  return async;
}

//! Walks a warp's items and sends off its results. `Bulk`: the copy engine may take runs; true when it is still reading
//! them.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                     std::byte* stage, const live_part<G, Args::reversed>& part,
                     lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  if constexpr (detail::is_dense_v<typename Args::store_type>) {
    return emit_dense<G, Full, Bulk>(a, held, stage, part, prefix);
  } else if constexpr (detail::is_packed_v<typename Args::store_type>) {
    return emit_packed<G, Full, Bulk>(a, held, stage, part, prefix);
  } else if constexpr (detail::is_several_v<typename Args::store_type>) {
    emit_several<G, Full>(a.store, a, held, stage, part, prefix);
  } else if constexpr (detail::walks_on<decltype(a.store.f), V>) {
    walk_on<G, Full>(a, a.store.f, held, part, prefix.has_before ? prefix.before.value : a.m.identity(),
                     prefix.last.value, [](int, auto& walker, const auto& item) { walker(item); });
  } else {
    walk_lane<G, Full>(
        a.load, a.lift, a.m, held, part, prefix,
        [&](int k, index_t logical, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
          a.store.f(i, item, exclusive, inclusive);
          if (is_last_item<G, Full>(k, logical, a.n)) a.finish(item, inclusive);
        });
  }
  return false;
}

}  // namespace UPSWEEP_NAMESPACE::gpu
