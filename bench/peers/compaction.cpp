// Compaction and partition. The loops write every item where it would stand and count on: no jump to guess. That needs
// no more room than there are items.
#include <algorithm>

#include "standard.hpp"

namespace bench::peers {

template <class T>
std::size_t copy_below(way w, input<T> in, T limit, output<T> out) {
  if (w != way::loop)
    return static_cast<std::size_t>(by(w, [&](auto... policy) {
      return std::copy_if(policy..., in.begin(), in.end(), out.begin(), [=](const T& x) { return x < limit; }) -
             out.begin();
    }));
  std::size_t kept = 0;
  for (const T& x : in) {
    out[kept] = x;
    kept += x < limit;
  }
  return kept;
}
std::size_t copy_flagged(input<word> in, input<std::uint8_t> flags, output<word> out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < in.size(); i++) {
    out[kept] = in[i];
    kept += flags[i] != 0;
  }
  return kept;
}
std::size_t nonzero(input<std::uint8_t> flags, output<int> out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < flags.size(); i++) {
    out[kept] = static_cast<int>(i);
    kept += flags[i] != 0;
  }
  return kept;
}
template <class T>
std::size_t unique(way w, input<T> in, output<T> out) {
  if (w != way::loop)
    return static_cast<std::size_t>(by(w, [&](auto... policy) {
      return std::unique_copy(policy..., in.begin(), in.end(), out.begin()) - out.begin();
    }));
  if (in.empty()) return 0;
  std::size_t kept = 0;
  T last = in[0];
  for (const T& x : in) {
    kept += !(x == last);
    out[kept] = last = x;
  }
  return kept + 1;
}
template <class T>
std::size_t run_lengths(input<T> in, output<T> values, output<int> lengths) {
  if (in.empty()) return 0;
  std::size_t run = 0;
  T last = in[0];
  int length = 0;
  for (const T& x : in) {
    const bool same = x == last;
    run += !same;
    length = same ? length + 1 : 1;
    values[run] = last = x;
    lengths[run] = length;
  }
  return run + 1;
}
template <class T>
std::size_t partition_below(way w, input<T> in, T limit, output<T> selected, output<T> rejected) {
  if (w != way::loop)
    return static_cast<std::size_t>(by(w, [&](auto... policy) {
      return std::partition_copy(policy..., in.begin(), in.end(), selected.begin(), rejected.begin(),
                                 [=](const T& x) { return x < limit; })
                 .first -
             selected.begin();
    }));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < in.size(); i++) {
    selected[kept] = rejected[i - kept] = in[i];
    kept += in[i] < limit;
  }
  return kept;
}
template <class T>
std::size_t stable_partition_below(way w, input<T> in, T limit, output<T> out) {
  const auto below = [=](const T& x) { return x < limit; };
  if (w != way::loop) {
    std::copy(in.begin(), in.end(), out.begin());
    return static_cast<std::size_t>(by(w, [&](auto... policy) {
      return std::stable_partition(policy..., out.begin(), out.end(), below) - out.begin();
    }));
  }
  const auto selected = static_cast<std::size_t>(std::count_if(in.begin(), in.end(), below));
  T* to[2] = {out.data() + selected, out.data()};
  for (const T& x : in) *to[below(x)]++ = x;
  return selected;
}
std::array<std::size_t, 2> three_ways(input<word> in, word first, word second, output<word> a, output<word> b,
                                      output<word> c) {
  word* to[] = {a.data(), b.data(), c.data()};
  for (const word x : in) *to[(x >= first) + (x >= second)]++ = x;
  return {static_cast<std::size_t>(to[0] - a.data()), static_cast<std::size_t>(to[1] - b.data())};
}

#define UPSWEEP_PEERS_OF_RUNS(T)                         \
  template std::size_t unique(way, input<T>, output<T>); \
  template std::size_t run_lengths(input<T>, output<T>, output<int>);
#define UPSWEEP_PEERS_OF_ITEMS(T)                                               \
  UPSWEEP_PEERS_OF_RUNS(T)                                                      \
  template std::size_t copy_below(way, input<T>, T, output<T>);                 \
  template std::size_t partition_below(way, input<T>, T, output<T>, output<T>); \
  template std::size_t stable_partition_below(way, input<T>, T, output<T>);
UPSWEEP_PEERS_OF_RUNS(int)
UPSWEEP_PEERS_OF_ITEMS(std::uint8_t)
UPSWEEP_PEERS_OF_ITEMS(std::uint16_t)
UPSWEEP_PEERS_OF_ITEMS(word)
UPSWEEP_PEERS_OF_ITEMS(std::uint64_t)
UPSWEEP_PEERS_OF_ITEMS(numbered)

}  // namespace bench::peers
