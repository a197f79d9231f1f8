// What a host scans one by one, since it is few, is what the front of a long scan gives, to the bit: both are
// combined in the same order. And what it packs, finds or expands in a way of its own, since it is few, is what
// the standard library gives.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/expand.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/search.hpp>

#include "support.hpp"
#include "values.hpp"

using test::index_t;

namespace {
constexpr index_t all = 3000;
const index_t counts[] = {1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 300, 511, 512, 600, 1024};

//! f(in, out) scans; `from_behind`: the last items come first.
template <class Out, class T, class F>
void check_fronts(const std::vector<T>& in, bool from_behind, const F& f) {
  std::vector<Out> whole(in.size());
  f(std::span<const T>(in), std::span<Out>(whole));
  for (const index_t count : counts) {
    INFO(count << (from_behind ? " items, from behind" : " items"));
    const index_t first = from_behind ? all - count : 0;
    std::vector<Out> few(static_cast<std::size_t>(count));
    f(std::span<const T>(in).subspan(static_cast<std::size_t>(first), few.size()), std::span<Out>(few));
    test::check_same_bits(few, std::vector<Out>(whole.begin() + first, whole.begin() + first + count));
  }
}

template <class M>
void check_scans(const std::vector<typename M::value_type>& in, const M& m) {
  using V = typename M::value_type;
  upsweep::host executor(1);
  const auto forward_and_back = [&](const auto& along, bool from_behind) {
    check_fronts<V>(in, from_behind, [&](auto x, auto y) { upsweep::inclusive_scan(executor, x, y, m, along); });
    check_fronts<V>(in, from_behind, [&](auto x, auto y) { upsweep::exclusive_scan(executor, x, y, m, along); });
    check_fronts<V>(in, from_behind, [&](auto x, auto y) { upsweep::exclusive_scan(executor, x, y, m, in[0], along); });
    check_fronts<V>(in, from_behind, [&](auto x, auto y) {
      std::copy(x.begin(), x.end(), y.begin());
      upsweep::inclusive_scan(executor, std::span<const V>(y), y, m, along);
    });
  };
  forward_and_back(upsweep::forward, false);
  forward_and_back(upsweep::reversed, true);

  std::vector<V> sums(in.size());
  upsweep::inclusive_scan(executor, in, sums, m);
  for (const index_t count : counts) {
    INFO("a reduction of " << count);
    const V total = upsweep::reduce(executor, std::span<const V>(in).first(static_cast<std::size_t>(count)), m);
    test::check_same_bits(std::vector<V>{total}, std::vector<V>{sums[static_cast<std::size_t>(count - 1)]});
  }

  // By flags, which lie where the items do.
  std::vector<std::uint8_t> heads(in.size());
  for (std::size_t k = 0; k < heads.size(); k += 3 + k % 41) heads[k] = 1;
  const auto of_items = [&](auto x) {
    return std::span<const std::uint8_t>(heads).subspan(static_cast<std::size_t>(x.data() - in.data()), x.size());
  };
  check_fronts<V>(in, false, [&](auto x, auto y) {
    upsweep::inclusive_segmented_scan(executor, x, upsweep::heads(of_items(x)), y, m);
  });
  check_fronts<V>(in, false, [&](auto x, auto y) {
    upsweep::exclusive_segmented_scan(executor, x, upsweep::heads(of_items(x)), y, m);
  });
  check_fronts<V>(in, true, [&](auto x, auto y) {
    upsweep::inclusive_scan_by_key(executor, of_items(x), x, y, m, upsweep::reversed);
  });
}
}  // namespace

