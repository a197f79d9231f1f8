// The device against CUB's device-wide algorithms. The only test that includes CUB: its headers compile slowly.
#include <cstdint>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <upsweep/compaction.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "cuda_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::check_equal;
using upsweep::buffer;
using upsweep::index_t;
using word = std::uint32_t;

namespace {
struct least {
  UPSWEEP_HD word operator()(word a, word b) const { return b < a ? b : a; }
};
struct is_odd {
  UPSWEEP_HD bool operator()(word x) const { return x % 2 != 0; }
};

// Calls a CUB function twice, as it wants: for the size of its storage, then for the work.
template <class F>
void cub_call(upsweep::device& executor, const F& f) {
  std::size_t bytes = 0;
  MUST(f(nullptr, bytes));
  buffer<char> storage(executor, static_cast<index_t>(bytes) + 1);
  MUST(f(storage.data(), bytes));
  executor.synchronize();
}

// Ranges of n words on the device: two to read, and for each side one or two to write.
struct ranges {
  upsweep::device& executor;
  index_t n;
  cudaStream_t stream = executor.stream();
  buffer<word> in{executor, test::random_integers<word>(n)};
  buffer<word> keys{executor, test::generate(n, [key = word{0}](test::generator& random) mutable {
                      return key += random.below(5) == 0;
                    })};
  buffer<word> ours{executor, n}, ours2{executor, n}, theirs{executor, n}, theirs2{executor, n};
  buffer<index_t> count{executor, 1};

  index_t their_count() const { return count.to_vector(executor)[0]; }
  void same(const buffer<word>& a, const buffer<word>& b, index_t items) const {
    auto x = a.to_vector(executor), y = b.to_vector(executor);
    x.resize(oracle::at(items));
    y.resize(oracle::at(items));
    check_equal(x, y);
  }
};

template <class F>
void for_sizes(const F& f) {
  if (test::without_device()) return;
  upsweep::device executor;
  for (const index_t n : {index_t{1}, index_t{1000}, index_t{100'003}, index_t{1} << 22, (index_t{1} << 24) + 777}) {
    INFO("n = " << n);
    ranges r{executor, n};
    f(r);
  }
}
}  // namespace

TEST_CASE("sums equal CUB's") {
  for_sizes([](ranges& r) {
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
  for_sizes([](ranges& r) {
    upsweep::inclusive_scan(r.executor, r.in, r.ours, upsweep::minimum<word>{});
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, r.in.data(), r.theirs.data(), least{}, r.n, r.stream);
    });
    r.same(r.ours, r.theirs, r.n);
  });
}

TEST_CASE("sums by key equal CUB's") {
  for_sizes([](ranges& r) {
    upsweep::inclusive_scan_by_key(r.executor, r.keys, r.in, r.ours);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSumByKey(storage, bytes, r.keys.data(), r.in.data(), r.theirs.data(), r.n, {},
                                                r.stream);
    });
    r.same(r.ours, r.theirs, r.n);

    const index_t runs = upsweep::reduce_by_key(r.executor, r.keys, r.in, r.ours, r.ours2);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(storage, bytes, r.keys.data(), r.theirs.data(), r.in.data(),
                                            r.theirs2.data(), r.count.data(), cuda::std::plus<>{}, r.n, r.stream);
    });
    REQUIRE(runs == r.their_count());
    r.same(r.ours, r.theirs, runs);
    r.same(r.ours2, r.theirs2, runs);
  });
}

TEST_CASE("selections equal CUB's") {
  for_sizes([](ranges& r) {
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

TEST_CASE("run lengths equal CUB's") {
  for_sizes([](ranges& r) {
    const index_t runs = upsweep::run_length_encode(r.executor, r.keys, r.ours, r.ours2);
    cub_call(r.executor, [&](void* storage, std::size_t& bytes) {
      return cub::DeviceRunLengthEncode::Encode(storage, bytes, r.keys.data(), r.theirs.data(), r.theirs2.data(),
                                                r.count.data(), r.n, r.stream);
    });
    REQUIRE(runs == r.their_count());
    r.same(r.ours, r.theirs, runs);
    r.same(r.ours2, r.theirs2, runs);
  });
}
