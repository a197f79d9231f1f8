// Sorts: the standard's, Highway's vqsort, Boost.Sort's.
#include <algorithm>
#include <chrono>
#include <type_traits>
#ifdef PEERS_HAVE_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>
#endif
#if __has_include(<boost/sort/block_indirect_sort/block_indirect_sort.hpp>)
#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <boost/sort/spreadsort/integer_sort.hpp>
#define PEERS_HAVE_BOOST 1
#endif

#include "standard.hpp"

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

#ifdef PEERS_HAVE_VQSORT
#ifdef HWY_ARCH_X86
// On some chips (Zen 4) its code for AVX-512 is ten times slower than that for AVX2, and it does not know:
// version 1.0.3. The faster one counts.
bool wants_avx2() {
  constexpr std::int64_t wider = HWY_AVX3 | HWY_AVX3_DL;
  const std::int64_t all = hwy::SupportedTargets();
  if ((all & wider) == 0) return false;
  const auto seconds_by = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
      std::vector<word> items(1 << 16);
      for (std::size_t i = 0; i < items.size(); i++)
        items[i] = static_cast<word>(random_bits(1, static_cast<index_t>(i)));
      const auto start = std::chrono::steady_clock::now();
      hwy::Sorter()(items.data(), items.size(), hwy::SortAscending());
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
  };
  const double as_it_comes = seconds_by(all), narrower = seconds_by(all & ~wider);
  if (as_it_comes <= narrower) hwy::SetSupportedTargetsForTest(all);
  return narrower < as_it_comes;
}
#else
bool wants_avx2() { return false; }
#endif
const std::string& name_of_vqsort() {
  static const std::string name = wants_avx2() ? "vqsort by AVX2" : "vqsort";
  return name;
}
const hwy::Sorter& vqsort() {
  static const hwy::Sorter sorter;
  return sorter;
}
#endif
template <class T>
constexpr bool vqsort_takes = sizeof(T) > 1;  // it has no sort of bytes

template <class T>
void sort_by_vqsort([[maybe_unused]] T* first, [[maybe_unused]] T* last) {
#ifdef PEERS_HAVE_VQSORT
  vqsort()(first, static_cast<std::size_t>(last - first), hwy::SortAscending());
#endif
}
}  // namespace

template <class T>
std::vector<sort<T>> sorts(int threads) {
  auto found = by_comparison<T>(threads, std::less<>{});
#ifdef PEERS_HAVE_VQSORT
  if constexpr (vqsort_takes<T>) found.push_back({name_of_vqsort(), sort_by_vqsort<T>});
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
  if constexpr (Words == 2) {
    static_assert(sizeof(hwy::K64V64) == sizeof(T));
    found.push_back({name_of_vqsort() + " of turned words", [](T* first, T* last) {
                       const auto turn = [=] {
                         for (T* item = first; item != last; item++) std::swap(item->key, item->rest[0]);
                       };
                       turn();
                       vqsort()(reinterpret_cast<hwy::K64V64*>(first), static_cast<std::size_t>(last - first),
                                hwy::SortAscending());
                       turn();
                     }});
  }
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
  add(name_of_vqsort() + " of each", sort_by_vqsort<word>);
#endif
  return found;
}

}  // namespace bench::peers
