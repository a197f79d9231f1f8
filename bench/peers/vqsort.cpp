#include "vqsort.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

namespace bench::peers::vqsort {

namespace {
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
      std::vector<std::uint32_t> items(1 << 16);
      std::generate(items.begin(), items.end(), std::mt19937());
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
const hwy::Sorter& sorter() {
  static const hwy::Sorter sorter;
  return sorter;
}
}  // namespace

const std::string& name() {
  static const std::string name = wants_avx2() ? "vqsort by AVX2" : "vqsort";
  return name;
}

template <class T>
void sort(T* first, T* last) {
  sorter()(first, static_cast<std::size_t>(last - first), hwy::SortAscending());
}
template void sort(std::int16_t*, std::int16_t*);
template void sort(std::uint16_t*, std::uint16_t*);
template void sort(std::int32_t*, std::int32_t*);
template void sort(std::uint32_t*, std::uint32_t*);
template void sort(std::int64_t*, std::int64_t*);
template void sort(std::uint64_t*, std::uint64_t*);
template void sort(float*, float*);
template void sort(double*, double*);

void sort_pairs(std::uint64_t* words, std::size_t pairs) {
  static_assert(sizeof(hwy::K64V64) == 2 * sizeof(std::uint64_t));
  sorter()(reinterpret_cast<hwy::K64V64*>(words), pairs, hwy::SortAscending());
}

}  // namespace bench::peers::vqsort
