// Every precondition: the exception names the argument, and nothing has been written. The checks are the same code for
// every executor; cuda_device_test.cpp adds what only a GPU can refuse.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/linear_recurrence.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "support.hpp"

using test::guarded;
using upsweep::index_t;

namespace {
constexpr index_t n = 100;
using ints = guarded<std::int32_t>;
using int_span = std::span<std::int32_t>;

struct is_odd {
  UPSWEEP_HD bool operator()(std::int32_t x) const { return x % 2 != 0; }
};

// Ranges for one call: n items to read, and n poisoned ones to write that must stay so.
struct arguments {
  upsweep::host executor{3};
  ints in{executor, test::random_integers<std::int32_t>(n)};
  ints other{executor, test::random_integers<std::int32_t>(n, 3, 1)};
  guarded<std::uint8_t> bytes{executor, test::random_integers<std::uint8_t>(n, 2)};
  ints out{executor, n}, out2{executor, n};
  index_t count = -5;
  std::int32_t result = -5;
  int_span null{static_cast<std::int32_t*>(nullptr), static_cast<std::size_t>(n)};

  bool untouched() {
    return out.untouched_from(executor) && out2.untouched_from(executor) && count == -5 && result == -5 &&
           in.items(executor) == test::random_integers<std::int32_t>(n) &&
           other.items(executor) == test::random_integers<std::int32_t>(n, 3, 1);
  }
};

// The call is refused with a message that starts with the argument's name and contains `why`; nothing was written.
void refuses(const std::string& argument, const std::string& why, const std::function<void(arguments&)>& call) {
  arguments a;
  test::check_refused([&] { call(a); }, argument, why);
  CHECK(a.untouched());
}
}  // namespace

TEST_CASE("scans refuse an output that is too small, null or misaligned") {
  refuses("out ", "99 items, needs 100",
          [](auto& a) { upsweep::inclusive_scan(a.executor, a.in.range(), a.out.first(99)); });
  refuses("out ", "99 items, needs 100",
          [](auto& a) { upsweep::exclusive_scan(a.executor, a.in.range(), a.out.first(99)); });
  refuses("out ", "null", [](auto& a) { upsweep::inclusive_scan(a.executor, a.in.range(), a.null); });
  refuses("out ", "aligned", [](auto& a) {
    auto* odd = reinterpret_cast<std::int32_t*>(reinterpret_cast<char*>(a.out.data()) + 1);
    upsweep::inclusive_scan(a.executor, a.in.first(50), int_span(odd, 50));
  });
}

TEST_CASE("scans refuse a null or misaligned input") {
  refuses("in ", "null", [](auto& a) { upsweep::inclusive_scan(a.executor, a.null, a.out.range()); });
  refuses("in ", "null", [](auto& a) {
    upsweep::exclusive_scan(a.executor, a.null, a.out.range(), upsweep::plus<int>{}, 3, upsweep::reversed);
  });
  refuses("in ", "aligned", [](auto& a) {
    auto* odd = reinterpret_cast<std::int32_t*>(reinterpret_cast<char*>(a.in.data()) + 2);
    upsweep::inclusive_scan(a.executor, int_span(odd, 50), a.out.range());
  });
}

TEST_CASE("a null range without items is fine") {
  arguments a;
  const int_span nothing;
  upsweep::inclusive_scan(a.executor, nothing, nothing);
  CHECK(upsweep::reduce(a.executor, nothing) == 0);
  CHECK(upsweep::copy_if(a.executor, nothing, nothing, is_odd{}) == 0);
  CHECK(a.untouched());
}

TEST_CASE("a partial overlap is refused, in either direction and between types") {
  refuses("out ", "overlaps in",
          [](auto& a) { upsweep::inclusive_scan(a.executor, a.in.first(99), int_span(a.in.data() + 1, 99)); });
  refuses("out ", "overlaps in",
          [](auto& a) { upsweep::inclusive_scan(a.executor, int_span(a.in.data() + 1, 99), a.in.first(99)); });
  refuses("out ", "overlaps in", [](auto& a) {  // the same start, items of another size
    const std::span<std::int64_t> wide(reinterpret_cast<std::int64_t*>(a.in.data() + a.in.size() % 2), 20);
    upsweep::inclusive_scan(a.executor, int_span(a.in.data(), 20), wide, upsweep::plus<std::int64_t>{});
  });
  refuses("out ", "overlaps in", [](auto& a) {
    upsweep::copy_if(a.executor, a.in.first(99), int_span(a.in.data() + 1, 99), is_odd{}, &a.count);
  });
}

