// Sizes where the host's code changes: outputs of 16 MiB, from which on stores pass the caches by; 2^26 items, where
// every number of threads has many tiles; more than 2^32 items, against closed forms.
#include <cstdint>
#include <cstring>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/filter_design.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/linear_recurrence.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "host_memory.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using test::check_same_bits;
using upsweep::index_t;

namespace {
constexpr index_t beyond = (index_t{1} << 32) + 5;
constexpr index_t rounds = beyond / 256, rest = beyond % 256;

//! items[i] = expected(i), which has that period: the first ones one by one, all others with those before them.
template <class Expected>
void check_periodic(const std::uint8_t* items, index_t n, index_t period, const Expected& expected) {
  for (index_t i = 0; i < period; i++) REQUIRE(items[i] == static_cast<std::uint8_t>(expected(i)));
  REQUIRE(std::memcmp(items, items + period, static_cast<std::size_t>(n - period)) == 0);
}
constexpr auto is_small = [](std::uint8_t x) { return x < 100; };  // no function, which would be called for each
}  // namespace

TEST_CASE("2^32 + 5 bytes are compacted, partitioned, reduced, counted, sorted and scanned on a host") {
  if (test::without_host_memory_of(14)) return;
  upsweep::host executor(2);
  upsweep::buffer<std::uint8_t> items(executor, beyond), out(executor, beyond);
  for (index_t i = 0; i < beyond; i++) items.data()[i] = static_cast<std::uint8_t>(i);

  constexpr index_t small = rounds * 100 + rest;
  REQUIRE(upsweep::copy_if(executor, items, out, is_small) == small);
  check_periodic(out.data(), small, 100, [](index_t j) { return j; });

  REQUIRE(upsweep::stable_partition_copy(executor, items, out, is_small) == small);
  check_periodic(out.data(), small, 100, [](index_t j) { return j; });
  check_periodic(out.data() + small, beyond - small, 156, [](index_t j) { return 100 + j; });

  CHECK(upsweep::reduce(executor, items, upsweep::plus<std::int64_t>{}) == rounds * 32'640 + rest * (rest - 1) / 2);

  std::vector<std::int64_t> counts(256);
  upsweep::histogram(executor, items, counts);
  for (std::size_t v = 0; v < counts.size(); v++) CHECK(counts[v] == rounds + (static_cast<index_t>(v) < rest));

  upsweep::radix_sort(executor, items, out);
  const std::uint8_t* run = out.data();
  for (const std::int64_t count : counts) {
    check_periodic(run, count, 1, [&](index_t) { return (run - out.data()) / rounds; });
    run += count;
  }

  upsweep::inclusive_scan(executor, items, items);
  check_periodic(items.data(), beyond, 512, [](index_t i) {  // 0 + 1 + … + 255 is 128 mod 256
    const index_t r = i % 256;
    return i / 256 * 128 + r * (r + 1) / 2;
  });
}

TEST_CASE("outputs around the size from which stores pass the caches by") {
  using word = std::uint32_t;
  constexpr index_t streamed = (index_t{16} << 20) / sizeof(word);
  for (const index_t n : {streamed - 1, streamed, streamed + 1, streamed + 12'345}) {
    const auto in = test::random_integers<word>(n);
    const auto sums = oracle::inclusive_scan(in, upsweep::plus<word>{});
    std::vector<word> odd, even;
    for (const word x : in) (x % 2 ? odd : even).push_back(x);
    auto parted = odd;
    parted.insert(parted.end(), even.begin(), even.end());
    for (const int threads : {1, 3})
      test::on_host(threads, [&](auto& executor) {
        INFO("n = " << n);
        const index_t shift = test::shift_of(n, threads);
        test::guarded<word> from(executor, in, shift), to(executor, n, shift / 2);
        const auto is_odd = [](word x) { return x % 2 != 0; };
        upsweep::inclusive_scan(executor, from.range(), to.range());
        check_equal(to.items(executor), sums);
        REQUIRE(upsweep::stable_partition_copy(executor, from.range(), to.range(), is_odd) == oracle::size(odd));
        check_equal(to.items(executor), parted);
        test::guarded<word> kept(executor, n, shift);
        REQUIRE(upsweep::copy_if(executor, from.range(), kept.range(), is_odd) == oracle::size(odd));
        check_equal(kept.items(executor, oracle::size(odd)), odd);
      });
  }
}

TEST_CASE("2^26 floats: any number of threads gives the same bits") {
  constexpr index_t n = index_t{1} << (test::sanitized ? 20 : 26);
  const auto in = test::generate(n, [](test::generator& random) {
    return static_cast<float>((random.unit() - 0.5) * static_cast<double>(1 + random.below(4096)));
  });
  const auto sections = upsweep::butterworth_lowpass(4, 0.01, 1);
  std::vector<float> scanned(in.size()), filtered(in.size()), recurred(in.size()), out(in.size());
  const std::vector<float> decay(in.size(), 0.75f);
  float sum = 0;
  const auto same = [&](std::vector<float>& first, int threads) {
    if (threads == 1) first.swap(out);
    else check_same_bits(out, first);
  };
  for (const int threads : test::thread_counts) {
    INFO(threads << " threads");
    upsweep::host executor(threads);
    upsweep::inclusive_scan(executor, in, out);
    same(scanned, threads);
    upsweep::sosfilt(executor, sections, in, out);
    same(filtered, threads);
    upsweep::linear_recurrence(executor, decay, in, out);
    same(recurred, threads);
    const float again = upsweep::reduce(executor, in);
    if (threads == 1) sum = again;
    else check_same_bits(std::vector{again}, std::vector{sum});
  }
}
