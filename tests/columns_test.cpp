// Compaction and partition of several columns at once against the oracle: each column as if it stood alone; in place,
// column by column; columns of every width.
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/partition.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::contiguous;
using upsweep::index_t;

namespace {
using point = test::interval<12>;
using upsweep::tuple;

// A row's number is in its id, whatever else moves: rows torn apart are noticed.
template <class T>
T part_of(std::int64_t id) {
  if constexpr (std::is_same_v<T, point>) {
    return point::of(static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id) + 1);
  } else {
    return static_cast<T>(id * 3 + 1);
  }
}
template <class T>
std::vector<T> parts_of(const std::vector<std::int64_t>& ids) {
  std::vector<T> parts;
  parts.reserve(ids.size());
  for (const std::int64_t id : ids) parts.push_back(part_of<T>(id));
  return parts;
}
std::vector<std::int64_t> random_ids(index_t n) {
  return test::generate(n, [](test::generator& random) { return static_cast<std::int64_t>(random.below(1 << 20)); });
}

struct id_is_odd {
  template <class T, class... Ts>
  UPSWEEP_HD bool operator()(const tuple<T, Ts...>& row) const {
    return (row.head * 0x9E3779B1) >> 7 & 1;
  }
  UPSWEEP_HD bool operator()(std::int64_t id) const { return (id * 0x9E3779B1) >> 7 & 1; }
};
struct is_heavy {  // by a column in the middle
  UPSWEEP_HD bool operator()(const tuple<std::int64_t, float, point>& row) const {
    const auto& [id, weight, where] = row;
    return weight < 1e6f && where.word[0] == static_cast<std::uint32_t>(id);
  }
};
struct id_modulo_four {  // 2 and 3 are the last stream
  template <class T, class... Ts>
  UPSWEEP_HD int operator()(const tuple<T, Ts...>& row) const {
    return static_cast<int>(row.head % 4);
  }
};

// A table of an id and some columns in an executor's memory, misaligned, each column on its own.
template <class... Ts>
struct table {
  guarded<std::int64_t> ids;
  std::tuple<guarded<Ts>...> others;

  template <class Executor>
  table(Executor& executor, const std::vector<std::int64_t>& of, index_t n)
      : ids(executor, of, shift_of(n)), others(guarded<Ts>(executor, parts_of<Ts>(of), shift_of(n, sizeof(Ts)))...) {}
  template <class Executor>
  table(Executor& executor, index_t n)
      : ids(executor, n, shift_of(n, 1)), others(guarded<Ts>(executor, n, shift_of(n, 1 + sizeof(Ts)))...) {}

  auto in() {
    return std::apply([&](auto&... column) { return contiguous(ids.range(), column.range()...); }, others);
  }
  auto out() {
    return std::apply([&](auto&... column) { return std::tuple(ids.range(), column.range()...); }, others);
  }
  // The first rows are those of these ids; what lies behind is untouched if it was poison.
  template <class Executor>
  void check(Executor& executor, const std::vector<std::int64_t>& expected, bool untouched_behind = true) {
    const index_t count = oracle::size(expected);
    const auto first = [&](auto& column) {
      if (untouched_behind) return column.items(executor, count);
      auto items = column.items(executor);
      items.resize(expected.size());
      return items;
    };
    check_equal(first(ids), expected);
    std::apply([&](auto&... column) { (check_equal(first(column), parts_of<Ts>(expected)), ...); }, others);
  }
};

// Every call on a table, against its ids alone.
template <class... Ts>
void check_calls(index_t n) {
  using rows = table<Ts...>;
  const auto ids = random_ids(n);
  const auto flags = test::random_integers<std::int64_t>(n, 3, 1);
  const auto flagged = oracle::copy_flagged(ids, flags);
  const auto [odd, even] = oracle::partition_copy(ids, id_is_odd{});
  const auto of_class = [&](int low, int high) {
    return oracle::copy_if(ids, [=](std::int64_t id) { return low <= id % 4 && id % 4 <= high; });
  };
  test::on_executors(n, [&, &yes = odd, &no = even](auto& executor) {
    rows from(executor, ids, n);
    guarded<index_t> counts(executor, 2);
    const auto into = [&](const std::vector<std::int64_t>& expected, const auto& call) {
      rows to(executor, n);
      const index_t count = call(to.out());
      REQUIRE(count == oracle::size(expected));
      to.check(executor, expected);
    };
    into(yes, [&](auto out) { return upsweep::copy_if(executor, from.in(), out, id_is_odd{}); });
    {
      guarded<std::int64_t> marks(executor, flags, shift_of(n, 2));
      into(flagged, [&](auto out) { return upsweep::copy_flagged(executor, from.in(), marks.range(), out); });
    }
    {
      rows left(executor, n), right(executor, n);
      REQUIRE(upsweep::partition_copy(executor, from.in(), left.out(), right.out(), id_is_odd{}) == oracle::size(yes));
      left.check(executor, yes);
      right.check(executor, no);
    }
    {
      rows zero(executor, n), one(executor, n), rest(executor, n);
      upsweep::three_way_partition(executor, from.in(), zero.out(), one.out(), rest.out(), id_modulo_four{},
                                   counts.data());
      check_equal(counts.items(executor), {oracle::size(of_class(0, 0)), oracle::size(of_class(1, 1))});
      zero.check(executor, of_class(0, 0));
      one.check(executor, of_class(1, 1));
      rest.check(executor, of_class(2, 3));
    }
    auto both = yes;
    both.insert(both.end(), no.begin(), no.end());
    {
      rows to(executor, n);
      CHECK(upsweep::stable_partition_copy(executor, from.in(), to.out(), id_is_odd{}) == oracle::size(yes));
      to.check(executor, both);
    }
    from.check(executor, ids);
    CHECK(upsweep::stable_partition(executor, from.out(), id_is_odd{}) == oracle::size(yes));
    from.check(executor, both);
  });
}
}  // namespace