TEST_CASE("ranges that touch do not overlap") {
  arguments a;
  const auto all = a.in.range();
  const auto left = all.first(50), right = all.last(50);
  const std::vector<std::int32_t> begin(left.begin(), left.end()), end(right.begin(), right.end());
  upsweep::inclusive_scan(a.executor, left, right);
  CHECK(std::vector(right.begin(), right.end()) == oracle::inclusive_scan(begin, upsweep::plus<std::int32_t>{}));
  std::copy(end.begin(), end.end(), right.begin());
  upsweep::inclusive_scan(a.executor, right, left);
  CHECK(std::vector(left.begin(), left.end()) == oracle::inclusive_scan(end, upsweep::plus<std::int32_t>{}));
}

TEST_CASE("a negative size is refused") {
  refuses("n ", "-1", [](auto& a) {
    upsweep::scan(a.executor, -1, upsweep::indices(), upsweep::lift_to<int>{}, upsweep::plus<int>{}, upsweep::discard,
                  &a.result);
  });
}

TEST_CASE("rows need a positive length that divides the size") {
  for (const index_t length : {index_t{0}, index_t{-4}}) {
    refuses("rows", "must be positive", [=](auto& a) {
      upsweep::inclusive_scan(a.executor, a.in.range(), a.out.range(), upsweep::plus<int>{}, upsweep::rows(length));
    });
  }
  refuses("rows", "no multiple of the length 7", [](auto& a) {
    upsweep::exclusive_scan(a.executor, a.in.range(), a.out.range(), upsweep::plus<int>{}, upsweep::reversed_rows(7));
  });
  refuses("rows", "no multiple of the length 101", [](auto& a) {
    upsweep::exclusive_scan(a.executor, a.in.range(), a.out.range(), upsweep::plus<int>{}, 1, upsweep::rows(101));
  });
}

TEST_CASE("heads must be as many as the items") {
  refuses("heads ", "99", [](auto& a) {
    upsweep::inclusive_segmented_scan(a.executor, a.in.range(), upsweep::heads(a.bytes.first(99)), a.out.range());
  });
  refuses("heads ", "null", [](auto& a) {
    const std::span<std::uint8_t> null(static_cast<std::uint8_t*>(nullptr), static_cast<std::size_t>(n));
    upsweep::inclusive_segmented_scan(a.executor, a.in.range(), upsweep::heads(null), a.out.range());
  });
}

TEST_CASE("lengths that differ are refused") {
  refuses("heads ", "", [](auto& a) {
    upsweep::exclusive_segmented_scan(a.executor, a.in.first(99), upsweep::heads(a.bytes.range()), a.out.range());
  });
  refuses("keys ", "",
          [](auto& a) { upsweep::inclusive_scan_by_key(a.executor, a.other.first(99), a.in.range(), a.out.range()); });
  refuses("keys ", "",
          [](auto& a) { upsweep::exclusive_scan_by_key(a.executor, a.other.range(), a.in.first(99), a.out.range()); });
  refuses("a ", "99 items, b has 100",
          [](auto& a) { upsweep::linear_recurrence(a.executor, a.in.first(99), a.other.range(), a.out.range()); });
  refuses("keys ", "100 items, in has 99", [](auto& a) {
    upsweep::reduce_by_key(a.executor, a.other.range(), a.in.first(99), a.out.range(), a.out2.range(),
                           upsweep::plus<int>{}, &a.count);
  });
  refuses("in ", "100 items, flags has 99",
          [](auto& a) { upsweep::copy_flagged(a.executor, a.in.range(), a.bytes.first(99), a.out.range(), &a.count); });
}

TEST_CASE("offsets must not be empty or null, and lie apart from the output") {
  const auto segments = [](auto& a, const auto& offsets, const auto& out) {
    upsweep::inclusive_segmented_scan(a.executor, a.in.range(), upsweep::offsets(offsets), out);
  };
  refuses("offsets ", "empty", [&](auto& a) { segments(a, a.other.first(0), a.out.range()); });
  refuses("offsets ", "null", [&](auto& a) { segments(a, a.null, a.out.range()); });
  refuses("offsets ", "empty",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.in.range(), a.other.first(0), a.out.first(0)); });
  refuses("offsets ", "null",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.in.range(), a.null, a.out.first(99)); });
  refuses("out ", "overlaps offsets", [&](auto& a) { segments(a, a.other.range(), a.other.range()); });
}

