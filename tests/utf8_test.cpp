// UTF-8 against Python's values for every kind of wrong sequence, and against a decoder that goes forward byte by byte.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/utf8.hpp>

#include "support.hpp"

using test::check_equal;
using test::guarded;
using test::shift_of;
using upsweep::index_t;

namespace {
using bytes = std::vector<std::uint8_t>;
using code_points = std::vector<std::uint32_t>;
struct decoded {
  index_t first_wrong;
  code_points points;
};

// What Python 3.11 makes of bytes: UnicodeDecodeError.start, and decode("utf-8", "replace").
struct example {
  std::string text;
  index_t first_wrong;
  code_points points;
};
const std::vector<example>& examples() {
  static const std::vector<example> all = {
      {"", 0, {}},
      {"a", 1, {0x61}},
      {"caf\303\251", 5, {0x63, 0x61, 0x66, 0xe9}},
      {"\342\202\254", 3, {0x20ac}},
      {"\360\237\230\200", 4, {0x1f600}},
      {"\302\200\337\277\340\240\200\357\277\277\360\220\200\200\364\217\277\277",
       18,
       {0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff}},
      {"\300\200", 0, {0xfffd, 0xfffd}},
      {"a\301\277b", 1, {0x61, 0xfffd, 0xfffd, 0x62}},
      {"\340\200\200", 0, {0xfffd, 0xfffd, 0xfffd}},
      {"\340\237\277", 0, {0xfffd, 0xfffd, 0xfffd}},
      {"\360\200\200\200", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\360\217\277\277", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\355\240\200", 0, {0xfffd, 0xfffd, 0xfffd}},
      {"\355\277\277", 0, {0xfffd, 0xfffd, 0xfffd}},
      {"\355\237\277\356\200\200", 6, {0xd7ff, 0xe000}},
      {"\364\220\200\200", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\365\200\200\200", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\377\376", 0, {0xfffd, 0xfffd}},
      {"a\303", 1, {0x61, 0xfffd}},
      {"\342\202", 0, {0xfffd}},
      {"\342", 0, {0xfffd}},
      {"\360\237\230", 0, {0xfffd}},
      {"\360\237", 0, {0xfffd}},
      {"\360", 0, {0xfffd}},
      {"\342\202a", 0, {0xfffd, 0x61}},
      {"\360\237\230a", 0, {0xfffd, 0x61}},
      {"\303\303\251", 0, {0xfffd, 0xe9}},
      {"\200", 0, {0xfffd}},
      {"a\200\200\200\200b", 1, {0x61, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0x62}},
      {"\303\251\251", 2, {0xe9, 0xfffd}},
      {"\342\202\254\254", 3, {0x20ac, 0xfffd}},
      {"\360\237\230\200\200", 4, {0x1f600, 0xfffd}},
      {"\374\200\200\200\200\200", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\370\210\200\200\200", 0, {0xfffd, 0xfffd, 0xfffd, 0xfffd, 0xfffd}},
      {"\342\342\202\254", 0, {0xfffd, 0x20ac}},
  };
  return all;
}

// The automaton of the WHATWG's Encoding Standard: bounds for the next byte, and how many are still to come.
decoded decode_forward(const bytes& text) {
  decoded result{static_cast<index_t>(text.size()), {}};
  std::uint32_t point = 0;
  int missing = 0;
  index_t begin = 0;
  std::uint8_t low = 0x80, high = 0xBF;
  const auto wrong = [&](index_t at) {
    result.points.push_back(0xFFFD);
    if (at < result.first_wrong) result.first_wrong = at;
  };
  for (index_t i = 0; i < static_cast<index_t>(text.size()); i++) {
    const std::uint8_t byte = text[static_cast<std::size_t>(i)];
    if (missing > 0) {
      if (low <= byte && byte <= high) {
        low = 0x80;
        high = 0xBF;
        point = point << 6 | (byte & 0x3Fu);
        if (--missing == 0) result.points.push_back(point);
        continue;
      }
      wrong(begin);
      missing = 0;
    }
    begin = i;
    low = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
    high = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    if (byte < 0x80) {
      result.points.push_back(byte);
    } else if (byte < 0xC2 || byte > 0xF4) {
      wrong(i);
    } else {
      missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      point = byte & (0x3Fu >> missing);
    }
  }
  if (missing > 0) wrong(begin);
  return result;
}

template <class Executor>
void check_text(Executor& executor, const bytes& in, const decoded& expected) {
  const auto n = static_cast<index_t>(in.size());
  guarded<std::uint8_t> text(executor, in, shift_of(n));
  guarded<std::uint32_t> out(executor, n, shift_of(n, 1));
  guarded<index_t> result(executor, 1);
  REQUIRE(upsweep::validate_utf8(executor, text.range()) == expected.first_wrong);
  upsweep::validate_utf8(executor, text.range(), result.data());
  check_equal(result.items(executor), {expected.first_wrong});
  const index_t found = upsweep::decode_utf8(executor, text.range(), out.range());
  REQUIRE(found == static_cast<index_t>(expected.points.size()));
  check_equal(out.items(executor, found), expected.points);
  upsweep::decode_utf8(executor, text.range(), out.range(), result.data());
  check_equal(result.items(executor), {found});
}

void append(bytes& to, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { to.push_back(static_cast<std::uint8_t>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      put(0xE0 | point >> 12);
    } else {
      put(0xF0 | point >> 18);
      put(0x80 | (point >> 12 & 0x3F));
    }
    put(0x80 | (point >> 6 & 0x3F));
  }
  put(0x80 | (point & 0x3F));
}
bytes valid_text(index_t n) {
  test::generator random(1);
  bytes text;
  while (static_cast<index_t>(text.size()) < n) {
    const auto of = random.below(8);
    auto point = static_cast<std::uint32_t>(random.below(of < 5 ? 0x80 : of < 6 ? 0x800 : of < 7 ? 0x10000 : 0x110000));
    if (0xD800 <= point && point < 0xE000) point -= 0x800;
    append(text, point);
  }
  return text;
}
}  // namespace

TEST_CASE("UTF-8 is judged and decoded as Python does it, whatever is wrong with it") {
  for (const example& e : examples()) {
    INFO(e.first_wrong << " in a text of " << e.text.size());
    const decoded expected{e.first_wrong, e.points};
    const bytes text(e.text.begin(), e.text.end());
    REQUIRE(decode_forward(text).points == e.points);
    test::on_executors([&](auto& executor) { check_text(executor, text, expected); });
  }
}

TEST_CASE("UTF-8 of any size is judged and decoded as by a decoder that goes forward") {
  for (const index_t n : test::few_sizes(8)) {
    const bytes valid = valid_text(n);
    const decoded of_valid = decode_forward(valid);
    REQUIRE(of_valid.first_wrong == static_cast<index_t>(valid.size()));
    bytes wrong = valid;
    if (n > 0) wrong[wrong.size() * 2 / 3] ^= 0x95;
    const bytes noise = test::generate(n, [](test::generator& random) {  // mostly of bytes that begin or go on
      return static_cast<std::uint8_t>(random.below(4) ? 0x80 + random.below(0x80) : random.below(0x100));
    });
    test::on_executors(n, [&](auto& executor) {
      check_text(executor, valid, of_valid);
      check_text(executor, wrong, decode_forward(wrong));
      check_text(executor, noise, decode_forward(noise));
    });
  }
}

TEST_CASE("every code point is decoded, and every pair of bytes judged") {
  bytes all, pairs;
  for (std::uint32_t point = 0; point < 0x110000; point++)
    if (point < 0xD800 || point >= 0xE000) append(all, point);
  for (int pair = 0; pair < 0x10000; pair++) {
    pairs.push_back(static_cast<std::uint8_t>(pair >> 8));
    pairs.push_back(static_cast<std::uint8_t>(pair));
    pairs.push_back('.');
  }
  test::on_host(2, [&](auto& executor) {
    check_text(executor, all, decode_forward(all));
    check_text(executor, pairs, decode_forward(pairs));
  });
  test::on_device([&](auto& executor) {
    check_text(executor, all, decode_forward(all));
    check_text(executor, pairs, decode_forward(pairs));
  });
}

TEST_CASE("calls of UTF-8 refuse wrong ranges") {
  test::on_executors([&](auto& executor) {
    guarded<std::uint32_t> out(executor, 10);
    guarded<std::uint8_t> text(executor, bytes(40, 'a'));
    test::check_refused([&] { upsweep::decode_utf8(executor, text.range(), out.range()); }, "code_points",
                        "has 10 items, needs 40");
    test::check_refused([&] { upsweep::validate_utf8(executor, text.range(), static_cast<index_t*>(nullptr)); },
                        "first", "is a null pointer");
    const auto bytes_of_out = std::span(reinterpret_cast<std::uint8_t*>(out.data()), 10);
    test::check_refused([&] { upsweep::decode_utf8(executor, bytes_of_out, out.range()); }, "code_points",
                        "overlaps text");
  });
}
