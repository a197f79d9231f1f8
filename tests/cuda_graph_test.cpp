// Sweeps in captured CUDA graphs: replayed over changing input, beside direct calls; and what cannot be captured.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/compaction.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

#include "cuda_support.hpp"
#include "filter_instances.hpp"
#include "matrices.hpp"
#include "oracle.hpp"
#include "spmv_support.hpp"
#include "support.hpp"

using test::contains;
using test::graph;
using test::guarded;
using test::message_of;
using upsweep::index_t;

namespace {
struct is_odd {
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

// A scan and a copy_if, captured once, replayed over other input each time.
void check_replays(upsweep::device& executor, index_t n) {
  guarded<std::uint32_t> from(executor, std::vector<std::uint32_t>(oracle::at(n))), sums(executor, n),
      kept(executor, n);
  guarded<index_t> count(executor, 1);
  graph captured(executor.stream());
  upsweep::inclusive_scan(executor, from.range(), sums.range());
  upsweep::copy_if(executor, sums.range(), kept.range(), is_odd{}, count.data());
  captured.finish();
  CHECK(count.untouched_from(executor));  // captured, not run

  for (std::uint64_t replay = 0; replay < 6; replay++) {
    INFO("n = " << n << ", replay " << replay);
    const auto in = test::random_integers<std::uint32_t>(n, 0, replay);
    const auto expected = oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{});
    const auto expected_kept = oracle::copy_if(expected, is_odd{});
    executor.copy(from.data(), in.data(), in.size() * sizeof(in[0]));
    captured.replay();
    if (replay == 3) captured.replay();  // twice in a row: the same again
    if (replay == 4) {                   // direct calls in between use the same workspace
      guarded<std::uint32_t> other(executor, n);
      upsweep::inclusive_scan(executor, from.range(), other.range());
      test::check_equal(other.items(executor), expected);
      captured.replay();
    }
    executor.synchronize();
    test::check_equal(sums.items(executor), expected);
    REQUIRE(count.items(executor)[0] == oracle::size(expected_kept));
    auto items = kept.items(executor);
    items.resize(expected_kept.size());
    test::check_equal(items, expected_kept);
  }
}
}  // namespace

TEST_CASE("a captured scan and copy_if are right at every replay") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  executor.reserve(8 << 20);
  for (const index_t n : {1, 1000, 100'003, (1 << 24) + 12345}) check_replays(executor, n);
}

TEST_CASE("graphs captured before the workspace grew still replay") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  const index_t n = 300'007;
  executor.reserve(1 << 16);
  const auto in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  graph captured(stream);
  upsweep::inclusive_scan(executor, from.range(), to.range());
  captured.finish();
  executor.reserve(32 << 20);
  check_replays(executor, 100'003);
  captured.replay();
  executor.synchronize();
  test::check_equal(to.items(executor), oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
}

TEST_CASE("the workspace cannot grow during a capture: the error names reserve") {
  if (test::without_device()) return;
  const index_t n = 1 << 22;
  const test::stream stream;
  upsweep::device executor(stream);
  const auto in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const std::string text =
      message_of<std::runtime_error>([&] { upsweep::inclusive_scan(executor, from.range(), to.range()); });
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));  // the capture itself is still valid
  if (captured) MUST(cudaGraphDestroy(captured));
  INFO(text);
  REQUIRE(contains(text, "reserve("));
  CHECK(to.untouched_from(executor));

  // What the message asks for is enough.
  executor.reserve(std::stoull(text.substr(text.find("reserve(") + 8)));
  graph replayed(stream);
  upsweep::inclusive_scan(executor, from.range(), to.range());
  replayed.finish();
  replayed.replay();
  executor.synchronize();
  test::check_equal(to.items(executor), oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
}

TEST_CASE("scratch memory cannot grow during a capture, and graphs keep theirs") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const std::string text = message_of<std::runtime_error>([&] { executor.scratch(3000); });
  cudaGraph_t refused = nullptr;
  MUST(cudaStreamEndCapture(stream, &refused));
  if (refused) MUST(cudaGraphDestroy(refused));
  INFO(text);
  REQUIRE(contains(text, "reserve_scratch(3000)"));

  executor.reserve_scratch(3000);
  graph captured(stream);
  std::byte* of_graph = executor.scratch(3000);
  MUST(cudaMemsetAsync(of_graph, 7, 3000, stream));
  captured.finish();
  constexpr std::size_t large = 20 << 20;
  std::byte* larger = executor.scratch(large);
  MUST(cudaMemsetAsync(larger, 1, large, stream));
  captured.replay();
  std::vector<std::uint8_t> bytes(3000);
  executor.copy(bytes.data(), of_graph, bytes.size());
  CHECK(bytes == std::vector<std::uint8_t>(3000, 7));
  bytes.resize(large);
  executor.copy(bytes.data(), larger, large);
  CHECK(bytes == std::vector<std::uint8_t>(large, 1));
}

TEST_CASE("a stable_partition_copy is captured when its scratch memory is reserved") {
  if (test::without_device()) return;
  const index_t n = 100'003;
  const test::stream stream;
  upsweep::device executor(stream);
  executor.reserve(1 << 20);
  executor.reserve_scratch(sizeof(index_t));
  guarded<std::uint32_t> from(executor, std::vector<std::uint32_t>(oracle::at(n))), to(executor, n);
  guarded<index_t> count(executor, 1);
  graph captured(stream);
  upsweep::stable_partition_copy(executor, from.range(), to.range(), is_odd{}, count.data());
  captured.finish();
  executor.reserve_scratch(8 << 20);
  test::replay_on_random(captured, executor, from, n, [&](const std::vector<std::uint32_t>& in) {
    test::check_equal(to.items(executor), oracle::stable_partition(in, is_odd{}));
    CHECK(count.items(executor)[0] == oracle::size(oracle::copy_if(in, is_odd{})));
  });
}

