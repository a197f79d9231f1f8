// More than 2^32 items, checked on the device against closed forms. Needs 13 GiB of device memory.
#include <cstdint>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "support.hpp"

using upsweep::buffer;
using upsweep::index_t;

namespace {
constexpr index_t n = (index_t{1} << 32) + 5;

struct low_byte {
  UPSWEEP_HD std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i); }
};
struct sum_of_low_bytes {  // 0 + 1 + … + 255 is 128 mod 256
  UPSWEEP_HD std::uint8_t operator()(index_t i) const {
    const index_t r = i % 256;
    return static_cast<std::uint8_t>(i / 256 * 128 + r * (r + 1) / 2);
  }
};
struct is_small {
  UPSWEEP_HD bool operator()(std::uint8_t x) const { return x < 100; }
};
struct hundredth {  // the j-th of the small ones
  UPSWEEP_HD std::uint8_t operator()(index_t j) const { return static_cast<std::uint8_t>(j % 100); }
};
struct untouched {
  UPSWEEP_HD std::uint8_t operator()(index_t) const { return 0xEE; }
};
}  // namespace

TEST_CASE("2^32 + 5 bytes are scanned, reduced and compacted") {
  if (test::without_device()) return;
  if (test::without_memory_of(13)) return;
  upsweep::device executor;
  buffer<std::uint8_t> in(executor, n), out(executor, n);
  test::fill(executor.stream(), in.data(), n, low_byte{});

  upsweep::inclusive_scan(executor, in, out);
  test::check_on_device(executor, out.data(), n, sum_of_low_bytes{});

  constexpr std::int64_t rounds = n / 256, rest = n % 256;
  CHECK(upsweep::reduce(executor, in, upsweep::plus<std::int64_t>{}) == rounds * 32'640 + rest * (rest - 1) / 2);

  MUST(cudaMemsetAsync(out.data(), 0xEE, static_cast<std::size_t>(n), executor.stream()));
  const index_t kept = upsweep::copy_if(executor, in, out, is_small{});
  REQUIRE(kept == rounds * 100 + rest);
  test::check_on_device(executor, out.data(), kept, hundredth{});
  test::check_on_device(executor, out.data() + kept, n - kept, untouched{});
}
