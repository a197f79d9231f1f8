// The ends of a sweep, each in front of or behind the fused scan: what a load gives, and where a store puts it.
#include <cstdint>
#include <vector>

#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::contiguous;
using upsweep::dense;
using upsweep::get;
using upsweep::index_t;
using upsweep::tuple;
using sum64 = upsweep::plus<std::int64_t>;

namespace {
using columns = tuple<std::uint8_t, std::int32_t, double>;
struct weigh {  // reads all three columns
  UPSWEEP_HD std::int64_t operator()(const columns& item) const {
    return get<0>(item) + 3 * static_cast<std::int64_t>(get<1>(item)) + static_cast<std::int64_t>(get<2>(item));
  }
};
struct all_of_it {  // a projection that needs everything it is given
  template <class Item>
  UPSWEEP_HD std::int64_t operator()(index_t i, const Item& item, std::int64_t exclusive,
                                     std::int64_t inclusive) const {
    return 7 * i + get<1>(item) + (i ? 3 * exclusive : 0) + inclusive;
  }
};
struct difference {
  UPSWEEP_HD std::int64_t operator()(const upsweep::neighbours<std::int32_t>& item) const {
    return item.first ? 1000 : static_cast<std::int64_t>(item.value) - item.previous;
  }
};
struct square_plus {
  std::int64_t base;
  UPSWEEP_HD std::int64_t operator()(index_t i) const { return base + i % 1000 * (i % 1000); }
};
struct weigh_index {
  UPSWEEP_HD std::int64_t operator()(const tuple<index_t, std::int16_t>& item) const {
    return get<0>(item) * get<1>(item);
  }
};

template <int K>
struct modulo {  // stream x % (K + 1); the last one is dropped, or the rest
  UPSWEEP_HD int operator()(std::uint32_t x) const { return static_cast<int>(x % (K + 1)); }
};
struct even_rows {
  template <class Item>
  UPSWEEP_HD int operator()(const Item& item) const {
    return get<0>(item) % 2 == 0 ? 0 : 1;
  }
};
struct make_row {  // an index, the sum up to it, and a part of the item
  template <class Item>
  UPSWEEP_HD tuple<index_t, std::int64_t, std::uint16_t> operator()(index_t i, const Item& item, std::int64_t,
                                                                    std::int64_t inclusive) const {
    return upsweep::make_tuple(i, inclusive, get<1>(item));
  }
};
struct negated_prefix {
  UPSWEEP_HD std::int64_t operator()(std::int64_t inclusive) const { return -inclusive; }
};
struct prefix_less_item {
  UPSWEEP_HD std::int64_t operator()(std::int32_t item, std::int64_t inclusive) const {
    return inclusive - 2 * static_cast<std::int64_t>(item);
  }
};
struct item_and_prefixes {
  UPSWEEP_HD std::int64_t operator()(std::int32_t item, std::int64_t exclusive, std::int64_t inclusive) const {
    return 3 * exclusive + inclusive + item;
  }
};
struct reversed_positions {
  std::int64_t* out;
  index_t n;
  UPSWEEP_HD void operator()(index_t i, std::int32_t, std::int64_t, std::int64_t inclusive) const {
    out[n - 1 - i] = -inclusive;
  }
};
}  // namespace

TEST_CASE("contiguous loads several ranges in step, and dense stores what its projection makes of everything") {
  for (const index_t n : test::few_sizes(8)) {
    const auto a = test::random_integers<std::uint8_t>(n, 0, 1);
    const auto b = test::random_integers<std::int32_t>(n, 0, 2);
    const auto c = test::generate(n, [](test::generator& random) { return static_cast<double>(random.below(1000)); });
    std::vector<std::int64_t> expected(a.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); i++) {
      const auto item = upsweep::make_tuple(a[i], b[i], c[i]);
      const std::int64_t before = sum;
      sum += weigh{}(item);
      expected[i] = all_of_it{}(static_cast<index_t>(i), item, before, sum);
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint8_t> as(executor, a, shift_of(n));
      guarded<std::int32_t> bs(executor, b, shift_of(n, 1));
      guarded<double> cs(executor, c, shift_of(n, 2));
      guarded<std::int64_t> to(executor, n, shift_of(n, 3));
      const std::int64_t total = upsweep::scan(executor, n, contiguous(as.range(), bs.range(), cs.range()), weigh{},
                                               sum64{}, dense(to.range(), all_of_it{}));
      check_equal(to.items(executor), expected);
      CHECK(total == sum);
    });
  }
}