TEST_CASE("a stable_partition in place is captured when its scratch memory is reserved") {
  if (test::without_device()) return;
  const index_t n = 100'003;
  const test::stream stream;
  upsweep::device executor(stream);
  executor.reserve(1 << 20);
  executor.reserve_scratch(static_cast<std::size_t>(n + 16) * sizeof(std::uint32_t));
  guarded<std::uint32_t> items(executor, std::vector<std::uint32_t>(oracle::at(n)));
  guarded<index_t> count(executor, 1);
  graph captured(stream);
  upsweep::stable_partition(executor, items.range(), is_odd{}, count.data());
  captured.finish();
  test::replay_on_random(captured, executor, items, n, [&](const std::vector<std::uint32_t>& in) {
    test::check_equal(items.items(executor), oracle::stable_partition(in, is_odd{}));
    CHECK(count.items(executor)[0] == oracle::size(oracle::copy_if(in, is_odd{})));
  });
}

TEST_CASE("captured products of a sparse matrix are right at every replay") {
  if (test::without_device()) return;
  std::vector<index_t> lengths(30'000, 7);
  lengths[500] = 40'000;
  const index_t columns = 1000, rows = oracle::size(lengths);
  auto a = test::rows_of<float>(lengths, columns);
  const test::stream stream;
  upsweep::device executor(stream), other;
  upsweep::csr_matrix<float> memory(executor, a.view());
  const upsweep::spmv_plan plan(executor, memory);
  guarded<float> x(executor, columns), y(executor, rows), planned(executor, rows), direct(other, rows);
  executor.reserve(1 << 20);
  graph captured(stream);
  upsweep::spmv(executor, memory, x.range(), y.range());
  upsweep::spmv(executor, plan, x.range(), planned.range());
  captured.finish();
  CHECK(y.untouched_from(executor));  // captured, not run
  for (std::uint64_t replay = 0; replay < 4; replay++) {
    INFO("replay " << replay);
    const auto in = test::random_vector<float>(columns, replay);
    a.values = test::random_vector<float>(std::ssize(a.values), 10 + replay);
    executor.copy(x.data(), in.data(), in.size() * sizeof(float));
    memory.values.copy_from(executor, a.values);
    captured.replay();
    if (replay == 2) upsweep::spmv(executor, memory, x.range(), y.range());  // by the same workspace
    if (replay == 3) captured.replay();
    executor.synchronize();
    upsweep::spmv(other, memory, x.range(), direct.range());
    test::check_close(y.items(executor), a, oracle::spmv<long double>(a, in));
    test::check_same_bits(y.items(executor), direct.items(other));
    test::check_same_bits(planned.items(executor), y.items(executor));
  }
}

TEST_CASE("captured filters of many channels carry their own filters, and are right at every replay") {
  if (test::without_device()) return;
  const index_t channels = 70, length = 500, n = channels * length;
  const test::stream stream;
  upsweep::device executor(stream), other;
  guarded<float> from(executor, n), own(executor, n), alike(executor, n), direct(other, n);
  const std::vector<upsweep::section> low(1, {.b0 = 0.1, .a1 = -0.9});
  std::vector<upsweep::section> rows;
  for (index_t c = 0; c < channels; c++) rows.push_back({.b0 = 1, .a1 = -0.01 * static_cast<double>(c)});
  const std::span<const float> in(from.range());
  executor.reserve(1 << 20);
  executor.reserve_scratch(1 << 20);
  graph captured(stream);
  upsweep::sosfilt(executor, upsweep::per_channel(rows), in, own.range(), upsweep::no_state,
                   upsweep::interleaved{channels});
  upsweep::sosfilt(executor, low, in, alike.range(), upsweep::no_state, upsweep::planar{channels});
  captured.finish();
  const std::vector<upsweep::section> kept = rows;
  std::fill(rows.begin(), rows.end(), upsweep::section{});  // the graph has them
  for (std::uint64_t replay = 0; replay < 3; replay++) {
    const auto samples = test::random_vector<float>(n, replay);
    executor.copy(from.data(), samples.data(), samples.size() * sizeof(float));
    captured.replay();
    executor.synchronize();
    upsweep::sosfilt(other, upsweep::per_channel(kept), in, direct.range(), upsweep::no_state,
                     upsweep::interleaved{channels});
    test::check_same_bits(own.items(executor), direct.items(other));
    upsweep::sosfilt(other, low, in, direct.range(), upsweep::no_state, upsweep::planar{channels});
    test::check_same_bits(alike.items(executor), direct.items(other));
  }
}

TEST_CASE("what must wait cannot be captured, and says so") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  guarded<std::uint32_t> from(executor, std::vector<std::uint32_t>(1000, 1)), to(executor, 1000);
  std::uint32_t on_host = 0;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const std::string returning =
      message_of<std::runtime_error>([&] { upsweep::copy_if(executor, from.range(), to.range(), is_odd{}); });
  const std::string copying =
      message_of<std::runtime_error>([&] { executor.copy(&on_host, from.data(), sizeof on_host); });
  const std::string waiting = message_of<std::runtime_error>([&] { executor.synchronize(); });
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  if (captured) MUST(cudaGraphDestroy(captured));
  for (const std::string& text : {returning, copying, waiting}) CHECK(contains(text, "captured"));
  CHECK(upsweep::copy_if(executor, from.range(), to.range(), is_odd{}) == 1000);
}
