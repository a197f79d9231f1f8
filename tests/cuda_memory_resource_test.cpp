// Device memory: resources are called with the executor's stream and device, and buffers come and go in stream order.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "memory_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::counting_resource;
using upsweep::buffer;
using upsweep::index_t;

namespace {
constexpr index_t n = 1 << 20;

struct own_number {
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i); }
};
struct other_number {
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return ~static_cast<std::uint32_t>(i); }
};
}  // namespace

TEST_CASE("a device calls its resource with its stream") {
  if (test::without_device()) return;
  test::malloc_resource plain;
  counting_resource memory(&plain, 256);
  {
    const test::stream stream;
    upsweep::device given(stream, &memory), own(&memory), standard(nullptr, &memory);
    CHECK(given.stream() == stream);
    CHECK(own.stream() != nullptr);
    CHECK(standard.stream() == nullptr);
    CHECK(memory.blocks() == 0);
    const buffer<int> one(given, 10), two(own, 10), three(standard, 10);
    CHECK(memory.stream_of(one.data()) == stream);
    CHECK(memory.stream_of(two.data()) == own.stream());
    CHECK(memory.stream_of(three.data()) == nullptr);
    CHECK(memory.stream_of(own.scratch(10)) == own.stream());
    own.reserve(1 << 20);
    CHECK(memory.blocks() == 5);
  }
  CHECK(memory.blocks() == 0);
  CHECK(memory.wrong() == 0);
}

TEST_CASE("a resource that fails leaves workspace and scratch as they were, or empty") {
  if (test::without_device()) return;
  test::malloc_resource plain;
  counting_resource memory(&plain, 256);
  {
    upsweep::device executor(&memory);
    for (int repeat = 0; repeat < 3; repeat++) {
      memory.fail_at(1);
      CHECK_THROWS_AS(executor.reserve(std::size_t{32} << (20 + repeat)), test::exhausted);
      memory.fail_at(1);
      CHECK_THROWS_AS(executor.reserve_scratch(std::size_t{32} << (20 + repeat)), test::exhausted);
      const auto in = test::random_integers<std::uint32_t>(n);
      const buffer<std::uint32_t> from(executor, in);
      buffer<std::uint32_t> to(executor, n);
      upsweep::inclusive_scan(executor, from, to);
      test::check_equal(to.to_vector(executor), oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{}));
      CHECK(executor.scratch(100) != nullptr);
    }
  }
  CHECK(memory.blocks() == 0);
  CHECK(memory.wrong() == 0);
}

TEST_CASE("a buffer goes in the order of its stream: what was queued before still uses it") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  buffer<std::uint32_t> kept(executor, n);
  test::fill(stream, kept.data(), n, other_number{});  // kernels are loaded, workspace is there
  test::fill(stream, kept.data(), n, own_number{});
  upsweep::inclusive_scan(executor, kept, kept, upsweep::maximum<std::uint32_t>{});
  executor.synchronize();
  test::hold_multiprocessors(stream, 1, 20'000'000);
  {
    buffer<std::uint32_t> gone(executor, n);
    test::fill(stream, gone.data(), n, own_number{});
    upsweep::inclusive_scan(executor, gone, kept, upsweep::maximum<std::uint32_t>{});
  }
  buffer<std::uint32_t> next(executor, n);  // most likely of the same memory
  test::fill(stream, next.data(), n, other_number{});
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);  // nobody has waited
  test::check_on_device(executor, kept.data(), n, own_number{});
  test::check_on_device(executor, next.data(), n, other_number{});
}

TEST_CASE("a device's own stream lives as long as its buffers") {
  if (test::without_device()) return;
  test::malloc_resource plain;
  counting_resource memory(&plain, 256);
  std::optional<buffer<std::uint32_t>> by_pool, by_resource;
  {
    upsweep::device executor, other(&memory);
    by_pool.emplace(executor, std::vector<std::uint32_t>{1, 2});
    by_resource.emplace(other, std::vector<std::uint32_t>{3, 4});
  }
  CHECK(cudaStreamQuery(memory.stream_of(by_resource->data())) == cudaSuccess);
  upsweep::device reader;
  test::check_equal(by_pool->to_vector(reader), {1, 2});
  test::check_equal(by_resource->to_vector(reader), {3, 4});
  by_pool.reset();
  by_resource.reset();
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(memory.blocks() == 0);
  CHECK(memory.wrong() == 0);
}

TEST_CASE("a buffer is not made while its stream is captured; the capture stays valid") {
  if (test::without_device()) return;
  const test::stream stream;
  upsweep::device executor(stream);
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const std::string text = test::message_of<std::runtime_error>([&] { buffer<int>(executor, 10); });
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  if (captured) MUST(cudaGraphDestroy(captured));
  CHECK(test::contains(text, "captured"));
  CHECK(buffer<int>(executor, 10).size() == 10);
}

TEST_CASE("resources are called with the executor's device current") {
  if (test::without_device()) return;
  int devices = 0;
  MUST(cudaGetDeviceCount(&devices));
  if (devices < 2) return count_skipped("a second GPU");
  struct noting : test::malloc_resource {
    void* allocate(std::size_t bytes, CUstream_st* s) override {
      cudaGetDevice(&at_allocate);
      return malloc_resource::allocate(bytes, s);
    }
    void deallocate(void* p, std::size_t bytes, CUstream_st* s) noexcept override {
      cudaGetDevice(&at_deallocate);
      malloc_resource::deallocate(p, bytes, s);
    }
    int at_allocate = -1, at_deallocate = -1;
  } memory;
  MUST(cudaSetDevice(1));
  std::optional<upsweep::device> executor(std::in_place, &memory);
  MUST(cudaSetDevice(0));
  std::optional<buffer<int>> items(std::in_place, *executor, 10);
  CHECK(memory.at_allocate == 1);
  items.reset();
  CHECK(memory.at_deallocate == 1);
  executor.reset();
  int now = -1;
  MUST(cudaGetDevice(&now));
  CHECK(now == 0);
}
