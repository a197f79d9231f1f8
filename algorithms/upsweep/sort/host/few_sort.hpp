// Keys of a few values, sorted by counting them: one read of all, and one write. 2^22 of 4 bytes, of 1, 5, 16, 24 and
// 32 values, take one thread 1.2, 1.8, 2.3, 3.1 and 4.3 ms, and split as others are 1.95, 3.9, 4.8, 5.4 and 6.1; of 16
// values two threads take 1.2 for 3.4. 2^13 of 20 values take 8.3 us, split 7.9. (An Intel Xeon with AVX-512, L2 2 MiB,
// beside other work, 2026-11-26.)
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include <upsweep/atomic.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/sort/host/few_values.hpp>
#include <upsweep/sort/host/parts.hpp>
#include <upsweep/sort/host/vector_steps.hpp>
#include <upsweep/sort/host/word_translation.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Sorts whole keys of 4 or 8 bytes into `out`, which may be where they stand. False, and nothing written, if they are
//! few, or have many values.
template <class Item, class Bits>
bool sort_few_values([[maybe_unused]] const host& executor, [[maybe_unused]] const Item* keys,
                     [[maybe_unused]] index_t n, [[maybe_unused]] const Bits& bits, [[maybe_unused]] Item* out) {
#if UPSWEEP_X86_VERSIONS
  using translation = word_translation<Item, Bits>;
  using Word = typename translation::Word;
  constexpr index_t least = 16384;
  const vector_steps<Word> steps;
  const auto* const in = reinterpret_cast<const Word*>(keys);  // as they stand
  if (n < least || !steps.have_few(in, n)) return false;

  const index_t parts = threads_for(static_cast<std::size_t>(n) * sizeof(Item), executor.threads());
  std::vector<std::vector<equal_words<Word>>> of_parts(static_cast<std::size_t>(parts));
  const auto begin = [&](index_t part) { return n * part / parts; };
  atomic<bool> few(true);
  share_out(executor.threads(), parts, [&](index_t part) {
    const index_t count = begin(part + 1) - begin(part);
    if (!steps.count_few(in + begin(part), count, of_parts[static_cast<std::size_t>(part)])) few.set(false);
  });
  if (!few.get()) return false;

  const translation translate(bits);
  std::vector<equal_words<Word>> all;  // some of them of one value, side by side
  for (const auto& of_part : of_parts)
    for (const auto& [value, count] : of_part)
      all.push_back({translate.word_of(__builtin_bit_cast(Item, value)), count});
  sort_by_value(all);
  for_each_part(executor, n, sizeof(Item), [&](index_t first, index_t last) {
    index_t at = 0;
    for (const auto& [word, count] : all) {
      const index_t from = std::clamp(at, first, last);
      at += count;
      translate.fill(out + from, std::clamp(at, first, last) - from, word);
    }
  });
  return true;
#else
  return false;
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail
