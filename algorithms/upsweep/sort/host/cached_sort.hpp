// Sorts what fits a cache, on one thread: least significant digit first, or a handful of items by comparing each with
// all.
#pragma once
#include <cstdint>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/digits.hpp>

namespace UPSWEEP_NAMESPACE::detail {

inline constexpr index_t most_compared = 8, handful = 64;  // each with each; by vectors

//! Places a few items: each goes behind all that are less, and equal ones that stood before it. No branch depends on a
//! key. (Segments of 3 words on average take 9 ns a key, by a network of 64 words 41, by std::sort 10.7; with values of
//! 4 bytes 13, by vectors 20. One thread of an AMD EPYC, family 25, 2026-11-27.)
template <class Source, class Buffer, class Bits>
void sort_few(const Source& source, index_t n, const Bits& bits, typename Bits::bits_type mask, const Buffer& to) {
  typename Bits::bits_type key[most_compared];
  index_t place[most_compared];
  for (index_t j = 0; j < n; j++) {
    key[j] = bits(source.items[j]) & mask;
    place[j] = j;
    for (index_t i = 0; i < j; i++) {
      const bool is_less = key[j] < key[i];
      place[i] += is_less;
      place[j] -= is_less;
    }
  }
  for (index_t i = 0; i < n; i++) to.put(place[i], source, i);
}

//! The same of up to a handful, by vectors.
template <class Source, class Buffer, class Bits>
void sort_handful(const Source& source, index_t n, const Bits& bits, typename Bits::bits_type mask, const Buffer& to) {
  using U = std::conditional_t<sizeof(mask) == 8, std::uint64_t, std::uint32_t>;
  constexpr index_t lanes = 64 / sizeof(U);
  const index_t filled = (n + lanes - 1) / lanes * lanes;
  U key[handful], place[handful];
  for (index_t i = 0; i < n; i++) key[i] = bits(source.items[i]) & mask;
  for (index_t i = n; i < filled; i++) key[i] = 0;
  // Words come here by some of their bits alone, or where there are no vectors.
  constexpr bool has_versions = Buffer::has_values || !are_words<std::remove_pointer_t<decltype(to.items)>, Bits>;
  with_vectors<has_versions>([&](auto) UPSWEEP_LAMBDA_INLINE {
    for (index_t first = 0; first < filled; first += lanes) {
      U mine[lanes], before[lanes] = {};
      for (index_t l = 0; l < lanes; l++) mine[l] = key[first + l];
      for (index_t j = 0; j < n; j++) {
        const U other = key[j];
        const auto at = static_cast<int>(j - first);
        for (int l = 0; l < lanes; l++)
          before[l] += static_cast<U>((mine[l] > other) | ((mine[l] == other) & (l > at)));
      }
      for (index_t l = 0; l < lanes; l++) place[first + l] = before[l];
    }
  });
  for (index_t i = 0; i < n; i++) to.put(static_cast<index_t>(place[i]), source, i);
}

template <class Item, class Bits>
void count_one(const Item* items, index_t n, digit<Bits> d, std::uint32_t* counts) {
  for (index_t i = 0; i < n; i++) counts[d(items[i])]++;
}
template <class Item, class Bits>
void count_two(const Item* items, index_t n, digit<Bits> d, digit<Bits> e, std::uint32_t* d_counts,
               std::uint32_t* e_counts) {
  for (index_t i = 0; i < n; i++) {
    const auto key = d.bits(items[i]);
    d_counts[d.of(key)]++;
    e_counts[e.of(key)]++;
  }
}

//! Turns counts into the positions where digits start.
inline void start_positions(std::uint32_t* counts, index_t digits) {
  std::uint32_t sum = 0;
  for (index_t d = 0; d < digits; d++) sum += std::exchange(counts[d], sum);
}

template <class Source, class Buffer, class Bits>
void scatter(Source source, index_t n, digit<Bits> d, std::uint32_t* positions, Buffer to) {
  for (index_t i = 0; i < n; i++) to.put(positions[d(source.items[i])]++, source, i);
}

//! Sorts n items by bits [begin, end) into `out`, which may be the source. `spare` holds n items too, and may be the
//! source. There are digit_plan::counters of `counters`.
template <class Source, class Buffer, class Bits>
void sort_in_cache(const Source& source, index_t n, const Bits& bits, int begin, int end, const Buffer& out,
                   const Buffer& spare, std::uint32_t* counters) {
  using U = typename Bits::bits_type;
  const U mask = bits_between<U>(begin, end);
  const bool in_place = lies_in(source, out);
  if (n <= handful) {
    const auto sort = [&](const auto& from) {
      if (n <= most_compared) sort_few(from, n, bits, mask, out);
      else sort_handful(from, n, bits, mask, out);
    };
    if (!in_place) return sort(source);
    copy_items(source, n, spare);
    return sort(spare.source());
  }
  const digit_plan plan(static_cast<U>(differing_bits(source.items, n, bits) & mask), n);
  const index_t digits = index_t{1} << plan.width;
  std::memset(counters, 0, static_cast<std::size_t>(plan.passes * digits) * sizeof(std::uint32_t));
  const auto digit_of = [&](int p) { return digit<Bits>{bits, plan.shift[p], plan.width}; };
  for (int p = 0; p + 1 < plan.passes; p += 2)
    count_two(source.items, n, digit_of(p), digit_of(p + 1), counters + p * digits, counters + (p + 1) * digits);
  if (plan.passes % 2 == 1)
    count_one(source.items, n, digit_of(plan.passes - 1), counters + (plan.passes - 1) * digits);
  for (int p = 0; p < plan.passes; p++) start_positions(counters + p * digits, digits);

  // The passes take turns between the two buffers so that the last one ends in `out`; the first may not write where it
  // reads.
  const auto target = [&](int p) { return (plan.passes - p) % 2 == 1 ? out : spare; };
  const auto pass = [&](const auto& from, int p) { scatter(from, n, digit_of(p), counters + p * digits, target(p)); };
  if (plan.passes == 0) return copy_items(source, n, out);
  if (lies_in(source, target(0))) {
    const Buffer other = in_place ? spare : out;
    copy_items(source, n, other);
    pass(other.source(), 0);
  } else {
    pass(source, 0);
  }
  for (int p = 1; p < plan.passes; p++) pass(target(p - 1).source(), p);
}

}  // namespace UPSWEEP_NAMESPACE::detail
