// The scans and reductions of the textbooks against a serial loop: all small n, around blocks and tiles, in place, with
// a monoid that does not commute; what they count, what their steps leave, what they refuse.
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/classic/blelloch.hpp>
#include <upsweep/classic/block_sums.hpp>
#include <upsweep/classic/counting.hpp>
#include <upsweep/classic/hillis_steele.hpp>
#include <upsweep/classic/look_back.hpp>
#include <upsweep/classic/naive.hpp>
#include <upsweep/classic/reduce_then_scan.hpp>
#include <upsweep/classic/reductions.hpp>
#include <upsweep/classic/sequential.hpp>

#include "oracle.hpp"
#include "support.hpp"
#include "values.hpp"

namespace classic = upsweep::classic;
using test::guarded;
using upsweep::index_t;

namespace {

constexpr index_t any_number = std::numeric_limits<index_t>::max();

//! f(name, the most items, is_exclusive, call) for every scan; call takes (executor, in, out, monoid...).
template <class F>
void for_each_scan(const F& f) {
#define CALL(name) \
  [](auto& executor, const auto& in, auto&& out, const auto&... m) { classic::name(executor, in, out, m...); }
  f("sequential", any_number, false, CALL(sequential));
  f("naive", index_t{600}, false, CALL(naive));
  f("hillis_steele", any_number, false, CALL(hillis_steele));
  f("blelloch", any_number, false, CALL(blelloch));
  f("exclusive_blelloch", any_number, true, CALL(exclusive_blelloch));
  f("block_sums<trees>", any_number, false, CALL(block_sums<classic::trees>));
  f("block_sums<padded_trees>", any_number, false, CALL(block_sums<classic::padded_trees>));
  f("block_sums<shuffles>", any_number, false, CALL(block_sums<classic::shuffles>));
  f("exclusive_block_sums<shuffles>", any_number, true, CALL(exclusive_block_sums<classic::shuffles>));
  f("reduce_then_scan", any_number, false, CALL(reduce_then_scan));
  f("look_back", any_number, false, CALL(look_back));
#undef CALL
}
//! The same of reductions that take any monoid.
template <class F>
void for_each_reduction(const F& f) {
#define CALL(tree) \
  [](auto& executor, const auto& in, const auto&... m) { return classic::reduce<classic::tree>(executor, in, m...); }
  f("interleaved", CALL(interleaved));
  f("by_rows", CALL(by_rows));
#undef CALL
}

// Out of place or, by turns, in place.
template <class Executor, class T, class M>
void check_scans(Executor& executor, const std::vector<T>& in, const M& m) {
  const auto n = static_cast<index_t>(in.size());
  const auto inclusive = oracle::inclusive_scan(in, m), exclusive = oracle::exclusive_scan(in, m);
  for_each_scan([&](const char* name, index_t most, bool is_exclusive, const auto& call) {
    if (n > most) return;
    INFO(name << " of " << n);
    guarded<T> from(executor, in, test::shift_of(n)), to(executor, n, test::shift_of(n, 1));
    auto& written = n % 2 ? from : to;
    call(executor, from.range(), written.range(), m);
    test::check_equal(written.items(executor), is_exclusive ? exclusive : inclusive);
  });
  for_each_reduction([&](const char* name, const auto& call) {
    INFO(name << " of " << n);
    guarded<T> from(executor, in, test::shift_of(n));
    CHECK(call(executor, from.range(), m) == (n ? inclusive.back() : m.identity()));
  });
}

}  // namespace

TEST_CASE("textbook scans of every length up to 4,100 are the serial ones, whether or not operands may change places") {
  const index_t step = test::sanitized_step(41);
  const auto all = test::random_maps(4100);
  const auto check = [&](auto& executor) {
    for (index_t n = 0; n <= 4100; n += n < 70 ? 1 : step)
      check_scans(executor, std::vector(all.begin(), all.begin() + n), test::compose32{});
  };
  test::on_host(1, check);
  test::on_device(check);
}

TEST_CASE("textbook scans around the ends of blocks, tiles and parts, on any number of threads") {
  // 1,024 blocks have a second level of sums, 1,024 tiles of 4,096 a second tile in a part.
  for (const index_t n : {1023, 1024, 1025, 4096, 4097, 65'535, 65'537, 1'048'576, 1'048'577, 4'194'304 + 4097}) {
    const auto in = test::random_integers<std::uint32_t>(n);
    const auto check = [&](auto& executor) { check_scans(executor, in, upsweep::plus<std::uint32_t>{}); };
    if (n > 1 << 20 && test::takes_fewer_cases()) continue;
    if (n > test::largest_on_hosts) test::on_host(3, check), test::on_device(check);
    else test::on_executors(check);
  }
}

