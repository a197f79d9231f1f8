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

//! Sorts n < 2^32 items by 32 bits into `out`, or into `beside` first if they stand in `out`.
template <class Source, class Buffer, class Bits>
void sort_places(host& executor, const Source& source, index_t n, const Bits& bits, typename Bits::bits_type mask,
                 const Buffer& out, const Buffer& beside) {
  static_assert(sizeof(mask) == 4);
  using word = std::uint64_t;
  const lent_items<word> words(executor.lender(), 2 * n);
  word* const places = words.data();
  for_each_part(executor, n, sizeof(word), [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; i++) places[i] = word{bits(source.items[i]) & mask} << 32 | static_cast<word>(i);
  });
  const ordered_bits<key_image<word>, word> all{{}, 0, ~word{}};
  const bool parallel = static_cast<std::size_t>(n) * sizeof(word) >= parallel_bytes;
  sort_by_vectors(places, n, all, places, places + n, parallel ? executor.threads() : 1);
  const Buffer& to = lies_in(source, out) ? beside : out;
  for_each_part(executor, n, sizeof(word), [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; i++) to.put(i, source, static_cast<index_t>(places[i] & 0xffffffff));
  });
  if (to.items != out.items) copy_items(to.source(), n, out);
}

}  // namespace UPSWEEP_NAMESPACE::detail
