// A tile in shared memory: how many items a lane holds, where columns lie, and how a lane reads its own.
//
// A tile is `warps` parts, a part 32 lanes of `per_lane` consecutive items. For every staged column it holds a
// window: the 16-byte granules of memory around its items, so that one bulk copy brings it whatever the range's
// alignment, and the item before the tile where one is wanted. A warp may stage its results where its own items lay.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/async.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A column's items lie in shared memory unless they cost nothing to make (an index, a constant).
template <class C>
inline constexpr bool is_free = false;
template <>
inline constexpr bool is_free<index_column> = true;
template <class T>
inline constexpr bool is_free<constant_column<T>> = true;
//! Bits in memory, of which an item takes a few: a column's `words` hold them from the first item's on, and lanes make
//! items of them. Whole granules can be read as far as the last item's.
template <class C>
concept bit_column = requires { typename C::bits_of_an_item; };
//! Columns in memory are copied; computed ones are written by warps.
template <class C>
inline constexpr bool is_copied = C::in_memory || bit_column<C>;
template <class C>
inline constexpr bool is_computed = !is_copied<C> && !is_free<C>;

template <class C, bool InMemory = C::in_memory>
struct staged {
  using type = typename C::item_type;
};
template <class C>
struct staged<C, true> {
  using type = typename C::memory_type;
};
template <class C>
using staged_t = typename staged<C>::type;

constexpr int round_up(int x, int to) { return (x + to - 1) / to * to; }

//! Windows lie to lines in shared memory as they do in device memory, or the copy engine moves every line in two
//! pieces.
inline constexpr int line = 128;

//! Items a lane, so that its share of all columns is about `lane_bytes`: a multiple of 16 bytes of the widest column,
//! and an odd one, so that the lanes' shares start in different banks.
constexpr int items_per_lane(int widest, int all, int lane_bytes) {
  int granule = 1;
  while (granule * widest % 16 != 0) granule *= 2;
  if (granule * all > lane_bytes) return lane_bytes > all ? lane_bytes / all : 1;
  const int vectors = granule * widest / 16;  // a granule's; odd ones cannot be had when it is even
  int granules = lane_bytes / (granule * all);
  if (granules < 1) granules = 1;
  if (vectors % 2 == 1 && granules % 2 == 0) granules -= 1;
  return granule * granules;
}

//! `LaneBytes`: about so many bytes a lane, or, negative, so many items.
template <class Load, int Warps, int LaneBytes>
struct geometry;

template <class... Cs, int Warps, int LaneBytes>
struct geometry<load_stage<Cs...>, Warps, LaneBytes> {
  static constexpr int warps = Warps;
  static constexpr int width = sizeof...(Cs);
  static constexpr bool any_computed = (is_computed<Cs> || ...);
  template <class C>
  static constexpr int item_bytes = is_free<C> || bit_column<C> ? 0 : static_cast<int>(sizeof(staged_t<C>));

  static constexpr int all_bytes = (item_bytes<Cs> + ... + 0);
  static constexpr int widest_bytes = [] {
    int widest = 0;
    ((widest = item_bytes<Cs> > widest ? item_bytes<Cs> : widest), ...);
    return widest;
  }();
  static constexpr int per_lane = LaneBytes < 0       ? -LaneBytes
                                  : widest_bytes == 0 ? LaneBytes / 8
                                                      : items_per_lane(widest_bytes == 0 ? 1 : widest_bytes,
                                                                       all_bytes == 0 ? 1 : all_bytes, LaneBytes);
  static constexpr int part_items = warp_size * per_lane;
  static constexpr int tile = Warps * part_items;
  template <class C>
  static constexpr int tile_bytes = bit_column<C> ? tile / 8 : tile * item_bytes<C>;

  //! Bytes in front of a column's items (or behind them) for the item before the tile.
  template <class C>
  static constexpr int halo = C::has_previous ? round_up(item_bytes<C>, line) : 0;
  //! A line more for a range that starts inside one, 4 bytes more for items that are read as words.
  template <class C>
  static constexpr int window =
      is_free<C> ? 0
      : bit_column<C>
          ? round_up(tile / 8 + 2 * 16, line)
          : round_up(tile * item_bytes<C> + (C::in_memory ? line : 0) + (alignof(staged_t<C>) % 4 ? 4 : 0), line) +
                halo<C>;
  static constexpr int slot = (window<Cs> + ... + 0);
  //! Granules of a window for each thread, up to what registers hold.
  template <class C>
  static constexpr int granules = [] {
    constexpr int most = 16, all = round_up(window<C>, 16 * warp_size * Warps) / (16 * warp_size * Warps);
    return all < 1 ? 1 : all < most ? all : most;
  }();
  template <int I>
  static constexpr int column_offset = [] {
    const int windows[] = {window<Cs>..., 0};
    int offset = 0;
    for (int k = 0; k < I; k++) offset += windows[k];
    return offset;
  }();
  //! The column where results of type T may be staged; −1 if none. (Where an item is read by two warps, one must not
  //! overwrite it.) `Exactly`: each where its own item lies, as the others may still be read.
  template <class T, bool Exactly = false>
  static constexpr int staging_column = [] {
    const bool fits[] = {
        (!Cs::has_previous && alignof(staged_t<Cs>) >= alignof(T) &&
         (Exactly ? item_bytes<Cs> == static_cast<int>(sizeof(T)) : item_bytes<Cs> >= static_cast<int>(sizeof(T))))...,
        false};
    for (int k = 0; k < width; k++)
      if (fits[k]) return k;
    return -1;
  }();
};

