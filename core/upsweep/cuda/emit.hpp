// How a warp's results leave: staged in shared memory and copied out in full lines (dense, packed), or item by item
// (each).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/tile.hpp>
#include <upsweep/stages.hpp>

namespace upsweep::inline UPSWEEP_ABI::gpu {

//! Bytes an item that a store stages; 0 for none.
template <class Store>
constexpr int staged_bytes() {
  if constexpr (detail::is_dense_v<Store>) return static_cast<int>(sizeof(typename Store::value_type));
  else if constexpr (detail::is_packed_v<Store>) return static_cast<int>(sizeof(typename Store::row_type));
  else return 0;
}
//! Where a warp stages its results: where its items lay if there is room, else in a space of its own behind the tiles.
template <class G, class Store>
struct staging {
  static constexpr int column = staged_bytes<Store>() ? G::staging_column(staged_bytes<Store>()) : 0;
  static constexpr bool own = column < 0, nothing_staged = staged_bytes<Store>() == 0;
  static constexpr int own_bytes = own ? round_up(G::chunk * staged_bytes<Store>(), 16) : 0;  // of a warp

  //! 16-byte aligned unless the column is not.
  template <class Load, bool Reversed>
  __device__ static std::byte* of(const Load& load, const live_part<G, Reversed>& part, std::byte* slot,
                                  std::byte* own_space) {
    const int place = Reversed ? G::warps - 1 - part.warp : part.warp;
    if constexpr (own) {
      return own_space + place * own_bytes;
    } else if constexpr (nothing_staged) {
      return nullptr;
    } else {
      using C = typename Load::template column_type<column>;
      return slot + G::template column_offset<column> + window_shift<G>(get<column>(load.columns), part.items) +
             place * (G::chunk * static_cast<int>(sizeof(staged_t<C>)));
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
  __device__ void put(int k, const T& value,
                      bool last) {  // k = 0, 1, 2, … constants after unrolling; last: of the lane
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

//! Copies a staged run of rows to places [at, at + count) of a stream. Called by a whole warp.
template <class Store>
__device__ void copy_rows(const Store& store, int stream, index_t at, const typename Store::row_type* rows, int count) {
  if constexpr (Store::streams > 1) {
    for_each_column<Store::streams>([&](auto k) {
      if (k == stream) copy_run(get<k>(store.ranges).data + at, rows, count);
    });
  } else {
    [&]<class... Ts>(const tuple<named_range<Ts>...>& ranges) {
      if constexpr (sizeof...(Ts) == 1) {
        copy_run(get<0>(ranges).data + at, rows, count);
      } else {
        for_each_column<sizeof...(Ts)>([&](auto c) {
#pragma unroll 4
          for (int k = lane_id(); k < count; k += warp_size) get<c>(ranges).data[at + k] = get<c>(rows[k]);
        });
      }
    }(store.ranges);
  }
}

//! Sends off a dense store's results. True: the copy engine is still reading the stage.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit_dense(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                           std::byte* stage, const live_part<G, Args::reversed>& part,
                           lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  using T = typename Args::store_type::value_type;
  lane_writer<T, G::per_lane, Args::reversed> writer(stage);
  const int last = part.lane_count() - 1;
  walk_lane<G, Full>(
      a, held, part, prefix, [&](int k, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
        writer.put(k, static_cast<T>(a.store.project(i, item, exclusive, inclusive)), !Full && k == last);
      });
  const int before = part.warp * G::chunk, count = Full ? G::chunk : min(part.items.count - before, G::chunk);
  T* to = a.store.range.data + (Args::reversed ? a.n - part.items.first - before - count : part.items.first + before);
  const T* from = reinterpret_cast<const T*>(stage) + (Args::reversed ? G::chunk - count : 0);
  constexpr int bytes = G::chunk * static_cast<int>(sizeof(T));
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

//! Sends off a packed store's rows: staged stream by stream, each stream's run behind those of the streams before it.
template <class G, bool Full, class Args>
__device__ void emit_packed(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                            std::byte* stage, const live_part<G, Args::reversed>& part,
                            lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  using Store = typename Args::store_type;
  using Row = typename Store::row_type;
  constexpr int streams = Store::streams;
  const Store& store = a.store;
  Row* rows = reinterpret_cast<Row*>(stage);
  index_t at[streams];                  // where in its range each run goes
  int count[streams], staged[streams];  // its length, and where it is staged
#pragma unroll
  for (int s = 0; s < streams; s++) {
    at[s] = from_lane(prefix.has_before ? prefix.before.value.counts[s] : index_t{0}, 0);
    count[s] = static_cast<int>(from_lane(prefix.last.value.counts[s], part.lanes - 1) - at[s]);
    staged[s] = s == 0 ? 0 : staged[s - 1] + count[s - 1];
  }
  if constexpr (only_counts<V>) {
    int place[streams];
#pragma unroll
    for (int s = 0; s < streams; s++)
      place[s] = staged[s] + (prefix.has_before ? static_cast<int>(prefix.before.value.counts[s] - at[s]) : 0);
    for_each_item<G, Full>(part, [&](int k, index_t logical, index_t position) {
      const auto item = held.item(a.load, k, logical, position);
      const int stream = static_cast<int>(store.classify(item));
#pragma unroll
      for (int s = 0; s < streams; s++)
        if (stream == s) rows[place[s]++] = static_cast<Row>(store.project(position, item, nothing{}, nothing{}));
      if ((!Full || k == G::per_lane - 1) && logical == a.n - 1) a.finish(item, prefix.last.value);
    });
  } else {
    walk_lane<G, Full>(a, held, part, prefix,
                       [&](int, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
                         const int stream = static_cast<int>(store.classify(item));
#pragma unroll
                         for (int s = 0; s < streams; s++)
                           if (stream == s)
                             rows[staged[s] + static_cast<int>(exclusive.counts[s] - at[s])] =
                                 static_cast<Row>(store.project(i, item, value_of(exclusive), value_of(inclusive)));
                       });
  }
  __syncwarp();
#pragma unroll
  for (int s = 0; s < streams; s++) copy_rows(store, s, at[s], rows + staged[s], count[s]);
}

//! Walks a warp's items and sends off its results. `Bulk`: the copy engine may take a dense run; true when it is still
//! reading it.
template <class G, bool Full, bool Bulk, class Args>
__device__ bool emit(const Args& a, const lane_items<G, typename Args::load_type, Args::reversed>& held,
                     std::byte* stage, const live_part<G, Args::reversed>& part,
                     lane_prefix<typename Args::value_type>& prefix) {
  using V = typename Args::value_type;
  if constexpr (detail::is_dense_v<typename Args::store_type>) {
    return emit_dense<G, Full, Bulk>(a, held, stage, part, prefix);
  } else if constexpr (detail::is_packed_v<typename Args::store_type>) {
    emit_packed<G, Full>(a, held, stage, part, prefix);
  } else {
    walk_lane<G, Full>(a, held, part, prefix,
                       [&](int, index_t i, const auto& item, const V& exclusive, const V& inclusive) {
                         a.store.f(i, item, exclusive, inclusive);
                       });
  }
  return false;
}

}  // namespace upsweep::inline UPSWEEP_ABI::gpu