TEST_CASE("a store's function takes what it needs of index, item and prefixes") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::int32_t>(n);
    std::vector<std::int64_t> prefix(in.size()), gap(in.size()), all(in.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < in.size(); i++) {
      const std::int64_t before = sum;
      sum += in[i];
      prefix[i] = -sum;
      gap[i] = sum - 2 * static_cast<std::int64_t>(in[i]);
      all[i] = 3 * before + sum + in[i];
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> to(executor, n, shift_of(n, 1));
      const auto run = [&](const auto& store) {
        upsweep::scan(executor, n, contiguous(from.range()), upsweep::lift_to<std::int64_t>{}, sum64{}, store,
                      upsweep::no_total);
      };
      run(dense(to.range(), negated_prefix{}));
      check_equal(to.items(executor), prefix);
      run(dense(to.range(), prefix_less_item{}));
      check_equal(to.items(executor), gap);
      run(dense(to.range(), item_and_prefixes{}));
      check_equal(to.items(executor), all);
      guarded<std::int64_t> scattered(executor, n);
      run(upsweep::each(reversed_positions{scattered.data(), n}));
      const auto backwards = scattered.items(executor);
      check_equal(std::vector<std::int64_t>(backwards.rbegin(), backwards.rend()), prefix);
    });
  }
}

TEST_CASE("with_previous loads an item and the one before it") {
  for (const index_t n : test::few_sizes(8)) {
    const auto in = test::random_integers<std::int32_t>(n);
    std::vector<std::int64_t> expected(in.size());  // differences telescope
    for (std::size_t i = 0; i < in.size(); i++) expected[i] = 1000 + static_cast<std::int64_t>(in[i]) - in[0];
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int32_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> to(executor, n, shift_of(n, 1));
      upsweep::scan(executor, n, upsweep::with_previous(from.range()), difference{}, sum64{}, dense(to.range()));
      check_equal(to.items(executor), expected);
    });
  }
}

TEST_CASE("reversed, the previous item is the one to the right") {
  test::on_hosts([](auto& executor) {
    const std::vector<std::int32_t> in = {10, 13, 20, 40};
    std::vector<std::int64_t> out(4);
    upsweep::scan(executor, 4, upsweep::with_previous(in), difference{}, sum64{}, dense(out), upsweep::reversed);
    CHECK(out == std::vector<std::int64_t>{970, 973, 980, 1000});
  });
}

TEST_CASE("computed loads and ranges stand beside each other") {
  for (const index_t n : test::few_sizes(8)) {
    const auto in = test::random_integers<std::int16_t>(n);
    std::vector<std::int64_t> weighed(in.size()), squares(in.size());
    std::int64_t sum = 0, sum_of_squares = 0;
    for (std::size_t i = 0; i < in.size(); i++) {
      weighed[i] = sum += static_cast<std::int64_t>(i) * in[i];
      squares[i] = sum_of_squares += square_plus{5}(static_cast<index_t>(i));
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::int16_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> to(executor, n, shift_of(n, 1));
      upsweep::scan(executor, n, contiguous(upsweep::indices(), from.range()), weigh_index{}, sum64{},
                    dense(to.range()));
      check_equal(to.items(executor), weighed);
      upsweep::scan(executor, n, upsweep::computed<std::int64_t>(square_plus{5}), upsweep::lift_to<std::int64_t>{},
                    sum64{}, dense(to.range()));
      check_equal(to.items(executor), squares);
    });
  }
}

TEST_CASE("a constant is loaded for every item") {
  test::on_hosts([](auto& executor) {
    for (const index_t n : {0, 1, 5000}) {
      const auto total = upsweep::scan(executor, n, upsweep::constant(std::int8_t{-3}),
                                       upsweep::lift_to<std::int64_t>{}, sum64{}, upsweep::discard);
      CHECK(total == -3 * n);
    }
  });
}

