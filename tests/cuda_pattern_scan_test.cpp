// Scans in shared memory by an access pattern, and the ladder's of any length, on the GPU alone: the largest blocks,
// and more items than 2^28.
#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/classic/block_sums.hpp>
#include <upsweep/classic/look_back.hpp>
#include <upsweep/classic/pattern_scan.hpp>
#include <upsweep/classic/reduce_then_scan.hpp>

#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

namespace classic = upsweep::classic;
using test::guarded;
using upsweep::index_t;

namespace {
template <class Pattern>
struct pattern {
  using type = Pattern;
};
template <class F>
void for_each_pattern(const F& f) {
  f(pattern<classic::connection_machine>{});
  f(pattern<classic::right_sums<classic::no_padding>>{});
  f(pattern<classic::right_sums<classic::padding>>{});
  f(pattern<classic::left_right>{});
  f(pattern<classic::warp_shuffles>{});
}

struct one {
  UPSWEEP_HD std::int32_t operator()(index_t) const { return 1; }
};
struct own_index {
  UPSWEEP_HD std::int32_t operator()(index_t i) const { return static_cast<std::int32_t>(i); }
};
struct next_index {
  UPSWEEP_HD std::int32_t operator()(index_t i) const { return static_cast<std::int32_t>(i + 1); }
};
}  // namespace

TEST_CASE("the largest blocks that shared memory holds, and one that it does not") {
  if (test::without_device()) return;
  upsweep::device executor;
  const index_t n = 300'007;
  const auto in = test::random_integers<std::int32_t>(n);
  const upsweep::plus<std::int32_t> m;
  guarded<std::int32_t> from(executor, in), to(executor, n);
  for_each_pattern([&]<class Pattern>(pattern<Pattern>) {
    const index_t block = classic::largest_block<Pattern, std::int32_t>(executor);
    INFO("blocks of " << block);
    CHECK(block >= 4096);
    classic::scan_blocks<Pattern>(executor, from.range(), to.range(), block, m);
    test::check_equal(to.items(executor), oracle::exclusive_scan(in, m, oracle::segments_of_rows(n, block), {}, false));
    test::check_refused([&] { classic::scan_blocks<Pattern>(executor, from.range(), to.range(), block + 1, m); },
                        "block is " + std::to_string(block + 1), "shared memory");
  });
}

TEST_CASE("2^28 + 3 items by block sums") {
  if (test::without_device() || test::without_memory_of(3)) return;
  upsweep::device executor;
  const index_t n = (index_t{1} << 28) + 3;
  upsweep::buffer<std::int32_t> in(executor, n), out(executor, n);
  test::fill(executor.stream(), in.data(), n, one{});
  for_each_pattern([&]<class Pattern>(pattern<Pattern>) {
    test::fill(executor.stream(), out.data(), n, one{});
    classic::scan_by_blocks<Pattern>(executor, in, out, 2048, upsweep::plus<std::int32_t>{});
    test::check_on_device(executor, out.data(), n, own_index{});
  });
}

TEST_CASE("2^28 + 3 items by the rungs that take any number") {
  if (test::without_device() || test::without_memory_of(3)) return;
  upsweep::device executor;
  const index_t n = (index_t{1} << 28) + 3;
  upsweep::buffer<std::int32_t> in(executor, n), out(executor, n);
  test::fill(executor.stream(), in.data(), n, one{});
  const auto check = [&](const char* name, const auto& expected, const auto& scan) {
    INFO(name);
    test::fill(executor.stream(), out.data(), n, one{});
    scan();
    test::check_on_device(executor, out.data(), n, expected);
  };
  check("trees", next_index{}, [&] { classic::block_sums<classic::trees>(executor, in, out); });
  check("padded trees", next_index{}, [&] { classic::block_sums<classic::padded_trees>(executor, in, out); });
  check("shuffles", next_index{}, [&] { classic::block_sums<classic::shuffles>(executor, in, out); });
  check("exclusive", own_index{}, [&] { classic::exclusive_block_sums<classic::shuffles>(executor, in, out); });
  check("reduce, then scan", next_index{}, [&] { classic::reduce_then_scan(executor, in, out); });
  check("look back", next_index{}, [&] { classic::look_back(executor, in, out); });
}
