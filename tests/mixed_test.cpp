// One program of translation units of both kinds: plain.cpp is compiled by the C++ compiler, this file (in tests_cuda)
// by nvcc. They see different templates under the same names; each must get its own, and exceptions must pass between
// them.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "oracle.hpp"
#include "plain.hpp"
#include "support.hpp"

namespace {
struct is_odd {
  UPSWEEP_HD bool operator()(int x) const { return x % 2 != 0; }
};
}  // namespace

TEST_CASE("translation units with and without CUDA live in one program") {
  CHECK_FALSE(plain::has_cuda());
  const auto in = test::random_integers<int>(100'003);
  const auto expected = oracle::inclusive_scan(in, upsweep::plus<int>{});
  const auto kept = oracle::copy_if(in, is_odd{});
  const auto sum = oracle::reduce(in, upsweep::plus<std::int64_t>{});
  test::check_equal(plain::inclusive_scan(in), expected);
  test::check_equal(plain::keep_odd(in), kept);
  CHECK(plain::sum(in) == sum);

  for (const char* backend : {"host", "auto"}) {
    upsweep::any_executor executor = upsweep::any_executor::named(backend);
    const upsweep::buffer<int> from(executor, in);
    upsweep::buffer<int> to(executor, from.size());
    upsweep::inclusive_scan(executor, from, to);
    test::check_equal(to.to_vector(executor), expected);
    CHECK(upsweep::reduce(executor, from, upsweep::plus<std::int64_t>{}) == sum);
    CHECK(upsweep::copy_if(executor, from, to, is_odd{}) == oracle::size(kept));
  }
  test::check_equal(plain::inclusive_scan(in), expected);
}

TEST_CASE("exceptions of one kind of translation unit are caught in the other") {
  CHECK(test::starts_with(test::message_of<std::invalid_argument>(plain::refuse_short_output), "out has 1 items"));
  CHECK(test::contains(test::message_of<upsweep::no_device>(plain::ask_for_cuda), "compiled without CUDA"));
}
