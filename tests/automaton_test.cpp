// Automata against a serial loop: random ones, such as forget at once and such as never do; the host's walks, and the
// sweeps that a GPU makes, on hosts too.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/automaton.hpp>

#include "../oracles/automata.hpp"
#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
using bytes = std::vector<std::uint8_t>;

struct tables {
  bytes next, kinds, begins;
  int start = 0;

  explicit tables(int states)
      : next(256 * static_cast<std::size_t>(states)), kinds(static_cast<std::size_t>(states)), begins(next.size()) {}
  int states() const { return static_cast<int>(kinds.size()); }
  static std::size_t at(int state, std::uint8_t byte) { return 256 * static_cast<std::size_t>(state) + byte; }
  template <int States>
  upsweep::automaton<States> automaton() const {
    return upsweep::automaton<States>(next, kinds, start, begins);
  }
};

template <class Next>
tables made_of(int states, std::uint64_t stream, const Next& next) {
  test::generator random(stream);
  tables t(states);
  for (int state = 0; state < states; state++) {
    t.kinds[static_cast<std::size_t>(state)] = static_cast<std::uint8_t>(random.below(3) ? 1 + random.below(254) : 0);
    for (int byte = 0; byte < 256; byte++) {
      t.next[tables::at(state, static_cast<std::uint8_t>(byte))] = static_cast<std::uint8_t>(next(state, byte, random));
      t.begins[tables::at(state, static_cast<std::uint8_t>(byte))] = random.below(4) == 0;
    }
  }
  t.start = static_cast<int>(random.below(static_cast<std::uint64_t>(states)));
  return t;
}
// Any table at all: soon forgets where it began.
tables random_tables(int states) {
  return made_of(states, 1,
                 [=](int, int, test::generator& random) { return random.below(static_cast<std::uint64_t>(states)); });
}
// A counter modulo the number of states: every byte is a permutation, and nothing is ever forgotten.
tables counter(int states) {
  return made_of(states, 2, [=](int state, int byte, test::generator&) { return (state + byte) % states; });
}
// Two halves that never meet, each of which forgets: two states are always possible.
tables two_halves(int states) {
  return made_of(states, 3, [=](int state, int byte, test::generator&) {
    const int half = states / 2;
    return (byte % half + (state < half) * half) % states;
  });
}
// Forgets at one byte in a thousand only.
tables seldom_forgets(int states) {
  return made_of(states, 4,
                 [=](int state, int byte, test::generator&) { return byte == 0 ? 0 : (state + byte) % states; });
}
bytes text_of(index_t n, bool few_zeros) {
  return test::generate(n, [=](test::generator& random) {
    const auto byte = static_cast<std::uint8_t>(random());
    return few_zeros && byte == 0 && random.below(4) ? std::uint8_t{1} : byte;
  });
}

// ---------------------------------------------------------------- a serial loop
struct expected_run {
  std::vector<std::int32_t> behind, before;
  std::vector<index_t> ends, starts;
  std::vector<std::int32_t> lengths;
  bytes kinds;
  int kind;
};
expected_run serial_run(const tables& t, const bytes& text) {
  const bytes states = oracle::states_behind(t.next, text, t.start);
  const auto tokens = oracle::tokens_of<index_t, std::int32_t>(t.next, t.kinds, t.begins, text, t.start);
  expected_run run{{states.begin(), states.end()}, {}, {}, tokens.starts, tokens.lengths, tokens.kinds, 0};
  int state = t.start;
  const auto kind_of = [&] { return t.kinds[static_cast<std::size_t>(state)]; };
  for (std::size_t i = 0; i < states.size(); i++) {
    run.before.push_back(state);
    state = states[i];
    if (kind_of() != 0) run.ends.push_back(static_cast<index_t>(i) + 1);
  }
  run.kind = kind_of();
  return run;
}

