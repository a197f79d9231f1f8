// Where each number's items begin among sorted keys: rows or segments from the numbers of their items.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/expand/host/run_bits.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! Sorted keys, of which the lowest `shift` bits are not the number's.
template <class Key>
struct numbered_keys {
  const Key* keys;
  index_t count;
  int shift;

  UPSWEEP_HD bool is_below(index_t at, index_t number) const {
    constexpr int bits = 8 * static_cast<int>(sizeof(Key));
    return static_cast<index_t>(shift < bits ? static_cast<Key>(keys[at] >> shift) : Key{}) < number;
  }
  //! The first key of such a number or a greater one in [from, to), or `to`.
  UPSWEEP_HD index_t first(index_t number, index_t from, index_t to) const {
    while (from < to) {
      const index_t middle = from + (to - from) / 2;
      if (is_below(middle, number)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
  //! The same from `from` on, where what is looked for is near: steps that double.
  index_t next(index_t number, index_t from) const {
    index_t step = 1;
    for (; from + step <= count && is_below(from + step - 1, number); step *= 2) from += step;
    return first(number, from, std::min(from + step - 1, count));
  }
};
template <class Key, class Offset>
struct write_offset {
  numbered_keys<Key> keys;
  Offset* offsets;
  UPSWEEP_HD void operator()(index_t s) const { offsets[s] = static_cast<Offset>(keys.first(s, 0, keys.count)); }
};

//! offsets[s] = how many keys have numbers less than s.
template <class Executor, class Key, class Offset>
void write_offsets(Executor& executor, const named_range<Key>& sorted, int shift, const named_range<Offset>& offsets) {
  using key = std::remove_const_t<Key>;
  const numbered_keys<key> keys{sorted.data, sorted.size, shift};
  run_on_backend(executor, [&](auto& chosen) {
    if constexpr (std::is_same_v<decltype(chosen), host&>) {
      constexpr index_t part = 4096;
      constexpr std::size_t most_asked_for = 1024;  // of longer segments a search reads a few lines only
      for_each_index(
          chosen, (offsets.size + part - 1) / part,
          [&](index_t k) {
            index_t at = keys.first(k * part, 0, keys.count);
            for (index_t s = k * part; s < std::min((k + 1) * part, offsets.size); s++) {
              const index_t from = std::exchange(at, keys.next(s, at));
              offsets.data[s] = static_cast<Offset>(at);
              // Searches jump, so the processor does not see what comes: of the keys further on as many as were passed.
              ask_for(keys.keys + from, std::min(static_cast<std::size_t>(at - from) * sizeof(key), most_asked_for),
                      bytes_ahead<key>(at, keys.count));
            }
          },
          1);
    } else {
      for_each_index(chosen, offsets.size, write_offset<key, Offset>{keys, offsets.data});
    }
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
