// Scans in shared memory by an access pattern, on both backends: blocks on their own, and all items by block sums.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/classic/pattern_scan.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

namespace classic = upsweep::classic;
using classic::prefixes;
using test::guarded;
using upsweep::index_t;

namespace {
using unpadded = classic::right_sums<classic::no_padding>;
using padded = classic::right_sums<classic::padding>;

template <class Pattern>
struct pattern {
  using type = Pattern;
};

//! f(pattern<P>{}) for every pattern, and on a GPU for the shuffles beside them.
template <class Executor, class F>
void for_each_pattern(const Executor&, const F& f) {
  f(pattern<classic::connection_machine>{});
  f(pattern<unpadded>{});
  f(pattern<padded>{});
  f(pattern<classic::left_right>{});
#if UPSWEEP_HAS_CUDA
  if constexpr (std::is_same_v<Executor, upsweep::device>) f(pattern<classic::warp_shuffles>{});
#endif
}
//! f(executor, pattern<P>{})
template <class F>
void with_patterns(const F& f) {
  const auto with = [&](auto& executor) { for_each_pattern(executor, [&](auto its) { f(executor, its); }); };
  test::on_hosts(with);
  test::on_device(with);
}

template <class M, class T>
std::vector<T> expected(const std::vector<T>& in, const M& m, const oracle::bounds& segments, prefixes which) {
  return which == prefixes::inclusive ? oracle::inclusive_scan(in, m, segments)
                                      : oracle::exclusive_scan(in, m, segments, {}, false);
}

//! Blocks on their own and by block sums, exclusive and inclusive, out of place and in place.
template <class T, class M>
void check_all(const std::vector<T>& in, index_t block, const M& m) {
  const index_t n = std::ssize(in);
  for (const prefixes which : {prefixes::exclusive, prefixes::inclusive}) {
    INFO("n = " << n << ", blocks of " << block << (which == prefixes::inclusive ? ", inclusive" : ", exclusive"));
    const auto blocks = expected(in, m, oracle::segments_of_rows(n, block), which);
    const auto whole = expected(in, m, oracle::whole(n), which);
    with_patterns([&]<class Pattern>(auto& executor, pattern<Pattern>) {
      guarded<T> from(executor, in, test::shift_of(n)), to(executor, n, test::shift_of(n, 1));
      classic::scan_blocks<Pattern>(executor, from.range(), to.range(), block, m, which);
      test::check_equal(to.items(executor), blocks);
      if (block > 1) {
        classic::scan_by_blocks<Pattern>(executor, from.range(), from.range(), block, m, which);
        test::check_equal(from.items(executor), whole);
      }
    });
  }
}
}  // namespace

TEST_CASE("blocks by every pattern, of maps that do not commute") {
  for (const index_t block : {1, 2, 3, 31, 32, 33, 64, 1000, 2048})
    for (const index_t n : {0, 1, 2, 31, 32, 33, 1023, 2048, 2049, 10'007})
      check_all(test::random_maps(n), block, test::compose32{});
}

TEST_CASE("all n to 4,100 by every pattern: as one block, and by blocks of 64 and the sums of two levels") {
  constexpr index_t most = 4100;
  const index_t step = test::sanitized_step(41);
  const test::compose32 m;
  const auto all = test::random_maps(most);
  using T = test::compose32::value_type;
  const auto inclusive = oracle::inclusive_scan(all, m), exclusive = oracle::exclusive_scan(all, m);
  const std::vector<T> untouched(static_cast<std::size_t>(most) + 1, T{7, 7});
  const auto check = [&](auto& executor) {
    const upsweep::buffer<T> in(executor, all);
    for_each_pattern(executor, [&]<class Pattern>(pattern<Pattern>) {
      upsweep::buffer<T> out(executor, untouched);
      const auto compare = [&](index_t n, const std::vector<T>& expected) {
        const auto found = out.to_vector(executor);
        const auto differs = std::ranges::mismatch(found, expected).in1 - found.begin();
        INFO("n = " << n << ", prefix " << differs);
        if (differs < n || !(found[static_cast<std::size_t>(n)] == untouched[0])) FAIL("wrong");
      };
      for (index_t n = 0; n <= most; n += n < 70 ? 1 : step) {
        const std::span from(in.data(), static_cast<std::size_t>(n));
        const std::span to(out.data(), static_cast<std::size_t>(n));
        classic::scan_blocks<Pattern>(executor, from, to, n + 1, m);
        compare(n, exclusive);
        classic::scan_by_blocks<Pattern>(executor, from, to, 64, m, prefixes::inclusive);
        compare(n, inclusive);
      }
    });
  };
  test::on_host(1, check);
  test::on_device(check);
}

TEST_CASE("blocks of items of 4 and of 16 bytes") {
  using wide = upsweep::affine<std::uint64_t>;
  for (const index_t block : {32, 100, 4096}) {
    check_all(test::random_integers<std::int32_t>(20'011), block, upsweep::plus<std::int32_t>{});
    check_all(test::generate(5'003,
                             [](test::generator& random) {
                               return upsweep::affine_map<std::uint64_t>{random() | 1, random()};
                             }),
              block, wide{});
  }
}

TEST_CASE("more levels of block sums than one") { check_all(test::random_maps(300'007), 8, test::compose32{}); }

TEST_CASE("blocks that are none are refused") {
  test::on_executors([](auto& executor) {
    upsweep::buffer<int> in(executor, 8), out(executor, 8), few(executor, 7);
    const upsweep::plus<int> m;
    const auto refused = [&](const auto& call, const char* start, const char* part) {
      test::check_refused(call, start, part);
    };
    refused([&] { classic::scan_blocks<unpadded>(executor, in, out, 0, m); }, "block is 0", "must be 1 to");
    refused([&] { classic::scan_by_blocks<unpadded>(executor, in, out, 1, m); }, "block is 1", "must be 2 to");
    refused([&] { classic::scan_blocks<unpadded>(executor, in, few, 4, m); }, "in has 8 items", "out has 7");
  });
}