TEST_CASE("a textbook scan accumulates in the monoid's type") {
  const auto in = test::random_integers<std::int8_t>(5000);
  const std::vector<long long> wide(in.begin(), in.end());
  const auto expected = oracle::inclusive_scan(wide, upsweep::plus<long long>{});
  test::on_executors([&](auto& executor) {
    guarded<std::int8_t> from(executor, in);
    for_each_scan([&](const char* name, index_t most, bool is_exclusive, const auto& call) {
      if (is_exclusive || most < 5000) return;
      INFO(name);
      guarded<long long> to(executor, 5000);
      call(executor, from.range(), to.range(), upsweep::plus<long long>{});
      test::check_equal(to.items(executor), expected);
    });
    CHECK(classic::reduce<classic::sequential_addresses>(executor, from.range(), upsweep::plus<long long>{}) ==
          expected.back());
  });
}

TEST_CASE("the reduction that changes operands' places is right where it may") {
  for (const index_t n : {0, 1, 1000, 1024, 1025, 300'007}) {
    const auto in = test::random_integers<std::int32_t>(n);
    test::on_executors([&](auto& executor) {
      guarded<std::int32_t> from(executor, in);
      INFO(n);
      CHECK(classic::reduce<classic::sequential_addresses>(executor, from.range()) ==
            oracle::reduce(in, upsweep::plus<std::int32_t>{}));
      CHECK(classic::reduce<classic::sequential_addresses>(executor, from.range(), upsweep::maximum<std::int32_t>{}) ==
            oracle::reduce(in, upsweep::maximum<std::int32_t>{}));
    });
  }
}

// ---------------------------------------------------------------- what witnesses see
namespace {
struct counted {
  unsigned long long operations, reads, writes;
  long long launches;
  bool operator==(const counted&) const = default;
};
std::ostream& operator<<(std::ostream& out, const counted& c) {
  return out << c.operations << " operations, " << c.reads << " reads, " << c.writes << " writes, " << c.launches
             << " launches";
}
template <class Executor, class Call>
counted count(Executor& executor, index_t n, const Call& call) {
  const upsweep::buffer<std::uint32_t> in(executor, std::vector<std::uint32_t>(static_cast<std::size_t>(n), 1));
  upsweep::buffer<std::uint32_t> out(executor, n);
  upsweep::buffer<classic::counters> all(executor, std::vector<classic::counters>(1));
  counted seen{};
  call(executor, in, out, classic::counted_monoid<upsweep::plus<std::uint32_t>>{{}, all.data()},
       classic::counting_witness{all.data(), &seen.launches});
  CHECK(out.to_vector(executor).back() + 1 >= n);  // n, or for an exclusive scan one less
  const classic::counters counters = all.to_vector(executor)[0];
  seen.operations = counters.operations;
  seen.reads = counters.reads;
  seen.writes = counters.writes;
  return seen;
}
}  // namespace

TEST_CASE("textbook scans do the work that textbooks say") {
#define COUNT(name) \
  count(executor, n, [](auto& e, const auto& in, auto& out, const auto&... m) { classic::name(e, in, out, m...); })
  const auto check = [](auto& executor) {
    for (const unsigned long long items : {1024, 16'384}) {
      const auto n = static_cast<index_t>(items);
      const auto log = static_cast<unsigned long long>(std::bit_width(items) - 1), all_levels = items * log - items + 1;
      INFO(n);
      CHECK(COUNT(sequential) == counted{items - 1, items, items, 1});
      CHECK(COUNT(hillis_steele) ==
            counted{all_levels, 2 * items + items * log + all_levels, 2 * items + items * log, 1});
      CHECK(COUNT(blelloch).operations == 2 * items - 2 - log);
      CHECK(COUNT(exclusive_blelloch).operations == 2 * (items - 1));
      CHECK(COUNT(naive).operations == items * (items - 1) / 2);
    }
    const index_t n = 1 << 20;
    const auto words = [&](const counted& c) {
      return static_cast<double>(c.reads + c.writes) / static_cast<double>(n);
    };
    const counted blocks = COUNT(block_sums<classic::padded_trees>);
    CHECK(blocks.launches == 3);
    // A GPU's 512 threads read their block's sum each, a host's once for all of the block's 1,024 items.
    const bool on_gpu = !std::is_same_v<std::remove_cvref_t<decltype(executor)>, upsweep::host>;
    CHECK(words(blocks) == Approx(on_gpu ? 4.5 : 4).epsilon(0.01));
    const counted twice = COUNT(reduce_then_scan);
    CHECK(twice.launches == 3);
    CHECK(words(twice) == Approx(3).epsilon(0.01));
    const counted once = COUNT(look_back);
    CHECK(once.launches == 2);
    CHECK(words(once) == 2);
  };
  test::on_host(1, check);
  test::on_device(check);
#undef COUNT
}

#if !UPSWEEP_HAS_CUDA
namespace {
struct trace {
  std::vector<std::string>* lines;
  template <class T>
  T* memory(T* p) const {
    return p;
  }
  void launched() const {}
  template <class Values>
  void step(const char*, index_t, const Values& values, index_t n) const {
    std::string line;
    for (index_t i = 0; i < n; i++) line += (i ? " " : "") + std::to_string(values[i]);
    lines->push_back(line);
  }
};
#define LINES(name, ...)                                                  \
  [](const std::vector<int>& in) {                                        \
    upsweep::host executor(1);                                            \
    std::vector<std::string> seen;                                        \
    std::vector<int> out(in.size());                                      \
    classic::name(executor, in, out, upsweep::plus<int>{}, trace{&seen}); \
    return seen;                                                          \
  }(std::vector<int>{__VA_ARGS__})
}  // namespace

TEST_CASE("steps leave what the literature prints") {
  using lines = std::vector<std::string>;
  // Hillis and Steele's, and GPU Gems 3's, example
  CHECK(LINES(hillis_steele, 3, 1, 7, 0, 4, 1, 6, 3) ==
        lines{"3 4 8 7 4 5 7 9", "3 4 11 11 12 12 11 14", "3 4 11 11 15 16 22 25"});
  CHECK(LINES(blelloch, 3, 1, 7, 0, 4, 1, 6, 3) == lines{"3 4 7 7 4 5 6 9", "3 4 7 11 4 5 6 14", "3 4 7 11 4 5 6 25",
                                                         "3 4 7 11 4 16 6 25", "3 4 11 11 15 16 22 25"});
  CHECK(LINES(exclusive_blelloch, 3, 1, 7, 0, 4, 1, 6, 3) ==
        lines{"3 4 7 7 4 5 6 9", "3 4 7 11 4 5 6 14", "3 4 7 11 4 5 6 25", "3 4 7 11 4 5 6 0", "3 4 7 0 4 5 6 11",
              "3 0 7 4 4 11 6 16", "0 3 4 11 11 15 16 22"});
  CHECK(LINES(exclusive_blelloch, 1, 2, 3, 4) == lines{"1 3 3 7", "1 3 3 10", "1 3 3 0", "1 0 3 3", "0 1 3 6"});
  // Kirk and Hwu's cuts of a sandwich of 100 inches
  CHECK(LINES(blelloch, 3, 5, 2, 7, 28, 4, 3, 0, 8, 1).back() == "3 8 10 17 45 49 52 52 60 61");
  const std::vector<int> wanted{3, 5, 2, 7, 28, 4, 3, 0, 8, 1};
  CHECK(100 - classic::reduce<classic::by_rows>(upsweep::host(1), wanted) == 39);  // are left
}

TEST_CASE("what a monoid throws reaches who called a textbook scan, and nobody waits for ever") {
  struct refused {};
  struct throwing : upsweep::plus<int> {
    int operator()(int a, int b) const {
      if (b == 7) throw refused{};
      return a + b;
    }
  };
  test::on_hosts([](auto& executor) {
    std::vector<int> in(100'000, 1), out(in.size());
    in[50'000] = 7;
    for_each_scan([&](const char* name, index_t most, bool, const auto& call) {
      if (most < 100'000) return;
      INFO(name);
      CHECK_THROWS_AS(call(executor, in, out, throwing{}), refused);
    });
  });
}
#endif

TEST_CASE("textbook scans name the argument that is wrong") {
  test::on_executors([](auto& executor) {
    guarded<int> in(executor, 100);
    guarded<int> out(executor, 99);
    for_each_scan([&](const char* name, index_t, bool, const auto& call) {
      INFO(name);
      test::check_refused([&] { call(executor, in.range(), out.range()); }, "out ", "has 99 items, needs 100");
    });
    guarded<std::uint8_t> many(executor, classic::naive_most + 1);
    guarded<std::uint8_t> to(executor, classic::naive_most + 1);
    test::check_refused([&] { classic::naive(executor, many.range(), to.range()); }, "in ",
                        "has 65537 items, a naive scan takes 65536 at most");
  });
}