TEST_CASE("three columns are filtered at once, for sizes around every boundary") {
  for (const index_t n : test::sizes(24)) {
    const auto ids = random_ids(n);
    const auto expected = oracle::copy_if(ids, [](std::int64_t id) { return part_of<float>(id) < 1e6f; });
    test::on_executors(n, [&](auto& executor) {
      table<float, point> from(executor, ids, n), to(executor, n);
      REQUIRE(upsweep::copy_if(executor, from.in(), to.out(), is_heavy{}) == oracle::size(expected));
      to.check(executor, expected);
      from.check(executor, ids);
    });
  }
}

TEST_CASE("three columns are partitioned at once, for sizes around every boundary") {
  for (const index_t n : test::sizes(24)) {
    const auto ids = random_ids(n);
    const auto [odd, even] = oracle::partition_copy(ids, id_is_odd{});
    test::on_executors(n, [&, &yes = odd, &no = even](auto& executor) {
      table<float, point> from(executor, ids, n), left(executor, n), right(executor, n);
      guarded<index_t> count(executor, 1);
      upsweep::partition_copy(executor, from.in(), left.out(), right.out(), id_is_odd{}, count.data());
      check_equal(count.items(executor), {oracle::size(yes)});
      left.check(executor, yes);
      right.check(executor, no);
    });
  }
}

TEST_CASE("every call takes columns of any width") {
  for (const index_t n : test::few_sizes(32)) {
    check_calls<float, point>(n);
    check_calls<std::uint8_t>(n);
  }
}

TEST_CASE("rows of two small columns are all kept, wherever they lie") {  // a flag is as wide as a row, and its place
  using word = std::uint32_t;
  for (const index_t n : test::few_sizes(24)) {
    const auto a = test::random_integers<word>(n), b = test::random_integers<word>(n, 0, 1);
    const std::vector<std::int64_t> flags(oracle::at(n), 1);
    test::on_executors(n, [&](auto& executor) {
      guarded<word> as(executor, a, shift_of(n)), bs(executor, b, shift_of(n, 1)), to_a(executor, n, shift_of(n, 2)),
          to_b(executor, n, shift_of(n, 3));
      guarded<std::int64_t> marks(executor, flags, shift_of(n, 4));
      CHECK(upsweep::copy_flagged(executor, contiguous(as.range(), bs.range()), marks.range(),
                                  std::tuple(to_a.range(), to_b.range())) == n);
      check_equal(to_a.items(executor), a);
      check_equal(to_b.items(executor), b);
    });
  }
}

TEST_CASE("columns may stay where they are, all or some of them") {
  for (const index_t n : test::few_sizes(32)) {
    const auto ids = random_ids(n);
    const auto [odd, even] = oracle::partition_copy(ids, id_is_odd{});
    test::on_executors(n, [&, &yes = odd, &no = even](auto& executor) {
      {
        table<float, point> rows(executor, ids, n);
        REQUIRE(upsweep::copy_if(executor, rows.in(), rows.out(), id_is_odd{}) == oracle::size(yes));
        rows.check(executor, yes, false);
      }
      {
        table<float> rows(executor, ids, n), to(executor, n);  // the ids stay, the floats go
        auto& floats = std::get<0>(to.others);
        REQUIRE(upsweep::copy_if(executor, rows.in(), std::tuple(rows.ids.range(), floats.range()), id_is_odd{}) ==
                oracle::size(yes));
        check_equal(floats.items(executor, oracle::size(yes)), parts_of<float>(yes));
        auto kept = rows.ids.items(executor);
        kept.resize(yes.size());
        check_equal(kept, yes);
        check_equal(std::get<0>(rows.others).items(executor), parts_of<float>(ids));
      }
      table<float, point> rows(executor, ids, n), rejected(executor, n);
      REQUIRE(upsweep::partition_copy(executor, rows.in(), rows.out(), rejected.out(), id_is_odd{}) ==
              oracle::size(yes));
      rows.check(executor, yes, false);
      rejected.check(executor, no);
    });
  }
}