TEST_CASE("computed deduces what its function returns") {
  const auto load = upsweep::computed([](index_t i) { return static_cast<float>(i); });
  STATIC_REQUIRE(std::is_same_v<decltype(load)::item_type, float>);
  upsweep::host executor(2);
  CHECK(upsweep::scan(executor, 100, load, upsweep::lift_to<float>{}, upsweep::plus<float>{}, upsweep::discard) ==
        4950.f);
}

namespace {
template <int K>
std::vector<std::uint32_t> stream_of(const std::vector<std::uint32_t>& in, std::uint32_t stream) {
  return oracle::copy_if(in, [=](std::uint32_t x) { return x % (K + 1) == stream; });
}
}  // namespace

TEST_CASE("packed distributes items over two streams, each in order") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), first(executor, n, shift_of(n, 1)),
          second(executor, n, shift_of(n, 2));
      const auto total =
          upsweep::scan(executor, n, contiguous(from.range()), upsweep::detail::lift_nothing{}, upsweep::nothing{},
                        upsweep::packed<2>(modulo<2>{}, first.range(), second.range()));
      const auto zeros = stream_of<2>(in, 0), ones = stream_of<2>(in, 1);
      REQUIRE(total.counts[0] == oracle::size(zeros));
      REQUIRE(total.counts[1] == oracle::size(ones));
      check_equal(first.items(executor, total.counts[0]), zeros);
      check_equal(second.items(executor, total.counts[1]), ones);
    });
  }
}

TEST_CASE("packed distributes items over four streams beside a sum") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const std::int64_t sum = oracle::reduce(in, sum64{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n));
      guarded<std::uint32_t> out[] = {{executor, n, 1}, {executor, n, 2}, {executor, n, 3}, {executor, n, 0}};
      const auto total = upsweep::scan(
          executor, n, contiguous(from.range()), upsweep::lift_to<std::int64_t>{}, sum64{},
          upsweep::packed<4>(modulo<4>{}, out[0].range(), out[1].range(), out[2].range(), out[3].range()));
      CHECK(total.value == sum);
      for (std::uint32_t stream = 0; stream < 4; stream++) {
        const auto expected = stream_of<4>(in, stream);
        REQUIRE(total.counts[stream] == oracle::size(expected));
        check_equal(out[stream].items(executor, total.counts[stream]), expected);
      }
    });
  }
}

namespace {
struct running_sum {  // what a row is made of
  UPSWEEP_HD std::uint32_t operator()(index_t, std::uint32_t, std::int64_t, std::int64_t inclusive) const {
    return static_cast<std::uint32_t>(inclusive);
  }
};
}  // namespace

TEST_CASE("partitioned gives every item's row to a range, beside a sum") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    std::vector<std::uint32_t> expected[2];
    std::int64_t sum = 0;
    for (const std::uint32_t x : in) {
      sum += x;
      expected[modulo<1>{}(x) == 0 ? 0 : 1].push_back(static_cast<std::uint32_t>(sum));
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n)), zeros(executor, n, shift_of(n, 1)),
          others(executor, n, shift_of(n, 2));
      const auto total = upsweep::scan(
          executor, n, contiguous(from.range()), upsweep::lift_to<std::int64_t>{}, sum64{},
          upsweep::partitioned(modulo<1>{}, running_sum{}, upsweep::detail::output("zeros", zeros.range()),
                               upsweep::detail::output("others", others.range())));
      CHECK(total.value == sum);
      REQUIRE(total.counts[0] == oracle::size(expected[0]));
      check_equal(zeros.items(executor, total.counts[0]), expected[0]);
      check_equal(others.items(executor, n - total.counts[0]), expected[1]);
    });
  }
}

namespace {
struct lift_first {
  UPSWEEP_HD std::int64_t operator()(const tuple<std::uint32_t, std::uint16_t>& item) const { return get<0>(item); }
};
}  // namespace

