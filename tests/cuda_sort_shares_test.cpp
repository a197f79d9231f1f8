// quicksort on a GPU at the ends of its ways: one CTA, ranks, shares of a grid by each plan, splits. Inputs that are
// hard to share out, and a captured graph.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "cuda_support.hpp"
#include "quicksort_support.hpp"

using test::by_key;
using test::by_value;
using test::check_same_bits;
using test::guarded;
using test::record;
using upsweep::index_t;
using upsweep::quicksort;

namespace {
template <class T, class Less>
std::vector<index_t> ends_of_ways() {
  using ways = upsweep::detail::device_sort<T, upsweep::detail::is_before<Less>>;
  constexpr index_t most_ranked =
      index_t{upsweep::gpu::tuning::ranked_ctas} * upsweep::gpu::tuning::most_ranked_in_piece;
  std::vector<index_t> ends = {ways::few::tile, most_ranked, ways::unit::tile};
  const auto add = [&](const auto& plans, int tile) {
    for (const auto& plan : plans) {
      index_t n = index_t{plan.ctas} * tile;
      while (n > 1 && !upsweep::gpu::shares_fit(n, plan, tile)) n--;
      if (n > 1) ends.push_back(n);
      ends.push_back(index_t{4} * plan.ctas << plan.sample_bits);  // from where on samples are few
    }
  };
  add(upsweep::gpu::tuning::cluster_plans, ways::few::tile);
  add(upsweep::gpu::tuning::few_share_plans, ways::few::tile);
  add(upsweep::gpu::tuning::share_plans, ways::share::tile);
  return ends;
}

template <class T, class Less>
void check(upsweep::device& executor, const std::vector<T>& items, const Less& less) {
  test::check_sort_on(executor, items, less, oracle::stable_sort(items, less));
}
template <class T, class Less>
void check_ends(upsweep::device& executor, const Less& less) {
  for (const index_t end : ends_of_ways<T, Less>())
    for (const index_t n : {end - 1, end, end + 1}) {
      INFO("n = " << n << " of " << sizeof(T) << " bytes");
      check(executor, test::any_bits<T>(n), less);
    }
}
}  // namespace

TEST_CASE("a GPU sorts by a comparator at the ends of every way to do it") {
  if (test::without_device()) return;
  upsweep::device executor;
  check_ends<std::uint32_t>(executor, by_value{});
  check_ends<std::uint8_t>(executor, by_value{});
  check_ends<std::uint64_t>(executor, by_value{});
  check_ends<record<2 + 4>>(executor, by_key{});
  check_ends<record<16>>(executor, by_key{});
  check_ends<record<32>>(executor, by_key{});
  check_ends<record<64>>(executor, by_key{});
}

TEST_CASE("shares are as large as they may be, whatever the items are") {
  if (test::without_device()) return;
  struct input {
    const char* name;
    std::function<index_t(index_t i, index_t n, index_t piece)> item;
  };
  const std::vector<input> inputs = {
      {"all pieces the same", [](index_t i, index_t, index_t piece) { return i % piece; }},
      {"all pieces the same, descending", [](index_t i, index_t, index_t piece) { return piece - i % piece; }},
      {"each piece twice", [](index_t i, index_t, index_t piece) { return i % piece + i / (2 * piece) * 7; }},
      {"piece by piece apart", [](index_t i, index_t n, index_t piece) { return n - i / piece * piece + i % piece; }},
      {"few in half of the pieces",
       [](index_t i, index_t, index_t piece) { return i / piece % 2 ? i % 7 : i % piece * 31; }},
      {"ascending", [](index_t i, index_t, index_t) { return i; }},
      {"descending", [](index_t i, index_t n, index_t) { return n - i; }},
      {"all equal", [](index_t, index_t, index_t) { return index_t{7}; }}};
  upsweep::device executor;
  for (const index_t n : {1100, 4099, 7000, 20'011, 60'000, 200'003, 700'001, 1'000'001})
    for (const index_t ctas : {16, 32, 64, 128})
      for (const input& of : inputs) {
        INFO("n = " << n << ", " << of.name << ", " << ctas << " pieces");
        std::vector<std::uint32_t> items(oracle::at(n));
        for (index_t i = 0; i < n; i++)
          items[oracle::at(i)] = static_cast<std::uint32_t>(of.item(i, n, n / ctas + (n % ctas > 0)));
        check(executor, items, by_value{});
      }
}

TEST_CASE("a captured sort by a comparator can be replayed") {
  if (test::without_device()) return;
  upsweep::device executor;
  for (const index_t n : {1000, 5000, 30'011, 100'003, 2'000'003}) {
    INFO("n = " << n);
    guarded<std::uint32_t> items(executor, std::vector<std::uint32_t>(oracle::at(n)));
    quicksort(executor, items.range(), by_value{});  // takes the memory
    test::graph captured(executor.stream());
    quicksort(executor, items.range(), by_value{});
    captured.finish();
    test::replay_on_random(captured, executor, items, n, [&](const std::vector<std::uint32_t>& in) {
      check_same_bits(items.items(executor), oracle::stable_sort(in, by_value{}));
    });
  }
}
