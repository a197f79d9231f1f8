// What filters of the tests are held to: the error that follows from the method. And their tables, which the method
// takes.
#include <cstring>
#include <span>
#include <vector>

#include <upsweep/filter/cascade.hpp>
#include <upsweep/filter/powers.hpp>

#include "filter_support.hpp"
#include "support.hpp"

namespace {
//! Is what one lane computes by sections the same as what lanes do entry by entry?
template <int Sections, int Order, int Unit>
void check_tables() {
  INFO(Sections << " sections of order " << Order << ", " << Unit << " items");
  upsweep::cascade<Sections, Order> rule;
  test::generator random{static_cast<std::uint64_t>(Sections * 100 + Order)};
  for (int s = 0; s < Sections; s++) {
    double b[Order + 1], a[Order];
    for (double& x : b) x = random.unit() - 0.5;
    for (double& x : a) x = (random.unit() - 0.5) / Order;
    rule.set(s, b, a);
  }
  using tables = upsweep::responding<upsweep::cascade<Sections, Order>, Unit, 2>;
  struct nobody {
    void operator()() const {}
  };
  const tables alone(rule);
  tables of_lanes;
  of_lanes.rule = rule;
  upsweep::span_room<upsweep::cascade<Sections, Order>, long double> room{};
  of_lanes.span(room, 0, 1, nobody{});
  CHECK(std::memcmp(alone.weights, of_lanes.weights, sizeof alone.weights) == 0);
  CHECK(std::memcmp(alone.powers, of_lanes.powers, sizeof alone.powers) == 0);
  CHECK(std::memcmp(alone.response, of_lanes.response, sizeof alone.response) == 0);
  CHECK(std::memcmp(alone.outputs, of_lanes.outputs, sizeof alone.outputs) == 0);
}
}  // namespace

TEST_CASE("magnitudes of a filter are those of its sums, worked out by hand") {
  // y[i] = x[i] + y[i-1]/2: up to 2. Five operations on no more than 1 + 2/2, and their coefficients, add up to twice
  // what they lose. A state of 1 adds 2 more.
  const oracle::polynomials half{{1}, {1, -0.5}};
  const auto m = oracle::magnitudes_of(std::span(&half, 1));
  CHECK(m.largest == Approx(2));
  CHECK(m.roundings == Approx(6 * (1 + 2. / 2) * 2));
  CHECK(oracle::magnitudes_of(std::span(&half, 1), 3, 1).largest == Approx(3 * 2 + 2));
  const std::vector<oracle::polynomials> twice{half, half};
  CHECK(oracle::magnitudes_of(std::span(twice)).largest == Approx(4));
}

TEST_CASE("the error of the method is far below the signal") {
  for (const test::filter& f : test::some_filters()) {
    INFO(f.name());
    CHECK(test::error_of(f, 1) > 1e-15);
    CHECK(test::error_of(f, 1) < 1e-8);
  }
}

TEST_CASE("one lane computes a filter's tables to the bits that many do") {
  check_tables<1, 1, 128>();
  check_tables<1, 2, 128>();
  check_tables<1, 8, 128>();
  check_tables<1, 8, 3>();
  check_tables<2, 2, 18>();
  check_tables<4, 2, 128>();
  check_tables<8, 2, 40>();
}
