// The device executor itself: its stream, the memory it takes, and the errors that only a GPU can give.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::contains;
using test::guarded;
using test::message_of;
using test::starts_with;
using upsweep::index_t;

namespace {
constexpr index_t n = 1 << 20;  // many tiles: needs workspace
using words = std::vector<std::uint32_t>;

struct is_odd {
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
void check_works(upsweep::device& executor) {
  const words in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  upsweep::inclusive_scan(executor, from.range(), to.range());
  test::check_equal(to.items(executor), oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}
}  // namespace

TEST_CASE("a device uses the caller's stream, or makes its own") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device given(stream);
  CHECK(given.stream() == stream);
  check_works(given);
  upsweep::device own, another;
  CHECK(own.stream() != another.stream());
  check_works(own);
  upsweep::device standard(nullptr);
  CHECK(standard.stream() == nullptr);
  check_works(standard);
}

TEST_CASE("a device moves with its workspace") {
  if (test::without_device()) return;
  upsweep::device one;
  check_works(one);
  const cudaStream_t stream = one.stream();
  upsweep::device two(std::move(one));
  CHECK(two.stream() == stream);
  check_works(two);
  one = upsweep::device();
  check_works(one);
  one = std::move(two);
  CHECK(one.stream() == stream);
  check_works(one);
}

TEST_CASE("work is ordered on the stream: results can be used there without waiting") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  const words in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  std::vector<std::uint32_t> out(in.size());
  test::hold_multiprocessors(stream, 1, 20'000'000);  // what follows is queued behind it
  upsweep::inclusive_scan(executor, from.range(), to.range());
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);  // the call has not waited
  MUST(cudaMemcpyAsync(out.data(), to.data(), out.size() * sizeof(out[0]), cudaMemcpyDeviceToHost, stream));
  executor.synchronize();
  test::check_equal(out, oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
}