TEST_CASE("partition_flagged of columns goes by flags") {
  for (const index_t n : test::few_sizes(24)) {
    const auto ids = random_ids(n);
    const auto flags = test::random_integers<std::uint8_t>(n, 3, 1);
    const auto selected = oracle::copy_flagged(ids, flags);
    const auto rejected = oracle::compact(ids, [&](std::size_t i) { return flags[i] == 0; });
    test::on_executors(n, [&](auto& executor) {
      table<float> from(executor, ids, n), left(executor, n), right(executor, n);
      guarded<std::uint8_t> marks(executor, flags, shift_of(n));
      REQUIRE(upsweep::partition_flagged(executor, from.in(), marks.range(), left.out(), right.out()) ==
              oracle::size(selected));
      left.check(executor, selected);
      right.check(executor, rejected);
    });
  }
}

TEST_CASE("columns on an executor chosen at run time") {
  upsweep::any_executor executor = upsweep::host(2);
  const auto ids = random_ids(70'001);
  auto items = ids;
  auto floats = parts_of<float>(ids);
  const auto expected = oracle::stable_partition(ids, id_is_odd{});
  CHECK(upsweep::stable_partition(executor, std::tie(items, floats), id_is_odd{}) ==
        oracle::size(oracle::copy_if(ids, id_is_odd{})));
  check_equal(items, expected);
  check_equal(floats, parts_of<float>(expected));
}

// ---------------------------------------------------------------- errors
TEST_CASE("a column that is wrong is named, and nothing is written") {
  constexpr index_t n = 100;
  upsweep::host executor(3);
  const auto ids = random_ids(n);
  table<float> in(executor, ids, n), a(executor, n), b(executor, n);
  index_t count = -5;
  const auto refuses = [&](const std::string& argument, const std::string& why, const std::function<void()>& call) {
    test::check_refused(call, argument, why);
    CHECK((a.ids.untouched_from(executor) && b.ids.untouched_from(executor) && count == -5));
    CHECK((std::get<0>(a.others).untouched_from(executor) && std::get<0>(b.others).untouched_from(executor)));
    in.check(executor, ids);
  };
  auto &floats = std::get<0>(in.others), &floats_out = std::get<0>(a.others);
  const auto filter = [&](auto from, auto to) {
    return [=, &executor, &count] { upsweep::copy_if(executor, from, to, id_is_odd{}, &count); };
  };
  refuses("column 1 of in has 100 items, column 2 of in has 99", "",
          filter(contiguous(in.ids.range(), floats.first(99)), a.out()));
  refuses("ids has 99 items, column 2 of in has 100", "",
          filter(contiguous(upsweep::detail::input("ids", in.ids.first(99)), floats.range()), a.out()));
  refuses("column 2 of out ", "99 items, needs 100", filter(in.in(), std::tuple(a.ids.range(), floats_out.first(99))));
  refuses("column 1 of in ", "null",
          filter(contiguous(std::span(static_cast<std::int64_t*>(nullptr), 100), floats.range()), a.out()));
  refuses("column 1 of out overlaps column 2 of out", "disjoint",
          filter(contiguous(in.ids.range(), in.ids.range()), std::tuple(a.ids.range(), a.ids.range())));
  refuses("column 1 of out overlaps column 1 of in", "",
          filter(contiguous(in.ids.first(99), floats.first(99)),
                 std::tuple(in.ids.range().subspan(1), floats_out.first(99))));
  refuses("count ", "null", [&] { upsweep::copy_if(executor, in.in(), a.out(), id_is_odd{}, nullptr); });
  refuses("column 1 of in has 100 items, flags has 99", "",
          [&] { upsweep::copy_flagged(executor, in.in(), std::vector<char>(99), a.out(), &count); });
  refuses("column 2 of rejected ", "99 items", [&] {
    upsweep::partition_copy(executor, in.in(), a.out(), std::tuple(b.ids.range(), std::get<0>(b.others).first(99)),
                            id_is_odd{}, &count);
  });
  refuses("column 1 of selected overlaps column 1 of rejected", "disjoint",
          [&] { upsweep::partition_copy(executor, in.in(), a.out(), a.out(), id_is_odd{}, &count); });
  refuses("column 1 of out overlaps column 1 of in", "still needed", [&] {
    upsweep::stable_partition_copy(executor, in.in(), std::tuple(in.ids.range(), floats_out.range()), id_is_odd{},
                                   &count);
  });
  refuses("column 1 of out overlaps column 2 of out", "disjoint", [&] {
    upsweep::stable_partition_copy(executor, contiguous(in.ids.range(), in.ids.range()),
                                   std::tuple(a.ids.range(), a.ids.range()), id_is_odd{}, &count);
  });
  refuses("column 1 of items has 100 items, column 2 of items has 99", "", [&] {
    upsweep::stable_partition(executor, std::tuple(in.ids.range(), floats.first(99)), id_is_odd{}, &count);
  });
  refuses("column 1 of items overlaps column 2 of items", "", [&] {
    upsweep::stable_partition(executor, std::tuple(in.ids.range(), in.ids.range()), id_is_odd{}, &count);
  });
}