// The calls, and under the same names the sweeps behind them.
struct calls {
  template <class... Arguments>
  static void run(Arguments&&... arguments) {
    upsweep::run(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static int match(Arguments&&... arguments) {
    return upsweep::match(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static index_t find_all(Arguments&&... arguments) {
    return upsweep::find_all(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  static index_t tokenize(Arguments&&... arguments) {
    return upsweep::tokenize(std::forward<Arguments>(arguments)...);
  }
};
struct sweeps {
  template <class Executor, class A, class Text, class Out>
  static void run(Executor& executor, const A& a, const Text& text, Out out, upsweep::states_of_run which) {
    upsweep::detail::states_by_sweep(executor, a, upsweep::detail::text_of(text), upsweep::detail::output("out", out),
                                     which == upsweep::states_of_run::before);
  }
  template <class Executor, class A, class Text>
  static int match(Executor& executor, const A& a, const Text& text) {
    return executor.template returned<int>(
        [&](int* kind) { upsweep::detail::match_by_sweep(executor, a, upsweep::detail::text_of(text), kind); });
  }
  template <class Executor, class A, class Text, class Out>
  static index_t find_all(Executor& executor, const A& a, const Text& text, Out out) {
    return executor.template returned<index_t>([&](index_t* count) {
      upsweep::detail::ends_by_sweeps(executor, a, upsweep::detail::text_of(text), upsweep::detail::output("out", out),
                                      count);
    });
  }
  template <class Executor, class A, class Text, class S, class L, class K>
  static index_t tokenize(Executor& executor, const A& a, const Text& text, S starts, L lengths, K kinds) {
    using upsweep::detail::output;
    return executor.template returned<index_t>([&](index_t* count) {
      upsweep::detail::tokens_by_sweeps(executor, a, upsweep::detail::text_of(text), output("starts", starts),
                                        output("lengths", lengths), output("kinds", kinds), count);
    });
  }
};

template <class Calls, int States, class Executor>
void check_run(Executor& executor, const tables& t, const bytes& in, const expected_run& expected) {
  INFO(States << " states at most, " << t.states() << " states");
  const auto a = t.automaton<States>();
  const auto n = static_cast<index_t>(in.size());
  guarded<std::uint8_t> text(executor, in, shift_of(n)), kinds(executor, n, shift_of(n, 1));
  guarded<std::int32_t> states(executor, n, shift_of(n, 2)), lengths(executor, n, shift_of(n, 3));
  guarded<index_t> starts(executor, n, shift_of(n, 4)), ends(executor, n, shift_of(n, 5));
  Calls::run(executor, a, text.range(), states.range(), upsweep::states_of_run::behind);
  check_equal(states.items(executor), expected.behind);
  Calls::run(executor, a, text.range(), states.range(), upsweep::states_of_run::before);
  check_equal(states.items(executor), expected.before);
  REQUIRE(Calls::match(executor, a, text.range()) == expected.kind);

  const index_t found = Calls::find_all(executor, a, text.range(), ends.range());
  REQUIRE(found == static_cast<index_t>(expected.ends.size()));
  check_equal(ends.items(executor, found), expected.ends);

  const index_t tokens = Calls::tokenize(executor, a, text.range(), starts.range(), lengths.range(), kinds.range());
  REQUIRE(tokens == static_cast<index_t>(expected.starts.size()));
  check_equal(starts.items(executor, tokens), expected.starts);
  check_equal(lengths.items(executor, tokens), expected.lengths);
  check_equal(kinds.items(executor, tokens), expected.kinds);
  check_equal(text.items(executor), in);
}
template <int States>
void check_sizes(const tables& t, const std::vector<index_t>& sizes, bool few_zeros = false) {
  for (const index_t n : sizes) {
    const bytes text = text_of(n, few_zeros);
    const expected_run expected = serial_run(t, text);
    test::on_executors(n, [&](auto& executor) {
      check_run<calls, States>(executor, t, text, expected);
      if (n < 100'000) check_run<sweeps, States>(executor, t, text, expected);
    });
  }
}
// A part of a host's thread is a tile of 32 KiB, or 2 KiB where it is alone; text for fewer than two tiles is one
// thread's.
std::vector<index_t> part_sizes() {
  const std::vector<index_t> all = {0,    1,     2,     255,   256,   257,   2047,  2048,  2049,   4096,
                                    4097, 32767, 32768, 32769, 65535, 65536, 65537, 98304, 300'007};
  return test::detail::limited(test::some_if_sanitized(2, all), 24);
}
}  // namespace

TEST_CASE("automata of any number of states run as a serial loop does, whether they forget or not") {
  for (const int states : {1, 2, 3, 5, 7, 8}) check_sizes<8>(random_tables(states), {0, 1, 33, 70'001});
  for (const int states : {2, 8}) check_sizes<8>(counter(states), {1, 70'001});
  for (const int states : {9, 16}) check_sizes<16>(random_tables(states), {1, 70'001});
  for (const int states : {1, 17, 33, 63, 64}) check_sizes<64>(random_tables(states), {1, 70'001});
}
TEST_CASE("automata run alike over texts that a GPU takes through its pipeline") {
  test::on_device([](auto& executor) {
    const bytes text = text_of((index_t{13} << 20) + 5, true);
    for (const tables& t : {random_tables(7), seldom_forgets(8)})
      check_run<calls, 8>(executor, t, text, serial_run(t, text));
  });
}
TEST_CASE("automata run alike at every border between parts") {
  check_sizes<8>(random_tables(7), part_sizes());
  check_sizes<8>(two_halves(8), part_sizes());
  check_sizes<16>(seldom_forgets(16), part_sizes(), true);
}
TEST_CASE("automata of 64 states run alike at borders, and such as never forget") {
  check_sizes<64>(seldom_forgets(60), {2049, 32769, 300'007}, true);
  check_sizes<64>(two_halves(64), {65537, 300'007});
  check_sizes<64>(counter(64), {65537, 300'007});
  check_sizes<16>(counter(16), {65537, 300'007});
}

#if !UPSWEEP_HAS_CUDA && UPSWEEP_X86_VERSIONS
TEST_CASE("automata run without wide vectors as with them") {
  int& widest = upsweep::detail::widest_vectors();
  const int before = widest;
  for (const int bytes : {16, 32}) {
    if (bytes > before) continue;
    widest = bytes;
    check_sizes<8>(two_halves(8), {2049, 70'001});
    check_sizes<16>(random_tables(13), {2049, 70'001});
  }
  widest = before;
}
#endif

TEST_CASE("transition maps compose as the states they map, in any order of composition") {
  test::generator random(9);
  const auto check = [&]<int States>(std::integral_constant<int, States>) {
    const upsweep::transitions<States> compose;
    std::array<upsweep::transition_map<States>, 3> maps{};
    for (auto& map : maps)
      for (int state = 0; state < States; state++) map.set(state, static_cast<int>(random.below(States)));
    const auto& [a, b, c] = maps;
    for (int state = 0; state < States; state++) {
      REQUIRE(compose(a, b)(state) == b(a(state)));
      REQUIRE(compose.identity()(state) == state);
    }
    REQUIRE(compose(compose(a, b), c) == compose(a, compose(b, c)));
    REQUIRE(compose(a, compose.identity()) == a);
    REQUIRE(compose(compose.identity(), a) == a);
  };
  check(std::integral_constant<int, 8>{});
  check(std::integral_constant<int, 16>{});
  check(std::integral_constant<int, 64>{});
}

TEST_CASE("the twins that do not wait leave their results where the executor works") {
  const tables t = random_tables(6);
  const auto a = t.automaton<8>();
  const bytes in = text_of(5000, false);
  const expected_run expected = serial_run(t, in);
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> text(executor, in), kinds(executor, 5000);
    guarded<std::uint32_t> starts(executor, 5000), ends(executor, 5000);
    guarded<std::uint16_t> lengths(executor, 5000);
    guarded<index_t> count(executor, 1);
    guarded<int> kind(executor, 1);
    upsweep::match(executor, a, text.range(), kind.data());
    check_equal(kind.items(executor), {expected.kind});
    upsweep::find_all(executor, a, text.range(), ends.range(), count.data());
    check_equal(count.items(executor), {static_cast<index_t>(expected.ends.size())});
    upsweep::tokenize(executor, a, text.range(), starts.range(), lengths.range(), kinds.range(), count.data());
    check_equal(count.items(executor), {static_cast<index_t>(expected.starts.size())});
    check_equal(kinds.items(executor, static_cast<index_t>(expected.kinds.size())), expected.kinds);
  });
}

TEST_CASE("any_executor runs automata; texts are of char, too") {
  const tables t = counter(5);
  const std::string text = "an ordinary text";
  const expected_run expected = serial_run(t, bytes(text.begin(), text.end()));
  upsweep::any_executor executor{upsweep::host(2)};
  std::vector<std::int8_t> states(text.size());
  upsweep::run(executor, t.automaton<8>(), text, states);
  CHECK(std::vector<std::int32_t>(states.begin(), states.end()) == expected.behind);
  CHECK(upsweep::match(executor, t.automaton<8>(), text) == expected.kind);
  CHECK(upsweep::match(executor, t.automaton<8>(), std::string()) == t.kinds[static_cast<std::size_t>(t.start)]);
}

TEST_CASE("a wrong table is refused, by the name of what is wrong") {
  const auto make = [](const bytes& next, const bytes& kinds, int start = 0, const bytes& begins = {}) {
    return [=] { upsweep::automaton<8>(next, kinds, start, begins); };
  };
  const bytes next(512), kinds(2);
  CHECK_NOTHROW(make(next, kinds)());
  CHECK_NOTHROW(make(next, kinds, 1, bytes(512))());
  test::check_refused(make(next, bytes()), "kinds", "has 0 states, must have 1 to 8");
  test::check_refused(make(bytes(9 * 256), bytes(9)), "kinds", "has 9 states, must have 1 to 8");
  test::check_refused(make(bytes(511), kinds), "next", "has 511 entries, needs 256 for each of 2 states");
  test::check_refused(make(next, kinds, 0, bytes(1)), "begins", "has 1 entries, needs none or 512");
  test::check_refused(make(next, kinds, 2), "start", "is 2, must be one of 2 states");
  test::check_refused(make(next, kinds, -1), "start", "is -1");
  bytes wrong = next;
  wrong[256 + 65] = 2;
  test::check_refused(make(wrong, kinds), "next", "state 1 has 2 for byte 65, must be one of 2 states");
  test::check_refused(make(next, bytes{0, 255}), "kinds", "that of state 1 is 255, must be at most 254");
}

TEST_CASE("calls of automata refuse wrong ranges before they write") {
  const auto a = random_tables(4).automaton<8>();
  test::on_executors([&](auto& executor) {
    guarded<std::uint8_t> text(executor, bytes(300, 7)), kinds(executor, 300), bytes_out(executor, 300);
    guarded<index_t> starts(executor, 300), lengths(executor, 300);
    const auto none = [&] { return kinds.untouched_from(executor) && starts.untouched_from(executor); };
    using test::check_refused;
    check_refused([&] { upsweep::run(executor, a, text.range(), kinds.first(299)); }, "states",
                  "has 299 items, needs 300");
    check_refused([&] { upsweep::run(executor, a, text.range(), text.range()); }, "states", "overlaps text");
    check_refused([&] { upsweep::find_all(executor, a, text.range(), starts.first(2)); }, "ends", "needs 300");
    check_refused([&] { upsweep::find_all(executor, a, text.range(), bytes_out.range()); }, "ends",
                  "its type cannot hold the position 300");
    check_refused(
        [&] { upsweep::tokenize(executor, a, text.range(), starts.range(), bytes_out.range(), kinds.range()); },
        "lengths", "its type cannot hold the position 300");
    check_refused([&] { upsweep::tokenize(executor, a, text.range(), starts.range(), starts.range(), kinds.range()); },
                  "lengths", "overlaps starts");
    check_refused([&] { upsweep::tokenize(executor, a, text.range(), starts.range(), lengths.range(), text.range()); },
                  "kinds", "overlaps text");
    check_refused([&] { upsweep::match(executor, a, text.range(), static_cast<int*>(nullptr)); }, "kind",
                  "is a null pointer");
    CHECK(none());
  });
}
