// Sorts: the standard's, Highway's vqsort, Boost.Sort's.
#include <algorithm>
#include <type_traits>
#if __has_include(<boost/sort/block_indirect_sort/block_indirect_sort.hpp>)
#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>
#define PEERS_HAVE_BOOST 1
#endif

#include "standard.hpp"
#ifdef PEERS_HAVE_VQSORT
#include "vqsort.hpp"
#endif

namespace bench::peers {

namespace {
template <class T, class Less>
std::vector<sort<T>> by_comparison(int threads, Less less) {
  std::vector<sort<T>> found{{"std::sort", [=](T* first, T* last) { std::sort(first, last, less); }}};
  if (threads > 1 && has_parallel())
    found.push_back({"std::sort(par)", [=](T* first, T* last) {
                       by(way::parallel, [=](auto... policy) { std::sort(policy..., first, last, less); });
                     }});
#ifdef PEERS_HAVE_BOOST
  found.push_back({"Boost block_indirect_sort", [=](T* first, T* last) {
                     boost::sort::block_indirect_sort(first, last, less, static_cast<std::uint32_t>(threads));
                   }});
#endif
  return found;
}
}  // namespace

template <class T>
std::vector<sort<T>> sorts(int threads) {
  auto found = by_comparison<T>(threads, std::less<>{});
#ifdef PEERS_HAVE_VQSORT
  if constexpr (sizeof(T) > 1) found.push_back({vqsort::name(), vqsort::sort<T>});  // it has no sort of bytes
#endif
#ifdef PEERS_HAVE_BOOST
  found.push_back({"Boost spreadsort", [](T* first, T* last) {
                     if constexpr (std::is_floating_point_v<T>) boost::sort::spreadsort::float_sort(first, last);
                     else boost::sort::spreadsort::integer_sort(first, last);
                   }});
#endif
  return found;
}
template std::vector<sort<std::int8_t>> sorts(int);
template std::vector<sort<std::uint8_t>> sorts(int);
template std::vector<sort<std::int16_t>> sorts(int);
template std::vector<sort<std::uint16_t>> sorts(int);
template std::vector<sort<std::int32_t>> sorts(int);
template std::vector<sort<std::uint32_t>> sorts(int);
template std::vector<sort<std::int64_t>> sorts(int);
template std::vector<sort<std::uint64_t>> sorts(int);
template std::vector<sort<float>> sorts(int);
template std::vector<sort<double>> sorts(int);

template <int Words>
std::vector<sort<record<Words>>> sorts_of_records(int threads) {
  using T = record<Words>;
  auto found = by_comparison<T>(threads, by_key_of_record{});
#ifdef PEERS_HAVE_VQSORT
  // It sorts pairs of which the key is the upper word: ours in turned order.
  if constexpr (Words == 2)
    found.push_back({vqsort::name() + " of turned words", [](T* first, T* last) {
                       const auto turn = [=] {
                         for (T* item = first; item != last; item++) std::swap(item->key, item->rest[0]);
                       };
                       turn();
                       vqsort::sort_pairs(&first->key, static_cast<std::size_t>(last - first));
                       turn();
                     }});
#endif
#ifdef PEERS_HAVE_BOOST
  found.push_back({"Boost spreadsort", [](T* first, T* last) {
                     boost::sort::spreadsort::integer_sort(
                         first, last, [](const T& item, unsigned by) { return item.key >> by; }, by_key_of_record{});
                   }});
#endif
  return found;
}
template std::vector<sort<record<2>>> sorts_of_records(int);
template std::vector<sort<record<8>>> sorts_of_records(int);

std::vector<sort<word>> sorts_of_segments(int threads, input<int> offsets) {
  using sorter = void (*)(word*, word*);
  const auto serially = [=](word* items, sorter one) {
    for (std::size_t s = 0; s + 1 < offsets.size(); s++) one(items + offsets[s], items + offsets[s + 1]);
  };
  std::vector<sort<word>> found;
  const auto add = [&](const std::string& name, sorter one) {
    found.push_back({name, [=](word* items, word*) { serially(items, one); }});
    if (threads > 1 && has_parallel())
      found.push_back({name + ", std::for_each(par)", [=](word* items, word*) {
                         by(way::parallel, [&](auto... policy) {
                           std::for_each(policy..., offsets.begin(), offsets.end() - 1,
                                         [=](const int& start) { one(items + start, items + *(&start + 1)); });
                         });
                       }});
  };
  add("std::sort of each", [](word* first, word* last) { std::sort(first, last); });
#ifdef PEERS_HAVE_VQSORT
  add(vqsort::name() + " of each", vqsort::sort<word>);
#endif
#ifdef PEERS_HAVE_BOOST
  add("Boost spreadsort of each", [](word* first, word* last) { boost::sort::spreadsort::integer_sort(first, last); });
  constexpr std::size_t long_enough = 1 << 16;  // for all threads at once; shorter ones it sorts by one
  if (threads > 1 && static_cast<std::size_t>(offsets.back()) >= long_enough * (offsets.size() - 1))
    found.push_back({"Boost block_indirect_sort of each", [=](word* items, word*) {
                       for (std::size_t s = 0; s + 1 < offsets.size(); s++)
                         boost::sort::block_indirect_sort(items + offsets[s], items + offsets[s + 1], std::less<>{},
                                                          static_cast<std::uint32_t>(threads));
                     }});
#endif
  return found;
}

}  // namespace bench::peers
