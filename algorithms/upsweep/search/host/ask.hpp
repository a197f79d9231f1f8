// Predicates asked on the host, stretch by stretch, which compilers turn into vectors. No sweeps: a search stops in the
// first stretch that says yes, and a count adds answers that are as narrow as the items.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/columns.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/item_functions.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class Column>
UPSWEEP_INLINE auto column_item(const Column& column, index_t i) {
  if constexpr (!Column::in_memory) return column(i);
  else if constexpr (!Column::has_previous) return column.range.data[i];
  else return typename Column::item_type{column.range.data[i], column.range.data[i > 0 ? i - 1 : 0], i == 0};
}
template <class... Cs, std::size_t... I>
UPSWEEP_INLINE auto load_item(const load_stage<Cs...>& load, index_t i, std::index_sequence<I...>) {
  return load_stage<Cs...>::assemble(column_item(get<I>(load.columns), i)...);
}

template <class Load, class Predicate>
struct questions {
  //! A yes as wide as what is read, so that a vector of items gives a vector of answers.
  static constexpr std::size_t width = sizeof(typename Load::template column_type<0>::item_type);
  using answer = std::conditional_t<
      width == 1, std::uint8_t,
      std::conditional_t<width == 2, std::uint16_t, std::conditional_t<width == 8, std::uint64_t, std::uint32_t>>>;
  static constexpr index_t few = 16, first_stretch = 64, largest_stretch = 4096;
  static constexpr index_t counted_stretch = width == 1 ? 255 : largest_stretch;  // a sum that an answer can hold

  const Load& load;
  const Predicate& predicate;

  //! The first index in [begin, end) for which it holds, or `end`.
  index_t find(index_t begin, index_t end) const {
    // Few are asked one by one, as by a loop.
    for (const index_t behind = std::min(begin + few, end); begin < behind; begin++)
      if (holds(begin)) return begin;
    if (begin == end) return end;
    with_vectors<width <= 8>([&](auto) UPSWEEP_LAMBDA_INLINE {
      const auto any_up_to = [&](index_t behind) UPSWEEP_LAMBDA_INLINE {
        answer any = 0;
        for (index_t i = begin; i < behind; i++) any |= static_cast<answer>(holds(i) ? 1 : 0);
        return any != 0;
      };
      index_t behind = begin;
      for (index_t length = first_stretch; begin < end; length = std::min(2 * length, largest_stretch)) {
        behind = std::min(begin + length, end);
        if (any_up_to(behind)) break;
        begin = behind;
      }
      while (behind - begin >= few && !any_up_to(begin + few)) begin += few;
      while (begin < end && !holds(begin)) begin++;
    });
    return begin;
  }
  //! Of how many in [begin, end) it holds.
  index_t count(index_t begin, index_t end) const {
    index_t sum = 0;
    with_vectors<width <= 8>([&](auto) UPSWEEP_LAMBDA_INLINE {
      for (index_t behind = begin; begin < end; begin = behind) {
        behind = std::min(begin + counted_stretch, end);
        answer yes = 0;
        for (index_t i = begin; i < behind; i++) yes = static_cast<answer>(yes + (holds(i) ? 1 : 0));
        sum += static_cast<index_t>(yes);
      }
    });
    return sum;
  }

 private:
  UPSWEEP_INLINE bool holds(index_t i) const {
    return static_cast<bool>(call_with(predicate, load_item(load, i, std::make_index_sequence<Load::width>{})));
  }
};

//! questions::find by several threads. A part is left out when one before it has been found to have an item.
template <class Questions>
index_t find_shared(int threads, const Questions& ask, index_t begin, index_t end, index_t part_items) {
  atomic<index_t> first{end};
  share_out(threads, (end - begin + part_items - 1) / part_items, [&](index_t k) {
    const index_t from = begin + k * part_items, to = std::min(from + part_items, end);
    if (from >= first.get()) return;
    const index_t found = ask.find(from, to);
    if (found < to) first.lower_to(found);
  });
  return first.get();
}

template <class Load>
inline constexpr std::size_t bytes_asked = load_traits<Load>::item_bytes > 0 ? load_traits<Load>::item_bytes : 1;

//! finish(the index of the first item for which it holds, or n).
template <class Load, class Predicate, class Finish>
void first_where(host& executor, index_t n, const Load& load, const Predicate& predicate, const Finish& finish) {
  const questions<Load, Predicate> ask{load, predicate};
  constexpr auto alone = static_cast<index_t>(waking_bytes / bytes_asked<Load>) + 1;
  index_t behind = executor.threads() == 1 ? n : std::min(n, alone), found = ask.find(0, behind);
  while (found == behind && behind < n) {  // so far nothing: four times as much as all before
    const index_t begin = behind;
    behind += std::min(n - behind, 4 * behind);
    found = find_shared(executor.threads(), ask, begin, behind, tile_items(bytes_asked<Load>, 1));
  }
  finish(found);
}

//! *count = of how many items it holds.
template <class Load, class Predicate>
void count_where(host& executor, index_t n, const Load& load, const Predicate& predicate, index_t* count) {
  const questions<Load, Predicate> ask{load, predicate};
  const int threads = threads_for(static_cast<std::size_t>(n) * bytes_asked<Load>, executor.threads());
  if (threads == 1) {
    *count = ask.count(0, n);
    return;
  }
  constexpr index_t part_items = tile_items(bytes_asked<Load>, 1);
  atomic<index_t> sum{0};
  share_out(threads, (n + part_items - 1) / part_items,
            [&](index_t k) { sum.add(ask.count(k * part_items, std::min((k + 1) * part_items, n))); });
  *count = sum.get();
}

}  // namespace UPSWEEP_NAMESPACE::detail
