// Searches, items by their counts, segments by their numbers.
#include <algorithm>

#include "standard.hpp"

namespace bench::peers {

template <class T>
std::size_t find(way w, input<T> in, T value) {
  return static_cast<std::size_t>(by(w, [&](auto... policy) {
    return std::find_if(policy..., in.begin(), in.end(), [=](T x) { return x == value; }) - in.begin();
  }));
}
template std::size_t find(way, input<std::uint8_t>, std::uint8_t);
template std::size_t find(way, input<int>, int);

template <class T>
std::size_t count(way w, input<T> in, T value) {
  return static_cast<std::size_t>(by(w, [&](auto... policy) {
    return std::count_if(policy..., in.begin(), in.end(), [=](T x) { return x == value; });
  }));
}
template std::size_t count(way, input<std::uint8_t>, std::uint8_t);
template std::size_t count(way, input<int>, int);

template <class T>
std::size_t mismatch(way w, input<T> a, input<T> b) {
  return static_cast<std::size_t>(by(w, [&](auto... policy) {
    return std::mismatch(policy..., a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  }));
}
template std::size_t mismatch(way, input<std::uint8_t>, input<std::uint8_t>);
template std::size_t mismatch(way, input<int>, input<int>);

void expand(input<int> counts, output<int> out) {
  auto to = out.begin();
  for (std::size_t i = 0; i < counts.size(); i++) to = std::fill_n(to, counts[i], static_cast<int>(i));
}
template <class T>
void repeat(input<T> in, input<int> counts, output<T> out) {
  auto to = out.begin();
  for (std::size_t i = 0; i < counts.size(); i++) to = std::fill_n(to, counts[i], in[i]);
}
template void repeat(input<std::uint8_t>, input<int>, output<std::uint8_t>);
template void repeat(input<std::int64_t>, input<int>, output<std::int64_t>);

void allocate(input<int> sizes, output<int> offsets) {
  int sum = 0;
  for (std::size_t i = 0; i < sizes.size(); i++) {
    offsets[i] = sum;
    sum += sizes[i];
  }
}
void ids_of(input<int> offsets, output<int> ids) {
  for (std::size_t s = 0; s + 1 < offsets.size(); s++)
    std::fill(ids.begin() + offsets[s], ids.begin() + offsets[s + 1], static_cast<int>(s));
}
void offsets_of(input<int> ids, output<int> offsets) {
  std::size_t i = 0;
  for (std::size_t s = 0; s < offsets.size(); s++) {
    while (i < ids.size() && ids[i] < static_cast<int>(s)) i++;
    offsets[s] = static_cast<int>(i);
  }
}

}  // namespace bench::peers