TEST_CASE("packed_rows puts the columns of one stream's rows into several ranges") {
  for (const index_t n : test::few_sizes(8)) {
    const auto a = test::random_integers<std::uint32_t>(n, 200, 1);
    const auto b = test::random_integers<std::uint16_t>(n, 0, 2);
    std::vector<index_t> indices;
    std::vector<std::int64_t> sums;
    std::vector<std::uint16_t> items;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); i++) {
      sum += a[i];
      if (a[i] % 2 != 0) continue;
      indices.push_back(static_cast<index_t>(i));
      sums.push_back(sum);
      items.push_back(b[i]);
    }
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> as(executor, a, shift_of(n));
      guarded<std::uint16_t> bs(executor, b, shift_of(n, 1)), to_items(executor, n, shift_of(n, 2));
      guarded<index_t> to_indices(executor, n, shift_of(n, 3));
      guarded<std::int64_t> to_sums(executor, n, shift_of(n, 4));
      const auto total = upsweep::scan(
          executor, n, contiguous(as.range(), bs.range()), lift_first{}, sum64{},
          upsweep::packed_rows(even_rows{}, make_row{}, upsweep::detail::output("indices", to_indices.range()),
                               upsweep::detail::output("sums", to_sums.range()),
                               upsweep::detail::output("items", to_items.range())));
      const auto again = upsweep::scan(
          executor, n, contiguous(as.range(), bs.range()), lift_first{}, sum64{},
          upsweep::packed_rows(even_rows{}, make_row{}, to_indices.range(), to_sums.range(), to_items.range()));
      CHECK(again.counts[0] == total.counts[0]);
      REQUIRE(total.counts[0] == oracle::size(indices));
      CHECK(total.value == sum);
      check_equal(to_indices.items(executor, total.counts[0]), indices);
      check_equal(to_sums.items(executor, total.counts[0]), sums);
      check_equal(to_items.items(executor, total.counts[0]), items);
    });
  }
}

namespace {
struct count_load {  // how often an index was loaded
  std::uint32_t* counters;
  UPSWEEP_HD std::uint32_t operator()(index_t i) const {
    test::count_up(counters + i);
    return static_cast<std::uint32_t>(i & 3);
  }
};
struct check_and_count {  // how often an index was stored, and with the right values
  std::uint32_t* counters;
  std::uint32_t* trap;
  UPSWEEP_HD void operator()(index_t i, std::uint32_t item, std::int64_t exclusive, std::int64_t inclusive) const {
    test::count_up(counters + i);
    const std::int64_t r = i & 3,
                       before = 6 * (i >> 2) + r * (r - 1) / 2;  // the sum of the first i of 0, 1, 2, 3, 0, …
    if (item != r || exclusive != before || inclusive != before + item) test::count_up(trap);
  }
};
}  // namespace

TEST_CASE("a computed load and an each store run exactly once an item, and never elsewhere") {
  for (const index_t n : test::sizes()) {
    const std::vector<std::uint32_t> none(oracle::at(n)), once(oracle::at(n), 1);
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> loads(executor, none), stores(executor, none);
      test::trap wrong(executor);
      upsweep::scan(executor, n, upsweep::computed<std::uint32_t>(count_load{loads.data()}),
                    upsweep::lift_to<std::int64_t>{}, sum64{},
                    upsweep::each(check_and_count{stores.data(), wrong.counter()}));
      check_equal(loads.items(executor), once);
      check_equal(stores.items(executor), once);
      CHECK_FALSE(wrong.sprung(executor));
    });
  }
}

namespace {
struct note_result {  // what a scan does once with its total
  std::int64_t* out;
  UPSWEEP_HD void operator()(std::uint32_t last, std::int64_t total) const {
    out[0] += 1;
    out[1] = last;
    out[2] = total;
  }
  UPSWEEP_HD void empty(std::int64_t identity) const {
    out[0] += 1;
    out[2] = identity;
  }
};
}  // namespace

TEST_CASE("scan_then hands the last item and the total to its function, once") {
  for (const index_t n : test::few_sizes()) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const std::int64_t last = n ? std::int64_t{in.back()} : -7;
    const std::int64_t sum = oracle::reduce(in, sum64{});
    test::on_executors(n, [&](auto& executor) {
      guarded<std::uint32_t> from(executor, in, shift_of(n));
      guarded<std::int64_t> to(executor, n, shift_of(n, 1));
      guarded<std::int64_t> noted(executor, std::vector<std::int64_t>{0, -7, -7});
      upsweep::detail::scan_then(executor, n, contiguous(from.range()), upsweep::lift_to<std::int64_t>{}, sum64{},
                                 dense(to.range()), note_result{noted.data()});
      executor.synchronize();
      check_equal(noted.items(executor), {1, last, sum});
    });
  }
}
