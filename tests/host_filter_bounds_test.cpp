// What filters of the tests are held to: the error that follows from the method.
#include <span>
#include <vector>

#include "filter_support.hpp"
#include "support.hpp"

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
