// Prefix networks: the formulas of the literature, a run over a monoid that does not commute, adders, bad networks.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <upsweep/prefix_network.hpp>

#include "../apps/common/adder.hpp"
#include "support.hpp"

using upsweep::index_t;
using upsweep::prefix_network;

namespace {
//! Rows of nodes as they were described, on letters.
std::string run(const prefix_network& network, const std::string& letters) {
  std::vector<std::string> values;
  for (const char c : letters) values.emplace_back(1, c);
  for (const auto& row : network.rows()) {
    const auto before = values;
    for (const auto& [from, to] : row)
      values[static_cast<std::size_t>(to)] =
          before[static_cast<std::size_t>(from)] + before[static_cast<std::size_t>(to)];
  }
  std::string all;
  for (const auto& value : values) all += value + ' ';
  return all;
}
std::string prefixes(const std::string& letters) {
  std::string all;
  for (std::size_t i = 1; i <= letters.size(); i++) all += letters.substr(0, i) + ' ';
  return all;
}

struct builder {
  const char* name;
  std::function<prefix_network(int)> build;
};
std::vector<builder> builders() {
  std::vector<builder> all{{"serial", upsweep::serial_network},
                           {"kogge_stone", upsweep::kogge_stone},
                           {"sklansky", upsweep::sklansky},
                           {"brent_kung", upsweep::brent_kung}};
  for (int k = 0; k < 5; k++) {
    all.push_back({"ladner_fischer", [=](int n) { return upsweep::ladner_fischer(n, k); }});
    all.push_back({"han_carlson", [=](int n) { return upsweep::han_carlson(n, k); }});
  }
  return all;
}

void check_cost(const prefix_network& network, int depth, index_t size) {
  const auto cost = network.cost();
  CHECK(cost.depth == depth);
  CHECK(cost.size == size);
}
index_t fibonacci(int i) { return i < 3 ? 1 : fibonacci(i - 1) + fibonacci(i - 2); }
}  // namespace

TEST_CASE("every network gives the prefixes, in their order, for all small n") {
  std::string letters;
  for (int n = 1; n <= 130; n++) {
    letters += static_cast<char>('!' + n % 90);
    if (n > 20 && n % test::sanitized_step(7)) continue;  // the bounds of memory are those of few networks
    const std::string expected = prefixes(letters);
    for (const auto& [name, build] : builders()) {
      INFO(name << ", n = " << n);
      const auto network = build(n);
      REQUIRE(network.width() == n);
      REQUIRE(run(network, letters) == expected);
      const auto cost = network.cost();
      CHECK(cost.depth + cost.size >= 2 * n - 2);  // Snir 1986
    }
  }
}

// To build a network is to prove it on intervals: what is no prefix is refused.
TEST_CASE("every network of up to 4,100 places is proved") {
  constexpr int most = 4100;
  const int step = test::sanitized_step(205);
  const auto check = [](const builder& its, int n) {
    INFO(its.name << ", n = " << n);
    const auto cost = its.build(n).cost();
    if (cost.depth + cost.size < 2 * n - 2) FAIL("less than Snir's bound");
  };
  for (const builder& its : builders()) {
    const bool is_long = its.name == std::string("serial");  // n rows of n places: of those a few
    for (int n = most; n > 130; n -= is_long ? 997 : step) check(its, n);
  }
}

