// The front end of a sweep on the host: the columns of a load, as one part of the items sees them.
//   part          the items of the scan that one thread works on at a time
//   column_view   where a part's items of one column lie: in the caller's range, in scratch memory, or nowhere
//   load_view     all columns of a load; puts items together
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>
#include <upsweep/tuple.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! `count` items from `first` on, counted along the scan. Their indices are [low, low + count), in either direction.
struct part {
  index_t number, first, count, low;
};

template <class C>
inline constexpr bool is_free = false;  // so cheap to make (an index, a constant) that an item is made at each use
template <>
inline constexpr bool is_free<index_column> = true;
template <class T>
inline constexpr bool is_free<constant_column<T>> = true;

template <class C>
concept fills_tiles =
    requires(const C& column, typename C::item_type* items) { column.fill(index_t{}, index_t{}, items); };

//! A column that is computed: each item once, into scratch memory.
template <class C, bool Copies>
struct column_view {
  using item_type = typename C::item_type;
  item_type* items = nullptr;  // of the indices from `low` on
  index_t low = 0;

  constexpr void cut(scratch_cutter& scratch, index_t capacity) { items = scratch.take<item_type>(capacity); }

  void prepare(const C& column, const part& p, bool, const void*) {
    low = p.low;
    if constexpr (fills_tiles<C>) {
      column.fill(p.low, p.count, items);
    } else {
      for (index_t k = 0; k < p.count; k++) ::new (static_cast<void*>(items + k)) item_type(column(p.low + k));
    }
  }
  UPSWEEP_INLINE void prefetch(index_t, index_t) const {}
  template <bool First, bool Reversed>
  UPSWEEP_INLINE const item_type& item(const C&, index_t i) const {
    return items[i - low];
  }
};

//! Asks for the items from index i on, into the second-level cache: the first can wait for too few lines at a time (a
//! sum of 2^26 ints by one thread of a Zen 4: 23 ms, so 11). Nearness 3: into the first, for what comes next. What lies
//! outside the range is never touched by that, but where there is no memory it takes 50 to 100 ns a line.
template <int Nearness = 2, class T>
UPSWEEP_INLINE void prefetch_items([[maybe_unused]] const T* data, [[maybe_unused]] index_t i,
                                   [[maybe_unused]] index_t items) {
#if defined(__GNUC__)
  const auto from = reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(i) * sizeof(T);
  for (std::uintptr_t byte = 0; byte < static_cast<std::uintptr_t>(items) * sizeof(T); byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(from + byte), 0, Nearness);
#endif
}

//! A column that costs nothing.
template <class C, bool Copies>
  requires(is_free<C>)
struct column_view<C, Copies> {
  constexpr void cut(scratch_cutter&, index_t) {}
  void prepare(const C&, const part&, bool, const void*) {}
  UPSWEEP_INLINE void prefetch(index_t, index_t) const {}
  template <bool First, bool Reversed>
  UPSWEEP_INLINE typename C::item_type item(const C& column, index_t i) const {
    return column(i);
  }
};

//! A column in memory, read where it lies; or, when a packed store overwrites it, copied by the part that works on it
//! before that part's turn. From its turn on, later parts may write there.
template <class C, bool Copies>
  requires(C::in_memory)
struct column_view<C, Copies> {
  using element = typename C::memory_type;
  const element* data = nullptr;  // of the indices from `base` on
  index_t base = 0;
  element* copy = nullptr;

  constexpr void cut(scratch_cutter& scratch, index_t capacity) {
    if constexpr (Copies) copy = scratch.take<element>(capacity + 1);
  }
  void prepare(const C& column, const part& p, bool copies, const void* before) {
    data = column.range.data;
    if (!Copies || !copies) return;
    if (C::has_previous && p.number > 0) std::memcpy(static_cast<void*>(copy), before, sizeof(element));
    std::memcpy(static_cast<void*>(copy + 1), data + p.low, static_cast<std::size_t>(p.count) * sizeof(element));
    data = copy;
    base = p.low - 1;
  }
  const element* at(index_t i) const { return data + (i - base); }
  UPSWEEP_INLINE void prefetch(index_t i, index_t items) const { prefetch_items(data, i - base, items); }
  template <bool First, bool Reversed>
  UPSWEEP_INLINE typename C::item_type item(const C&, index_t i) const {
    const element* here = data + (i - base);
    if constexpr (C::has_previous) {
      return {*here, *(First ? here : Reversed ? here + 1 : here - 1), First};
    } else {
      return *here;
    }
  }
};

//! The items in front of the parts of an overwritten with_previous column, read before anything is written.
template <class C>
struct fence_items {
  unsigned char* memory = nullptr;
  void cut([[maybe_unused]] scratch_cutter& scratch, [[maybe_unused]] index_t parts) {
    if constexpr (C::has_previous)
      if (parts > 1) memory = reinterpret_cast<unsigned char*>(scratch.take<typename C::memory_type>(parts));
  }
  void read([[maybe_unused]] const C& column, [[maybe_unused]] index_t parts,
            [[maybe_unused]] index_t part_items) const {
    if constexpr (C::has_previous) {
      using element = typename C::memory_type;
      if (!memory) return;
      for (index_t t = 1; t < parts; t++)
        std::memcpy(memory + static_cast<std::size_t>(t) * sizeof(element), column.range.data + (t * part_items - 1),
                    sizeof(element));
    }
  }
  const void* before([[maybe_unused]] index_t number) const {
    if constexpr (C::has_previous) {
      if (memory) return memory + static_cast<std::size_t>(number) * sizeof(typename C::memory_type);
    }
    return nullptr;
  }
};

template <class Load>
struct load_traits;
template <class... Cs>
struct load_traits<load_stage<Cs...>> {
  // In cache. (An item may be a pointer.) NOLINTNEXTLINE(bugprone-sizeof-expression)
  static constexpr std::size_t item_bytes = ((is_free<Cs> ? 0 : sizeof(typename Cs::item_type)) + ...);
  using fences = tuple<fence_items<Cs>...>;
};

template <class Load, bool Copies, class = std::make_index_sequence<Load::width>>
struct load_view;
template <class... Cs, bool Copies, std::size_t... I>
struct load_view<load_stage<Cs...>, Copies, std::index_sequence<I...>> {
  using load = load_stage<Cs...>;
  using fences = typename load_traits<load>::fences;
  static constexpr bool has_previous = (Cs::has_previous || ...);
  const load* columns = nullptr;
  tuple<column_view<Cs, Copies>...> views{};

  constexpr void cut(scratch_cutter& scratch, index_t capacity) { (get<I>(views).cut(scratch, capacity), ...); }
  void prepare(const load& l, const part& p, bool copies, const fences& in_front) {
    columns = &l;
    (get<I>(views).prepare(get<I>(l.columns), p, copies, get<I>(in_front).before(p.number)), ...);
  }
  UPSWEEP_INLINE void prefetch(index_t i, index_t items) const { (get<I>(views).prefetch(i, items), ...); }
  template <bool First, bool Reversed>
  UPSWEEP_INLINE typename load::item_type item(index_t i) const {
    return load::assemble(get<I>(views).template item<First, Reversed>(get<I>(columns->columns), i)...);
  }
};

}  // namespace UPSWEEP_NAMESPACE::detail