TEST_CASE("keys that are still needed are not overwritten") {
  refuses("out ", "overlaps keys",
          [](auto& a) { upsweep::inclusive_scan_by_key(a.executor, a.other.range(), a.in.range(), a.other.range()); });
  refuses("out ", "overlaps keys", [](auto& a) {
    upsweep::inclusive_scan_by_key(a.executor, a.other.first(99), a.in.first(99), int_span(a.other.data() + 1, 99));
  });
}

TEST_CASE("linear_recurrence checks all of its ranges") {
  refuses("x ", "99 items",
          [](auto& a) { upsweep::linear_recurrence(a.executor, a.in.range(), a.other.range(), a.out.first(99)); });
  refuses("x ", "null", [](auto& a) { upsweep::linear_recurrence(a.executor, a.in.range(), a.other.range(), a.null); });
  refuses("a ", "null",
          [](auto& a) { upsweep::linear_recurrence(a.executor, a.null, a.other.range(), a.out.range()); });
  refuses("b ", "null", [](auto& a) { upsweep::linear_recurrence(a.executor, a.in.range(), a.null, a.out.range()); });
  refuses("x ", "overlaps b", [](auto& a) {
    upsweep::linear_recurrence(a.executor, a.in.first(99), a.other.first(99), int_span(a.other.data() + 1, 99));
  });
}

TEST_CASE("reductions check their input and where the result goes") {
  refuses("in ", "null", [](auto& a) { upsweep::reduce(a.executor, a.null, upsweep::plus<int>{}, &a.result); });
  refuses("in ", "null", [](auto& a) { a.result = upsweep::reduce(a.executor, a.null); });
  refuses("result ", "null", [](auto& a) {
    upsweep::reduce(a.executor, a.in.range(), upsweep::plus<int>{}, static_cast<std::int32_t*>(nullptr));
  });
  refuses("out ", "offsets",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.in.range(), a.other.range(), a.out.range()); });
  refuses("out ", "null", [](auto& a) {
    upsweep::segmented_reduce(a.executor, a.in.range(), a.other.range(), int_span(a.null.data(), 99));
  });
  refuses("in ", "null",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.null, a.other.range(), a.out.first(99)); });
  refuses("out ", "overlaps in",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.in.range(), a.other.range(), a.in.first(99)); });
  refuses("out ", "overlaps offsets",
          [](auto& a) { upsweep::segmented_reduce(a.executor, a.in.range(), a.other.range(), a.other.first(99)); });
}

TEST_CASE("reduce_by_key checks both outputs and the count") {
  const auto by_key = [](auto& a, const auto& keys_out, const auto& out, index_t* count) {
    upsweep::reduce_by_key(a.executor, a.other.range(), a.in.range(), keys_out, out, upsweep::plus<int>{}, count);
  };
  refuses("keys_out ", "99 items, needs 100", [&](auto& a) { by_key(a, a.out.first(99), a.out2.range(), &a.count); });
  refuses("out ", "99 items, needs 100", [&](auto& a) { by_key(a, a.out2.range(), a.out.first(99), &a.count); });
  refuses("keys_out ", "null", [&](auto& a) { by_key(a, a.null, a.out.range(), &a.count); });
  refuses("out ", "null", [&](auto& a) { by_key(a, a.out.range(), a.null, &a.count); });
  refuses("count ", "null", [&](auto& a) { by_key(a, a.out.range(), a.out2.range(), nullptr); });
  refuses("", "overlaps", [&](auto& a) { by_key(a, a.out.range(), a.out.range(), &a.count); });
  refuses("out ", "overlaps in", [&](auto& a) {
    upsweep::reduce_by_key(a.executor, a.other.first(99), a.in.first(99), a.out2.range(), int_span(a.in.data() + 1, 99),
                           upsweep::plus<int>{}, &a.count);
  });
}

