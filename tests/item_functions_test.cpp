// Functions of items in every form that calls take: of a row, of its columns, and pointers to members.
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/transform.hpp>

#include "support.hpp"

using upsweep::buffer;
using upsweep::contiguous;

namespace {
constexpr int n = 50'001;

struct product {
  UPSWEEP_HD double operator()(std::int32_t x, float y) const {
    return static_cast<double>(x) * static_cast<double>(y);
  }
};
struct product_of_row {
  UPSWEEP_HD double operator()(const upsweep::tuple<std::int32_t, float>& row) const {
    const auto& [x, y] = row;
    return product{}(x, y);
  }
};
struct is_above {
  UPSWEEP_HD bool operator()(std::int32_t x, float y) const { return static_cast<float>(x) > y; }
};
struct order_of {
  UPSWEEP_HD int operator()(std::int32_t x, float y) const {
    return static_cast<float>(x) < y ? 0 : static_cast<float>(x) > y ? 2 : 1;
  }
};
struct record {
  std::uint32_t customer;
  float price;
  bool is_open;
};

// Numbers whose products and sums are exact.
const std::vector<std::int32_t> xs = test::random_integers<std::int32_t>(n, 16);
const std::vector<float> ys = test::generate(
    n, [](test::generator& random) { return static_cast<float>(random.below(16)); }, 1);
}  // namespace

TEST_CASE("reduce by a lift of columns is a dot product") {
  double expected = 0;
  for (std::size_t i = 0; i < xs.size(); i++) expected += product{}(xs[i], ys[i]);
  test::on_executors([&](auto& executor) {
    const buffer<std::int32_t> x(executor, xs);
    const buffer<float> y(executor, ys);
    CHECK(upsweep::reduce(executor, contiguous(x, y), product{}, upsweep::plus<double>{}) == expected);
    CHECK(upsweep::reduce(executor, contiguous(x, y), product_of_row{}, upsweep::plus<double>{}) == expected);
    buffer<double> result(executor, 1);
    upsweep::reduce(executor, contiguous(x, y), product{}, upsweep::plus<double>{}, result.data());
    CHECK(result.to_vector(executor)[0] == expected);
    CHECK(upsweep::scan(executor, n, contiguous(x, y), product{}, upsweep::plus<double>{}, upsweep::discard) ==
          expected);
  });
}

TEST_CASE("reduce by a lift of a range, of nothing, and of columns that do not match") {
  test::on_executors([](auto& executor) {
    const buffer<record> all(executor, std::vector<record>{{1, 2.f, true}, {2, 0.5f, false}});
    CHECK(upsweep::reduce(executor, all, &record::price, upsweep::plus<double>{}) == 2.5);
    CHECK(upsweep::reduce(executor, contiguous(all), &record::price, upsweep::maximum<float>{}) == 2);
    const buffer<std::int32_t> none(executor, 0), three(executor, 3);
    const buffer<float> no_others(executor, 0), two(executor, 2);
    CHECK(upsweep::reduce(executor, contiguous(none, no_others), product{}, upsweep::plus<double>{}) == 0);
    test::check_refused([&] { upsweep::reduce(executor, contiguous(three, two), product{}, upsweep::plus<double>{}); },
                        "", "3 items");
  });
}

TEST_CASE("predicates, classifiers and functions take a row's columns") {
  std::vector<std::int32_t> kept, sides[3];
  std::vector<double> products;
  for (std::size_t i = 0; i < xs.size(); i++) {
    if (is_above{}(xs[i], ys[i])) kept.push_back(xs[i]);
    sides[order_of{}(xs[i], ys[i])].push_back(xs[i]);
    products.push_back(product{}(xs[i], ys[i]));
  }
  test::on_executors([&](auto& executor) {
    const buffer<std::int32_t> x(executor, xs);
    const buffer<float> y(executor, ys);
    buffer<std::int32_t> a(executor, n), b(executor, n), c(executor, n);
    buffer<float> ay(executor, n), by(executor, n), cy(executor, n);
    const auto first = [&](buffer<std::int32_t>& items, std::int64_t count) {
      auto found = items.to_vector(executor);
      found.resize(static_cast<std::size_t>(count));
      return found;
    };
    test::check_equal(first(a, upsweep::copy_if(executor, contiguous(x, y), std::tie(a, ay), is_above{})), kept);
    test::check_equal(first(a, upsweep::stable_partition_copy(executor, contiguous(x, y), std::tie(a, ay), is_above{})),
                      kept);
    const auto counts = upsweep::three_way_partition(executor, contiguous(x, y), std::tie(a, ay), std::tie(b, by),
                                                     std::tie(c, cy), order_of{});
    test::check_equal(first(a, counts[0]), sides[0]);
    test::check_equal(first(b, counts[1]), sides[1]);
    test::check_equal(first(c, n - counts[0] - counts[1]), sides[2]);
    buffer<double> out(executor, n);
    upsweep::transform(executor, contiguous(x, y), out, product{});
    test::check_equal(out.to_vector(executor), products);
  });
}

TEST_CASE("a pointer to a member is a function of an item") {
  const std::vector<record> all{{3, 1.5f, true}, {1, 2.5f, false}, {2, 3.5f, true}};
  test::on_executors([&](auto& executor) {
    const buffer<record> in(executor, all);
    buffer<record> out(executor, 3);
    buffer<float> prices(executor, 3);
    CHECK(upsweep::copy_if(executor, in, out, &record::is_open) == 2);
    CHECK(out.to_vector(executor)[1].customer == 2);
    upsweep::transform(executor, contiguous(in), prices, &record::price);
    CHECK(prices.to_vector(executor) == std::vector{1.5f, 2.5f, 3.5f});
    upsweep::radix_sort(executor, in, out, &record::customer);
    CHECK(out.to_vector(executor)[0].price == 2.5f);
    buffer<std::int32_t> at(executor, 3);
    upsweep::radix_argsort(executor, in, at, &record::customer);
    CHECK(at.to_vector(executor) == std::vector{1, 2, 0});
  });
}
