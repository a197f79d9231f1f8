// Keys of a few values, sorted by counting them: one read of all, and one write. 2^22 of 4 bytes, of 1, 5, 16, 24 and
// 32 values, take one thread 1.2, 1.8, 2.3, 3.1 and 4.3 ms, and split as others are 1.95, 3.9, 4.8, 5.4 and 6.1; of 16
// values two threads take 1.2 for 3.4. 2^13 of 20 values take 8.3 us, split 7.9. (An Intel Xeon with AVX-512, L2 2 MiB,
// beside other work, 2026-11-26.)
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/job.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/sort/host/few_values.hpp>

namespace UPSWEEP_NAMESPACE::detail {

#if UPSWEEP_X86_VERSIONS
template <int Bytes, class Item, class Bits>
bool sort_few_values_by(const host& executor, const Item* keys, index_t n, const Bits& bits, Item* out) {
  using Word = std::conditional_t<sizeof(Item) == 8, std::int64_t, std::int32_t>;
  using counter = few_values<Word, Bytes>;
  const auto* const in = reinterpret_cast<const Word*>(keys);
  counter sampled;
  if (!sampled.found_in_some(in, n)) return false;
  const index_t parts = threads_for(static_cast<std::size_t>(n) * sizeof(Item), executor.threads());
  std::vector<counter> counters(static_cast<std::size_t>(parts), sampled);
  std::atomic<bool> few = true;
  share_out(executor.threads(), parts, [&](index_t part) {
    const index_t begin = n * part / parts, end = n * (part + 1) / parts;
    if (!counters[static_cast<std::size_t>(part)].count(in + begin, end - begin)) few = false;
  });
  if (!few) return false;
  std::vector<equal_words<Word>> all;  // some of them of one value, side by side
  for (const counter& of_part : counters) of_part.append_to(all);
  const auto key = [&](const auto& equal) { return bits(__builtin_bit_cast(Item, equal.value)); };
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  share_out(executor.threads(), parts, [&](index_t part) {
    const index_t begin = n * part / parts, end = n * (part + 1) / parts;
    index_t at = 0;
    for (const auto& equal : all) {
      const index_t from = std::clamp(at, begin, end);
      at += equal.count;
      counter::fill(reinterpret_cast<Word*>(out) + from, std::clamp(at, begin, end) - from, equal.value);
    }
  });
  return true;
}
#endif

//! Sorts whole keys of 4 or 8 bytes into `out`, which may be where they stand. False, and nothing written, if they are
//! few, or have many values.
template <class Item, class Bits>
bool sort_few_values([[maybe_unused]] const host& executor, [[maybe_unused]] const Item* keys,
                     [[maybe_unused]] index_t n, [[maybe_unused]] const Bits& bits, [[maybe_unused]] Item* out) {
#if UPSWEEP_X86_VERSIONS
  constexpr index_t least = 16384;
  if (n < least) return false;
  return has_vectors_of(64) ? sort_few_values_by<64>(executor, keys, n, bits, out)
                            : sort_few_values_by<32>(executor, keys, n, bits, out);
#else
  return false;
#endif
}

}  // namespace UPSWEEP_NAMESPACE::detail