TEST_CASE("memory of the wrong kind is refused by name, before anything is written") {
  if (test::without_device()) return;
  upsweep::device device;
  upsweep::host host(2);
  const words in = test::random_integers<std::uint32_t>(100);
  guarded<std::uint32_t> on_device(device, in), device_out(device, 100), on_host(host, in), host_out(host, 100);
  index_t host_count = -5;
  guarded<index_t> device_count(device, 1);
  const auto refuses = [&](const char* argument, const char* kind, const auto& call) {
    const std::string text = message_of<std::invalid_argument>(call);
    INFO(text);
    CHECK(starts_with(text, argument));
    CHECK(contains(text, kind));
    CHECK(device_out.untouched_from(device));
    CHECK(host_out.untouched_from(host));
    CHECK(host_count == -5);
    CHECK(device_count.untouched_from(device));
  };
  const auto scan = [](auto& executor, auto& from, auto& to) {
    return [&] { upsweep::inclusive_scan(executor, from.range(), to.range()); };
  };
  refuses("in is host memory", "executor is device", scan(device, on_host, device_out));
  refuses("out is host memory", "executor is device", scan(device, on_device, host_out));
  refuses("in is device memory", "executor is host", scan(host, on_device, host_out));
  refuses("out is device memory", "executor is host", scan(host, on_host, device_out));
  refuses("count is host memory", "executor is device",
          [&] { upsweep::copy_if(device, on_device.range(), device_out.range(), is_odd{}, &host_count); });
  refuses("count is device memory", "executor is host",
          [&] { upsweep::copy_if(host, on_host.range(), host_out.range(), is_odd{}, device_count.data()); });
  CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("memory that both sides reach is taken by both") {
  if (test::without_device()) return;
  upsweep::device device;
  upsweep::host host(2);
  std::uint32_t* pinned = nullptr;
  MUST(cudaMallocHost(&pinned, 1000 * sizeof(std::uint32_t)));
  const std::span<std::uint32_t> items(pinned, 1000);
  std::fill(items.begin(), items.end(), 1u);
  upsweep::inclusive_scan(device, items, items);
  device.synchronize();
  CHECK(items[999] == 1000);
  upsweep::inclusive_scan(host, items, items);
  CHECK(items[999] == 500'500);
  MUST(cudaFreeHost(pinned));
}

TEST_CASE("scratch memory is reused, grows, and moves with its executor") {
  if (test::without_device()) return;
  upsweep::device executor;
  std::byte* first = executor.scratch(100);
  REQUIRE(first != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 256 == 0);
  MUST(cudaMemsetAsync(first, 1, 100, executor.stream()));
  CHECK(executor.scratch(8) == first);
  constexpr std::size_t large = 40 << 20;
  std::byte* larger = executor.scratch(large);
  MUST(cudaMemsetAsync(larger, 2, large, executor.stream()));
  CHECK(executor.scratch(1) == larger);
  upsweep::device other(std::move(executor));
  CHECK(other.scratch(large) == larger);
  check_works(other);  // sweeps have their workspace elsewhere
  std::vector<std::uint8_t> bytes(large);
  other.copy(bytes.data(), larger, large);
  CHECK(bytes == std::vector<std::uint8_t>(large, 2));
}

TEST_CASE("an allocation that fails is a cuda_error with the call's name, leaks nothing, and is cleared") {
  if (test::without_device()) return;
  upsweep::device executor;
  check_works(executor);
  constexpr index_t absurd = index_t{1} << 46;
  const std::size_t before = test::free_memory();
  for (int repeat = 0; repeat < 5; repeat++) {
    const std::string text = message_of<upsweep::cuda_error>([&] { upsweep::buffer<char>(executor, absurd); });
    CHECK(contains(text, "cudaErrorMemoryAllocation"));
    CHECK(contains(text, "cudaMalloc"));
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    CHECK(starts_with(message_of<upsweep::cuda_error>([&] { executor.reserve(absurd); }), "cudaErrorMemoryAllocation"));
    CHECK(starts_with(message_of<upsweep::cuda_error>([&] { executor.scratch(absurd); }), "cudaErrorMemoryAllocation"));
    CHECK(cudaPeekAtLastError() == cudaSuccess);
  }
  CHECK(test::free_memory() >= before);
  check_works(executor);
}

TEST_CASE("executors and buffers give all of their memory back") {
  if (test::without_device()) return;
  const auto use = [] {
    upsweep::device executor;
    check_works(executor);
    executor.reserve(64 << 20);
    executor.reserve_scratch(10 << 20);
    executor.reserve_scratch(50 << 20);
  };
  use();
  const std::size_t before = test::free_memory();
  for (int repeat = 0; repeat < 10; repeat++) use();
  CHECK(test::free_memory() == before);
}

TEST_CASE("a launch that fails is a cuda_error with the call's name; the next one works") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  const words in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  upsweep::inclusive_scan(executor, from.range(), to.range());  // has its workspace
  executor.synchronize();

  // The injected failure: a wait that a capture forbids invalidates it, and with it every launch on the stream.
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  REQUIRE(cudaStreamSynchronize(stream) != cudaSuccess);
  static_cast<void>(cudaGetLastError());
  int code = 0;
  const std::string text = message_of<upsweep::cuda_error>([&] {
    try {
      upsweep::inclusive_scan(executor, from.range(), to.range());
    } catch (const upsweep::cuda_error& e) {
      code = e.code();
      throw;
    }
  });
  CHECK(code == cudaErrorStreamCaptureInvalidated);
  CHECK(starts_with(text, "cudaErrorStreamCaptureInvalidated"));
  CHECK(contains(text, "cudaLaunchKernel"));
  CHECK(cudaPeekAtLastError() == cudaSuccess);

  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  static_cast<void>(cudaGetLastError());
  check_works(executor);
}

TEST_CASE("an error of somebody else's is not taken for ours") {
  if (test::without_device()) return;
  upsweep::device executor;
  CHECK(cudaMemset(nullptr, 0, 16) != cudaSuccess);  // stays until somebody asks for the last error
  const words in = test::random_integers<std::uint32_t>(n);
  guarded<std::uint32_t> from(executor, in), to(executor, n);
  upsweep::inclusive_scan(executor, from.range(), to.range());
  test::check_equal(to.items(executor), oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
  static_cast<void>(cudaGetLastError());
}
