// The device's scans, reductions, selections and partitions against CUB's. cuda_peer_sort_test.cpp has the sorts.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <upsweep/compaction.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "cub_support.hpp"
#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using test::cub_call;
using upsweep::buffer;
using upsweep::index_t;

namespace {
struct least {
  template <class T>
  UPSWEEP_HD T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct is_odd {
  template <class T>
  UPSWEEP_HD bool operator()(T x) const {
    return x % 2 != 0;
  }
};

// Ranges of n integers on the device: two to read, and for each side one or two to write.
template <class T>
struct ranges {
  upsweep::device& executor;
  index_t n;
  cudaStream_t stream = executor.stream();
  buffer<T> in{executor, test::random_integers<T>(n)};
  buffer<T> keys{executor, test::generate(n, [key = T{0}](test::generator& random) mutable {
                   if (random.below(5) == 0) key++;
                   return key;
                 })};
  buffer<T> ours{executor, n}, ours2{executor, n}, theirs{executor, n}, theirs2{executor, n};
  buffer<index_t> lengths{executor, n}, their_lengths{executor, n}, count{executor, 1};

  index_t their_count() const { return count.to_vector(executor)[0]; }
  template <class U>
  void same(const buffer<U>& a, const buffer<U>& b, index_t items) const {
    test::check_same_on_device(executor, a, b, items);
  }
};

template <class T, class F>
void for_ranges_of(const F& f) {
  test::for_peer_sizes([&](upsweep::device& executor, index_t n) {
    INFO(sizeof(T) << " bytes an item");
    ranges<T> r{executor, n};
    f(r);
  });
}
template <class F>
void for_types(const F& f) {
  for_ranges_of<std::uint8_t>(f);
  for_ranges_of<std::uint32_t>(f);
  for_ranges_of<std::int64_t>(f);
}
}  // namespace

TEST_CASE("sums equal CUB's") {
  for_types([](auto& r) {
    upsweep::inclusive_scan(r.executor, r.in, r.ours);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(storage, bytes, r.in.data(), r.theirs.data(), r.n, r.stream);
    });
    r.same(r.ours, r.theirs, r.n);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(storage, bytes, r.in.data(), r.theirs.data(), r.n, r.stream);
    });
    CHECK(upsweep::reduce(r.executor, r.in) == r.theirs.to_vector(r.executor)[0]);
  });
}

TEST_CASE("minima equal CUB's") {
  for_ranges_of<std::int64_t>([](auto& r) {
    upsweep::inclusive_scan(r.executor, r.in, r.ours, upsweep::minimum<std::int64_t>{});
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, r.in.data(), r.theirs.data(), least{}, r.n, r.stream);
    });
    r.same(r.ours, r.theirs, r.n);
  });
}

TEST_CASE("sums by key equal CUB's") {
  for_types([](auto& r) {
    upsweep::inclusive_scan_by_key(r.executor, r.keys, r.in, r.ours);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, r.keys.data(), r.in.data(), r.theirs.data(), r.n, {},
                                                r.stream);
    });
    r.same(r.ours, r.theirs, r.n);

    const index_t runs = upsweep::reduce_by_key(r.executor, r.keys, r.in, r.ours, r.ours2);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {  // n of int, see bench/reduce_bench.cpp
      return cub::DeviceReduce::ReduceByKey(storage, bytes, r.keys.data(), r.theirs.data(), r.in.data(),
                                            r.theirs2.data(), r.count.data(), cuda::std::plus<>{},
                                            static_cast<int>(r.n), r.stream);
    });
    REQUIRE(runs == r.their_count());
    r.same(r.ours, r.theirs, runs);
    r.same(r.ours2, r.theirs2, runs);
  });
}

TEST_CASE("selections equal CUB's") {
  for_types([](auto& r) {
    const index_t kept = upsweep::copy_if(r.executor, r.in, r.ours, is_odd{});
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceSelect::If(storage, bytes, r.in.data(), r.theirs.data(), r.count.data(), r.n, is_odd{},
                                   r.stream);
    });
    REQUIRE(kept == r.their_count());
    r.same(r.ours, r.theirs, kept);

    const index_t unique = upsweep::unique_copy(r.executor, r.keys, r.ours);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceSelect::Unique(storage, bytes, r.keys.data(), r.theirs.data(), r.count.data(), r.n, r.stream);
    });
    REQUIRE(unique == r.their_count());
    r.same(r.ours, r.theirs, unique);
  });
}

TEST_CASE("partitions equal CUB's, whose rejected items come in reverse") {
  for_types([](auto& r) {
    const index_t kept = upsweep::partition_copy(r.executor, r.in, r.ours, r.ours2, is_odd{});
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DevicePartition::If(storage, bytes, r.in.data(), r.theirs.data(), r.count.data(), r.n, is_odd{},
                                      r.stream);
    });
    REQUIRE(kept == r.their_count());
    r.same(r.ours, r.theirs, kept);
    auto rejected = r.ours2.to_vector(r.executor);
    rejected.resize(oracle::at(r.n - kept));
    auto theirs = r.theirs.to_vector(r.executor);
    std::reverse(theirs.begin() + kept, theirs.end());
    check_equal(rejected, {theirs.begin() + kept, theirs.end()});
  });
}

TEST_CASE("run lengths equal CUB's") {
  for_types([](auto& r) {
    const index_t runs = upsweep::run_length_encode(r.executor, r.keys, r.ours, r.lengths);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(storage, bytes, r.keys.data(), r.theirs.data(), r.their_lengths.data(),
                                                r.count.data(), r.n, r.stream);
    });
    REQUIRE(runs == r.their_count());
    r.same(r.ours, r.theirs, runs);
    r.same(r.lengths, r.their_lengths, runs);
  });
}