//! The items of a tile: `count` logical ones from `first` on, of n. Reversed, they lie mirrored in memory; a partial
//! tile's then fill the upper end of its windows.
template <bool Reversed>
struct span_of_items {
  index_t first;
  index_t n;
  int count;
  int tile;  // items of a full one
  __device__ index_t lowest() const {
    return Reversed ? n - first - tile : first;
  }  // where the windows start; may lie before the ranges
  __device__ int skipped() const {
    return Reversed ? tile - count : 0;
  }  // items of the windows in front of the first that is there
};

//! The byte of a column's window where the tile's lowest item stands.
template <class G, class C, bool Reversed>
__device__ int window_shift(const C& column, const span_of_items<Reversed>& items) {
  if constexpr (!C::in_memory) {
    return 0;
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(column.range.data) +
                         static_cast<std::uintptr_t>(items.lowest()) * sizeof(staged_t<C>);
    return static_cast<int>(address % line) + (Reversed ? 0 : G::template halo<C>);
  }
}

//! The window of a column of bits begins with the granule of the tile's lowest item; which of its bits is that?
template <bool Reversed>
__device__ int bit_shift(const span_of_items<Reversed>& items) {
  return static_cast<int>(items.lowest() & 127);
}

//! A number that a function can take as a constant (the standard's conversion is not callable on a device).
template <int I>
struct column_number {
  UPSWEEP_HD constexpr operator int() const { return I; }
};
//! f(I) for every column.
template <int Width, class F>
__device__ void for_each_column(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (f(column_number<I>{}), ...);
  }(std::make_integer_sequence<int, Width>{});
}

// ---------------------------------------------------------------- reading a lane's share
//! `Bytes` bytes of shared memory in registers.
template <int Bytes>
struct lane_words {
  std::uint32_t w[(Bytes + 3) / 4 + (Bytes == 0)];
  template <class T>
  __device__ T at(int k) const {  // k must be a constant after unrolling
    maybe<T> item;
    memcpy(&item.value, reinterpret_cast<const char*>(w) + k * static_cast<int>(sizeof(T)), sizeof(T));
    return item.value;
  }
};
//! Reads from `from + shift`: whole vectors when both are aligned, else words that are put together from their
//! neighbours. `Exact`: no byte besides, as others may be writing there.
template <int Bytes, int Alignment, bool Exact = false>
__device__ lane_words<Bytes> read_lane(const std::byte* from, int shift) {
  lane_words<Bytes> words;
  if constexpr (Bytes % 16 == 0) {
    if (shift % 16 == 0) {
      const uint4* vectors = reinterpret_cast<const uint4*>(from + shift);
#pragma unroll
      for (int k = 0; k < Bytes / 16; k++) {
        const uint4 v = vectors[k];  // not memcpy, which reads byte by byte
        words.w[4 * k] = v.x;
        words.w[4 * k + 1] = v.y;
        words.w[4 * k + 2] = v.z;
        words.w[4 * k + 3] = v.w;
      }
      return words;
    }
  }
  if constexpr (Alignment % 4 == 0) {
    const auto* source = reinterpret_cast<const std::uint32_t*>(from + shift);
#pragma unroll
    for (int k = 0; k < (Bytes + 3) / 4; k++) words.w[k] = source[k];
  } else if constexpr (Exact) {
    static_assert(Alignment == 2 && Bytes % 4 == 0);
    const auto* source = reinterpret_cast<const std::uint16_t*>(from + shift);
#pragma unroll
    for (int k = 0; k < Bytes / 4; k++) words.w[k] = source[2 * k] | std::uint32_t{source[2 * k + 1]} << 16;
  } else {
    const auto address = shared_address(from) + static_cast<std::uint32_t>(shift);
    const std::byte* base = from + shift - address % 4;
    const auto* source = reinterpret_cast<const std::uint32_t*>(base);
    const unsigned bits = address % 4 * 8;
    std::uint32_t low = source[0];
#pragma unroll
    for (int k = 0; k < (Bytes + 3) / 4; k++) {
      const std::uint32_t high = source[k + 1];
      words.w[k] = __funnelshift_r(low, high, bits);
      low = high;
    }
  }
  return words;
}