TEST_CASE("compaction needs room for every item, and a place for its count") {
  refuses("out ", "99 items, needs 100",
          [](auto& a) { upsweep::copy_if(a.executor, a.in.range(), a.out.first(99), is_odd{}, &a.count); });
  refuses("out ", "99 items, needs 100",
          [](auto& a) { a.count = upsweep::copy_if(a.executor, a.in.range(), a.out.first(99), is_odd{}); });
  refuses("out ", "null", [](auto& a) { upsweep::copy_if(a.executor, a.in.range(), a.null, is_odd{}, &a.count); });
  refuses("in ", "null", [](auto& a) { upsweep::copy_if(a.executor, a.null, a.out.range(), is_odd{}, &a.count); });
  refuses("count ", "null",
          [](auto& a) { upsweep::copy_if(a.executor, a.in.range(), a.out.range(), is_odd{}, nullptr); });
  refuses("out ", "99 items",
          [](auto& a) { upsweep::copy_flagged(a.executor, a.in.range(), a.bytes.range(), a.out.first(99), &a.count); });
  refuses("count ", "null",
          [](auto& a) { upsweep::copy_flagged(a.executor, a.in.range(), a.bytes.range(), a.out.range(), nullptr); });
  refuses("out ", "overlaps in",
          [](auto& a) { upsweep::unique_copy(a.executor, a.in.first(99), int_span(a.in.data() + 1, 99), &a.count); });
  refuses("out ", "99 items",
          [](auto& a) { upsweep::unique_copy(a.executor, a.in.range(), a.out.first(99), &a.count); });
  refuses("count ", "null", [](auto& a) { upsweep::unique_copy(a.executor, a.in.range(), a.out.range(), nullptr); });
}

TEST_CASE("nonzero needs indices that hold every position") {
  refuses("indices ", "99 items, needs 100",
          [](auto& a) { upsweep::nonzero(a.executor, a.bytes.range(), a.out.first(99), &a.count); });
  refuses("flags ", "null", [](auto& a) { upsweep::nonzero(a.executor, a.null, a.out.range(), &a.count); });
  refuses("count ", "null", [](auto& a) { upsweep::nonzero(a.executor, a.bytes.range(), a.out.range(), nullptr); });
  refuses("indices", "cannot hold the position 299", [](auto& a) {
    const std::vector<std::uint8_t> flags(300, 1);
    std::vector<std::uint8_t> indices(300);
    upsweep::nonzero(a.executor, flags, indices, &a.count);
  });
}

TEST_CASE("run_length_encode checks both outputs and the count") {
  const auto encode = [](auto& a, const auto& values, const auto& lengths, index_t* count) {
    upsweep::run_length_encode(a.executor, a.in.range(), values, lengths, count);
  };
  refuses("values ", "99 items, needs 100", [&](auto& a) { encode(a, a.out.first(99), a.out2.range(), &a.count); });
  refuses("lengths ", "99 items, needs 100", [&](auto& a) { encode(a, a.out.range(), a.out2.first(99), &a.count); });
  refuses("values ", "null", [&](auto& a) { encode(a, a.null, a.out.range(), &a.count); });
  refuses("lengths ", "null", [&](auto& a) { encode(a, a.out.range(), a.null, &a.count); });
  refuses("count ", "null", [&](auto& a) { encode(a, a.out.range(), a.out2.range(), nullptr); });
  refuses("", "overlaps", [&](auto& a) { encode(a, a.out.range(), a.out.range(), &a.count); });
}

TEST_CASE("bare ranges are called by their stage") {
  refuses("the range of dense()", "99 items", [](auto& a) {
    upsweep::scan(a.executor, n, upsweep::contiguous(a.in.range()), upsweep::lift_to<int>{}, upsweep::plus<int>{},
                  upsweep::dense(a.out.first(99)), &a.result);
  });
  refuses("range 2 of contiguous()", "99 items", [](auto& a) {
    upsweep::scan(a.executor, n, upsweep::contiguous(a.in.range(), a.other.first(99)), upsweep::detail::lift_nothing{},
                  upsweep::nothing{}, upsweep::discard, upsweep::no_total);
  });
  refuses("range 1 of packed_rows()", "99 items", [](auto& a) {
    upsweep::scan(a.executor, n, upsweep::contiguous(a.in.range()), upsweep::detail::lift_nothing{}, upsweep::nothing{},
                  upsweep::packed_rows(is_odd{}, upsweep::take_item{}, a.out.first(99)), upsweep::no_total);
  });
  refuses("range 1 of partitioned()", "overlaps range 2 of partitioned()", [](auto& a) {
    upsweep::scan(a.executor, n, upsweep::contiguous(a.in.range()), upsweep::detail::lift_nothing{}, upsweep::nothing{},
                  upsweep::partitioned(is_odd{}, upsweep::take_item{}, a.out.range(), a.out.range()),
                  upsweep::no_total);
  });
  refuses("range 1 of packed()", "overlaps range 2 of packed()", [](auto& a) {
    upsweep::scan(a.executor, n, upsweep::contiguous(a.in.range()), upsweep::detail::lift_nothing{}, upsweep::nothing{},
                  upsweep::packed<2>(is_odd{}, a.out.range(), a.out.range()), upsweep::no_total);
  });
}
