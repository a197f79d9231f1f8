// Items with values, or by a part of them, sorted by their places: words of 8 bytes of a key's bits above the place of
// its item are sorted by vectors, and items are fetched in that order.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/host/digits.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/word_sort.hpp>
#include <upsweep/sort/sort_task.hpp>

namespace UPSWEEP_NAMESPACE::detail {

using place_word = std::uint64_t;
inline constexpr ordered_bits<key_image<place_word>, place_word> all_of_place{{}, 0, ~place_word{}};

//! The words of items [begin, end), by 32 bits of their keys.
template <class Source, class Bits>
void list_places(const Source& source, index_t begin, index_t end, const Bits& bits, typename Bits::bits_type mask,
                 place_word* places) {
  static_assert(sizeof(mask) <= 4);
  for (index_t i = begin; i < end; i++)
    places[i] = place_word{static_cast<std::uint32_t>(bits(source.items[i]) & mask)} << 32 | static_cast<place_word>(i);
}
//! Where items are fetched to: not where they stand.
template <class Source, class Buffer>
Buffer room_to_fetch(const Source& source, const Buffer& out, const Buffer& beside) {
  return lies_in(source, out) ? beside : out;
}
//! Writes the items that have places [begin, end).
template <class Source, class Buffer>
void put_by_places(const Source& source, index_t begin, index_t end, const place_word* places, const Buffer& to) {
  for (index_t i = begin; i < end; i++) to.put(i, source, static_cast<index_t>(places[i] & 0xffffffff));
}

//! Sorts n < 2^32 items into `out`, or into `beside` first if they stand in `out`.
template <class Source, class Buffer, class Bits>
void sort_places(host& executor, const Source& source, index_t n, const Bits& bits, typename Bits::bits_type mask,
                 const Buffer& out, const Buffer& beside) {
  const lent_items<place_word> words(executor.lender(), 2 * n);
  place_word* const places = words.data();
  for_each_part(executor, n, sizeof(place_word),
                [&](index_t begin, index_t end) { list_places(source, begin, end, bits, mask, places); });
  const bool parallel = static_cast<std::size_t>(n) * sizeof(place_word) >= parallel_bytes;
  sort_by_vectors(places, n, all_of_place, places, places + n, parallel ? executor.threads() : 1);
  const Buffer to = room_to_fetch(source, out, beside);
  for_each_part(executor, n, sizeof(place_word),
                [&](index_t begin, index_t end) { put_by_places(source, begin, end, places, to); });
  if (to.items != out.items) copy_items(to.source(), n, out);
}

//! So few items are sorted by their places on the stack: as many as vectors sort sooner than digits do.
inline constexpr index_t places_on_stack = 512;
inline index_t most_few_places() { return has_vectors_of(64) ? places_on_stack : has_vectors_of(32) ? 128 : 0; }
template <class Source, class Buffer, class Bits>
void sort_few_places(const Source& source, index_t n, const Bits& bits, typename Bits::bits_type mask,
                     const Buffer& out, const Buffer& beside) {
  place_word places[places_on_stack], others[places_on_stack];
  list_places(source, 0, n, bits, mask, places);
  if (!sort_few_by_vectors(places, n, all_of_place, places))
    sort_by_vectors(places, n, all_of_place, places, others, 1);
  const Buffer to = room_to_fetch(source, out, beside);
  put_by_places(source, 0, n, places, to);
  if (to.items != out.items) copy_items(to.source(), n, out);
}

}  // namespace UPSWEEP_NAMESPACE::detail