TEST_CASE("rows, nodes and readers are those of the literature") {
  for (int m = 2; m <= 12; m++) {
    const int n = 1 << m;
    INFO("n = " << n);
    check_cost(upsweep::serial_network(n), n - 1, n - 1);
    check_cost(upsweep::kogge_stone(n), m, index_t{n} * m - n + 1);
    check_cost(upsweep::sklansky(n), m, index_t{n} / 2 * m);
    check_cost(upsweep::brent_kung(n), 2 * m - 2, 2 * n - 2 - m);
    check_cost(upsweep::han_carlson(n), m > 2 ? m + 1 : 2, index_t{n} / 2 * m);
    check_cost(upsweep::ladner_fischer(n, 0), m, 4 * n - fibonacci(m + 5) + 1);
    CHECK(upsweep::ladner_fischer(n, m - 2).rows() == upsweep::brent_kung(n).rows());
    for (int k = 0; k <= m - 2; k++) {
      const auto cost = upsweep::ladner_fischer(n, k).cost();
      CHECK(cost.depth == m + k);
      CHECK(static_cast<double>(cost.size) <= 2 * (1 + 1. / (1 << k)) * n - 2);
    }
    CHECK(upsweep::kogge_stone(n).cost().fan_out == m);
    CHECK(upsweep::kogge_stone(n).cost().fan_out_of_row == 2);
    CHECK(upsweep::kogge_stone(n).cost().tracks == n / 2);
    CHECK(upsweep::sklansky(n).cost().fan_out == n / 2);
    CHECK(upsweep::sklansky(n).cost().tracks == 1);
    CHECK(upsweep::brent_kung(n).cost().fan_out == m);
  }
  check_cost(upsweep::ladner_fischer(16, 0), 4, 31);
  check_cost(upsweep::ladner_fischer(16, 1), 5, 27);
  check_cost(upsweep::ladner_fischer(1024, 0), 10, 3487);
  check_cost(upsweep::ladner_fischer(1024, 1), 11, 2695);
  check_cost(upsweep::ladner_fischer(1024, 2), 12, 2326);
}

TEST_CASE("an adder by any network adds") {
  for (const auto& [name, build] : builders()) {
    INFO(name);
    const auto eight = build(8), sixty_four = build(64), odd = build(13);
    int wrong = 0;
    for (unsigned a = 0; a < 256; a += static_cast<unsigned>(test::sanitized_step(5)))
      for (unsigned b = 0; b < 256; b++) {
        const auto [sum, carry_out] = app::add_by(eight, a, b);
        wrong += sum != (a + b) % 256 || carry_out != (a + b > 255);
      }
    CHECK(wrong == 0);
    test::generator random(1);
    for (int k = 0; k < 1000; k++) {
      const std::uint64_t a = random(), b = k % 3 ? random() : ~a + random.below(3);  // long runs of carries too
      const auto [sum, carry_out] = app::add_by(sixty_four, a, b);
      REQUIRE(sum == a + b);
      REQUIRE(carry_out == (a + b < a));
      REQUIRE(app::add_by(odd, a % 8192, b % 8192).sum == (a % 8192 + b % 8192) % 8192);
    }
  }
}

TEST_CASE("a bad network is refused, and the node is named") {
  using rows = std::vector<prefix_network::row>;
  const auto refused = [](int n, const rows& r, const char* start, const char* part) {
    test::check_refused([&] { prefix_network(n, r); }, start, part);
  };
  refused(0, {}, "n is 0", "at least 1");
  refused(3, {{{0, 1}}}, "network leaves at place 2", "covers only 2");
  refused(2, {{{1, 0}}}, "network has a node from 1 to 0", "to the right");
  refused(2, {{{0, 2}}}, "network has a node from 0 to 2", "within 2");
  refused(3, {{{0, 2}}}, "network combines in row 0 what covers 0 to 0 with what covers 2 to 2", "");
  refused(3, {{{0, 1}, {1, 2}}}, "network leaves at place 2", "covers only 1");  // reads 1 before the row
  refused(3, {{{0, 1}, {1, 2}}, {{1, 2}}}, "network combines in row 1", "");
  refused(2, {{{0, 1}, {0, 1}}}, "network has two nodes", "place 1");
  refused(2, {{{0, 1}, {1, 0}}}, "network has a node from 1 to 0", "to the right");  // a cycle, in one row
  refused(2, {{{0, 1}}, {{1, 0}}}, "network has a node from 1 to 0", "to the right");
  const std::vector<upsweep::network_node> cycle{{0, 1}, {1, 0}};
  test::check_refused([&] { prefix_network(2, cycle); }, "network has a node from 1 to 0", "to the right");
  test::check_refused([] { upsweep::ladner_fischer(4, -1); }, "k is -1", "negative");
  test::check_refused([] { upsweep::kogge_stone(-3); }, "n is -3", "at least 1");
}