//! What a lane holds of one column: its items' bytes, and the item before the first.
template <class C, int PerLane, bool Free = is_free<C>>
struct lane_column {
  using T = staged_t<C>;
  lane_words<PerLane* static_cast<int>(sizeof(T))> words;
  maybe<std::conditional_t<C::has_previous, T, char>> before;

  template <bool Reversed>
  __device__ typename C::item_type item(const C&, int k, index_t logical, index_t) const {
    const int place = Reversed ? PerLane - 1 - k : k;
    const T value = words.template at<T>(place);
    if constexpr (C::has_previous) {
      if (k > 0) return {value, words.template at<T>(Reversed ? place + 1 : place - 1), false};
      if (logical == 0) return {value, value, true};
      return {value, before.value, false};
    } else {
      return value;
    }
  }
};
//! What a lane holds of a column of bits: those of its items, and one more. C::item(bits) makes an item of them.
template <bit_column C, int PerLane>
struct lane_column<C, PerLane, false> {
  static constexpr int words = (PerLane + 1 + 31) / 32;
  std::uint32_t w[words];

  //! Reads from a window's bit on.
  __device__ void read(const std::byte* window, int bit) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(window) + bit / 32;
    std::uint32_t low = from[0];
#pragma unroll
    for (int k = 0; k < words; k++) {
      const std::uint32_t high = from[k + 1];
      w[k] = __funnelshift_r(low, high, static_cast<unsigned>(bit % 32));
      low = high;
    }
  }
  template <bool Reversed>
  __device__ typename C::item_type item(const C&, int k, index_t, index_t) const {
    const int at = Reversed ? PerLane - 1 - k : k;  // both constants after unrolling
    const std::uint32_t next = at % 32 < 31 ? w[at / 32] >> (at + 1) % 32 : w[(at + 1) / 32];
    return C::item((w[at / 32] >> at % 32 & 1) | (next & 1) << 1);
  }
};
template <class C, int PerLane>
struct lane_column<C, PerLane, true> {
  template <bool Reversed>
  __device__ typename C::item_type item(const C& column, int, index_t, index_t position) const {
    return column(position);
  }
};

//! Which share of a tile is this lane's, counted in memory order.
template <class G, bool Reversed>
__device__ int place_of_lane(int warp) {
  const int logical = warp * warp_size + lane_id();
  return Reversed ? G::warps * warp_size - 1 - logical : logical;
}

//! What a lane holds of a tile, all of its share or `Count` items of it; makes the k-th of them.
template <class G, class Load, bool Reversed, int Count = G::per_lane>
struct lane_items;
template <class G, class... Cs, bool Reversed, int Count>
struct lane_items<G, load_stage<Cs...>, Reversed, Count> {
  using load = load_stage<Cs...>;
  tuple<lane_column<Cs, Count>...> held;

  //! Reads the items from number `first` of the lane's share on.
  __device__ void read(const load& l, const std::byte* slot, const span_of_items<Reversed>& items, int warp,
                       int first = 0) {
    for_each_column<G::width>([&](auto column_index) {
      constexpr int I = column_index;
      using C = typename load::template column_type<I>;
      if constexpr (bit_column<C>) {
        get<I>(held).read(slot + G::template column_offset<I>, bit_shift(items) +
                                                                   place_of_lane<G, Reversed>(warp) * G::per_lane +
                                                                   (Reversed ? G::per_lane - Count - first : first));
      } else if constexpr (!is_free<C>) {
        using T = staged_t<C>;
        constexpr int item = static_cast<int>(sizeof(T)), bytes = Count * item;
        const int shift =
            window_shift<G>(get<I>(l.columns), items) +
            (place_of_lane<G, Reversed>(warp) * G::per_lane + (Reversed ? G::per_lane - Count - first : first)) * item;
        const std::byte* window = slot + G::template column_offset<I>;
        constexpr bool is_slice = Count < G::per_lane;  // lanes write results over their items, slice by slice
        get<I>(held).words = read_lane<bytes, static_cast<int>(alignof(T)), is_slice>(window, shift);
        if constexpr (C::has_previous) {
          static_assert(Count == G::per_lane || !C::has_previous);
          if (items.first > 0 || warp > 0 || lane_id() > 0)
            get<I>(held).before.value =
                *reinterpret_cast<const T*>(window + shift + (Reversed ? bytes : -static_cast<int>(sizeof(T))));
        }
      }
    });
  }
  __device__ auto item(const load& l, int k, index_t logical, index_t position) const {
    return item(l, k, logical, position, std::make_index_sequence<sizeof...(Cs)>{});
  }

 private:
  template <std::size_t... I>
  __device__ auto item(const load& l, int k, index_t logical, index_t position, std::index_sequence<I...>) const {
    return load::assemble(get<I>(held).template item<Reversed>(get<I>(l.columns), k, logical, position)...);
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
