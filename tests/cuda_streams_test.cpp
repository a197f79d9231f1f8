// Several executors at once, on a GPU that is busy: progress, and the same bits.
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/compaction.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::guarded;
using upsweep::buffer;
using upsweep::index_t;
using namespace std::chrono_literals;

namespace {
struct is_odd {
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};
struct hashed {
  std::uint32_t salt;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return (static_cast<std::uint32_t>(i) + salt) * 0x9E3779B1u; }
};
// 0 … i hashed and summed: sum (k + salt)·c = c·(i(i+1)/2 + salt·(i+1)) mod 2^32
struct hashed_sum {
  std::uint32_t salt;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const {
    const auto k = static_cast<std::uint64_t>(i);
    return static_cast<std::uint32_t>(k * (k + 1) / 2 + salt * (k + 1)) * 0x9E3779B1u;
  }
};
struct delicate {  // a number whose sums depend on every bracket
  UPSWEEP_HD float operator()(index_t i) const {
    const std::uint32_t h = (static_cast<std::uint32_t>(i) ^ 0x5bd1e995u) * 0x85EBCA77u;
    return (static_cast<float>(h >> 8) - 8388608.f) * ((h & 15) == 0 ? 1000.f : 0.001f);
  }
};
struct float_bits {
  const float* items;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const { return reinterpret_cast<const std::uint32_t*>(items)[i]; }
};

// One of several scans at once.
struct job {
  explicit job(index_t size, std::uint32_t s, int priority = 0)
      : n(size), salt(s), stream(priority), executor(stream), in(executor, n), out(executor, n) {
    test::fill(stream, in.data(), n, hashed{salt});
    upsweep::inclusive_scan(executor, in, out);  // has its workspace
    executor.synchronize();
  }
  void start() { upsweep::inclusive_scan(executor, in, out); }
  void check() { test::check_on_device(executor, out.data(), n, hashed_sum{salt}); }
  index_t n;
  std::uint32_t salt;
  test::stream stream;
  upsweep::device executor;
  buffer<std::uint32_t> in, out;
};
constexpr index_t large = (1 << 26) + 12345;  // the pipeline, several tiles a multiprocessor
}  // namespace

TEST_CASE("two pipelines that each get half of the GPU do not wait for each other") {
  if (test::without_device()) return;
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  job first(large, 1, least), second(large, 2, greatest);
  const int multiprocessors = first.executor.multiprocessors();
  const test::stream holder;
  for (int repeat = 0; repeat < 8; repeat++) {
    MUST(cudaMemset(first.out.data(), 0, 1 << 20));
    MUST(cudaMemset(second.out.data(), 0, 1 << 20));
    MUST(cudaDeviceSynchronize());
    // Half of the multiprocessors are held while the first grid comes, and so takes the other half; when they are free,
    // the second grid, of higher priority, gets them.
    test::hold_multiprocessors(holder, multiprocessors / 2, 10'000'000);
    first.start();
    second.start();
    test::wait_at_most(first.stream, 20s, "the first of two pipelines");
    test::wait_at_most(second.stream, 20s, "the second of two pipelines");
    first.check();
    second.check();
  }
}

TEST_CASE("a pipeline finishes on any part of the GPU") {
  if (test::without_device()) return;
  job scan(large, 3);
  const int multiprocessors = scan.executor.multiprocessors();
  const test::stream holder;
  for (const int free : {1, 2, multiprocessors / 3}) {
    test::hold_multiprocessors(holder, multiprocessors - free,
                               300'000'000);  // longer than the scan takes on what is left
    scan.start();
    test::wait_at_most(scan.stream, 20s, "a pipeline on a part of the GPU");
    test::wait_at_most(holder, 20s, "the holder");
    scan.check();
  }
}

TEST_CASE("executors of two threads run at once, with all sizes mixed") {
  if (test::without_device()) return;
  const auto run = [](std::uint32_t salt, std::uint64_t* wrong) {
    upsweep::device executor;
    for (std::uint64_t round = 0; round < 60; round++) {
      const index_t n = test::generator(round * 2 + salt)() % (round % 10 == 0 ? 20'000'000 : 300'000);
      const auto in = test::random_integers<std::uint32_t>(n, 0, salt + round);
      const buffer<std::uint32_t> from(executor, in);
      buffer<std::uint32_t> to(executor, n);
      upsweep::inclusive_scan(executor, from, to);
      *wrong += to.to_vector(executor) != oracle::inclusive_scan(in, upsweep::plus<std::uint32_t>{});
      const index_t kept = upsweep::copy_if(executor, from, to, is_odd{});
      auto items = to.to_vector(executor);
      items.resize(oracle::at(kept));
      *wrong += items != oracle::copy_if(in, is_odd{});
    }
  };
  std::uint64_t wrong[2] = {0, 0};
  std::thread other(run, 1, &wrong[0]);
  run(2, &wrong[1]);
  other.join();
  CHECK(wrong[0] == 0);
  CHECK(wrong[1] == 0);
}

TEST_CASE("100 float scans give the same bits while another stream is busy") {
  if (test::without_device()) return;
  for (const index_t n : {index_t{1} << 21, index_t{1} << 25}) {
    upsweep::device executor;
    buffer<float> in(executor, n), expected(executor, n), out(executor, n);
    test::fill(executor.stream(), in.data(), n, delicate{});
    upsweep::inclusive_scan(executor, in, expected);

    const test::stream busy;
    const buffer<char> from(executor, 64 << 20);
    buffer<char> to(executor, 64 << 20);
    test::generator random;
    for (int repeat = 0; repeat < 100; repeat++) {
      // Another share of the multiprocessors each time, and copies that take their share of the memory.
      const int share = static_cast<int>(random.below(static_cast<std::uint64_t>(executor.multiprocessors())));
      test::hold_multiprocessors(busy, 1 + share, 200'000);
      MUST(cudaMemcpyAsync(to.data(), from.data(), 64 << 20, cudaMemcpyDeviceToDevice, busy));
      upsweep::inclusive_scan(executor, in, out);
      test::check_on_device(executor, reinterpret_cast<const std::uint32_t*>(out.data()), n,
                            float_bits{expected.data()});
    }
    MUST(cudaStreamSynchronize(busy));
  }
}
