// What a call enqueues, counted in a captured graph: one kernel, no copy, no fill, whatever the size, and beside other
// work too.
#include <cstdint>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "support.hpp"

using test::graph;
using upsweep::buffer;
using upsweep::index_t;

namespace {
using word = std::uint32_t;
struct is_odd {
  UPSWEEP_HD bool operator()(word x) const { return x % 2 != 0; }
};

// Every call that promises a single launch, of n items.
class work {
 public:
  work(upsweep::device& executor, index_t items)
      : n(items),
        in(executor, test::random_integers<word>(n)),
        out(executor, n),
        lengths(executor, n),
        flags(executor, test::random_integers<std::uint8_t>(n, 2)),
        count(executor, 1) {}

  static constexpr int calls = 9;
  std::string call(upsweep::device& executor, int which) {
    switch (which) {
      case 0:
        return upsweep::inclusive_scan(executor, in, out), "inclusive_scan";
      case 1:
        return upsweep::exclusive_scan(executor, in, out), "exclusive_scan";
      case 2:
        return upsweep::inclusive_segmented_scan(executor, in, upsweep::heads(flags), out), "inclusive_segmented_scan";
      case 3:
        return upsweep::inclusive_scan_by_key(executor, flags, in, out), "inclusive_scan_by_key";
      case 4:
        return upsweep::copy_if(executor, in, out, is_odd{}, count.data()), "copy_if";
      case 5:
        return upsweep::copy_flagged(executor, in, flags, out, count.data()), "copy_flagged";
      case 6:
        return upsweep::nonzero(executor, flags, lengths, count.data()), "nonzero";
      case 7:
        return upsweep::unique_copy(executor, in, out, count.data()), "unique_copy";
      default:
        return upsweep::run_length_encode(executor, flags, out, lengths, count.data()), "run_length_encode";
    }
  }

 private:
  index_t n;
  buffer<word> in, out;
  buffer<index_t> lengths;
  buffer<std::uint8_t> flags;
  buffer<index_t> count;
};
}  // namespace

TEST_CASE("scans and compactions are one kernel a call, on an idle GPU and on a busy one") {
  if (test::without_device()) return;
  const test::stream stream, busy;
  upsweep::device executor(stream);
  executor.reserve(8 << 20);
  for (const index_t n : {1, 1000, 100'003, 1 << 20, (1 << 24) + 12345}) {
    work all(executor, n);
    for (int which = 0; which < 2 * work::calls; which++) {
      const bool is_busy = which >= work::calls;
      if (is_busy) test::hold_multiprocessors(busy, executor.multiprocessors() / 2, 5'000'000);
      graph captured(stream);
      const std::string name = all.call(executor, which % work::calls);
      captured.finish();
      INFO(name << " of " << n << " items" << (is_busy ? ", beside other work" : ""));
      CHECK(captured.nodes() == std::vector{cudaGraphNodeTypeKernel});
      captured.replay();
      test::wait_at_most(stream, std::chrono::seconds(20), name.c_str());
    }
    MUST(cudaStreamSynchronize(busy));
  }
}