TEST_CASE("few items are scanned as the first of many: sums of floats, and of integers, which vectors fold") {
  check_scans(test::generate(all, [](test::generator& random) { return static_cast<float>(random.unit() - 0.5); }),
              upsweep::plus<float>{});
  check_scans(test::random_integers<std::uint8_t>(all), upsweep::plus<std::uint8_t>{});
  check_scans(test::random_integers<std::int64_t>(all), upsweep::maximum<std::int64_t>{});
}
TEST_CASE("few items are scanned as the first of many: maps of doubles, products and sums in one operator") {
  const auto maps = test::generate(all, [](test::generator& random) {
    return upsweep::affine_map<double>{random.unit() + 0.4, random.unit() - 0.5};
  });
  check_scans(maps, upsweep::affine<double>{});
}
TEST_CASE("few items are scanned as the first of many: maps, which do not commute") {
  check_scans(test::random_maps(all), test::compose32{});
}

TEST_CASE("few items are packed in order, also over themselves, and nothing behind what is kept is written") {
  upsweep::host executor(1);
  for (std::size_t n = 1; n < 70; n++) {
    INFO(n << " items");
    const auto in = test::random_integers<std::uint32_t>(static_cast<index_t>(n), 5, n);
    const auto is_odd = [](std::uint32_t x) { return x % 2 == 1; };
    std::vector<std::uint32_t> odd, even, unique(in);
    std::copy_if(in.begin(), in.end(), std::back_inserter(odd), is_odd);
    std::remove_copy_if(in.begin(), in.end(), std::back_inserter(even), is_odd);
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    const auto check = [](std::vector<std::uint32_t> expected, const std::vector<std::uint32_t>& out, index_t count) {
      CHECK(static_cast<std::size_t>(count) == expected.size());
      expected.resize(out.size(), 77);
      CHECK(out == expected);
    };
    std::vector<std::uint32_t> out(n, 77), rest(n, 77), same(in);
    check(odd, out, upsweep::copy_if(executor, in, out, is_odd));
    std::fill(out.begin(), out.end(), 77);
    const index_t count = upsweep::partition_copy(executor, in, out, rest, is_odd);
    check(odd, out, count);
    check(even, rest, static_cast<index_t>(n) - count);
    std::fill(out.begin(), out.end(), 77);
    check(unique, out, upsweep::unique_copy(executor, in, out));
    const auto kept = static_cast<std::size_t>(upsweep::unique_copy(executor, same, same));
    same.resize(kept);
    CHECK(same == unique);
  }
}

TEST_CASE("the first of few items is found, wherever it is") {
  upsweep::host executor(1);
  for (const std::size_t n : {1, 15, 16, 17, 79, 80, 81, 95, 96, 97, 150, 300})
    for (std::size_t first = 0; first <= n; first++) {
      std::vector<std::uint8_t> items(n);
      for (std::size_t k = first; k < n; k += 5) items[k] = 1;
      const auto found = upsweep::find_if(executor, items, [](std::uint8_t x) { return x != 0; });
      CHECK(found == static_cast<index_t>(first));
    }
}

TEST_CASE("few runs are written one by one, many of them or of their items otherwise, as far as there is room") {
  upsweep::host executor(1);
  for (const index_t runs : {1, 2, 63, 64, 65, 200})
    for (const std::uint64_t below : {2, 16, 17, 18, 40}) {
      INFO(runs << " runs of fewer than " << below << " items");
      auto lengths = test::random_integers<int>(runs, below);
      std::vector<int> expected;
      for (std::size_t k = 0; k < lengths.size(); k++)
        expected.insert(expected.end(), static_cast<std::size_t>(lengths[k]), static_cast<int>(k));
      const auto total = static_cast<index_t>(expected.size());
      for (const std::size_t room : {expected.size() + 3, expected.size(), expected.size() / 2, std::size_t{0}}) {
        auto right = expected;
        right.resize(room, 77);
        std::fill(right.begin() + std::min<index_t>(total, static_cast<index_t>(room)), right.end(), 77);
        std::vector<int> out(room, 77);
        index_t found = -5;
        upsweep::expand(executor, lengths, out, &found);
        CHECK(found == total);
        CHECK(out == right);
      }
      lengths.back() = -1;
      std::vector<int> out(expected.size() + 3, 77);
      index_t found = -5;
      upsweep::expand(executor, lengths, out, &found);
      CHECK(found == -1);
      CHECK(out == std::vector<int>(out.size(), 77));
    }
}
