// Scans in shared memory by an access pattern, on both backends: blocks on their own, and all items by block sums.
#include <cstdint>
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

//! f(executor, pattern<P>{}) for every pattern, and on a GPU for the shuffles beside them.
template <class F>
void with_patterns(const F& f) {
  const auto with = [&](auto& executor) {
    f(executor, pattern<classic::connection_machine>{});
    f(executor, pattern<unpadded>{});
    f(executor, pattern<padded>{});
    f(executor, pattern<classic::left_right>{});
  };
  test::on_hosts(with);
  test::on_device(with);
#if UPSWEEP_HAS_CUDA
  test::on_device([&](auto& executor) { f(executor, pattern<classic::warp_shuffles>{}); });
#endif
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
