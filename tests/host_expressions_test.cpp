// Regular expressions of the programs, compiled to automata, against std::regex.
#include <cstddef>
#include <cstdint>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/automaton.hpp>

#include "../apps/common/automaton_of.hpp"
#include "../apps/common/regular_expression.hpp"
#include "support.hpp"

using upsweep::index_t;

namespace {
upsweep::host one_thread(1);

int kind_of(const app::byte_table& table, const std::string& text) {
  return app::with_automaton(table, [&](const auto& a) { return upsweep::match(one_thread, a, text); });
}
struct token {
  std::string text;
  int kind;
  friend bool operator==(const token&, const token&) = default;
};
std::vector<token> tokens_of(const app::byte_table& table, const std::string& text) {
  std::vector<index_t> starts(text.size()), lengths(text.size());
  std::vector<std::uint8_t> kinds(text.size());
  const auto found = static_cast<std::size_t>(app::with_automaton(
      table, [&](const auto& a) { return upsweep::tokenize(one_thread, a, text, starts, lengths, kinds); }));
  std::vector<token> tokens;
  for (std::size_t k = 0; k < found; k++)
    tokens.push_back(
        {text.substr(static_cast<std::size_t>(starts[k]), static_cast<std::size_t>(lengths[k])), kinds[k]});
  return tokens;
}

// Expressions and texts of a few letters, so that they match now and then.
std::string random_expression(test::generator& random, int depth) {
  const auto inside = [&] { return random_expression(random, depth - 1); };
  switch (depth == 0 ? random.below(6) : random.below(14)) {
    case 0:
      return "a";
    case 1:
      return "b";
    case 2:
      return ".";
    case 3:
      return "[ab]";
    case 4:
      return "[^a-b]";
    case 5:
      return random.below(2) ? "\\w" : "c";
    case 6:
      return "(" + inside() + "|" + inside() + ")";
    case 7:
      return "(" + inside() + ")*";
    case 8:
      return "(" + inside() + ")+";
    case 9:
      return "(" + inside() + ")?";
    case 10:
      return "(" + inside() + "){1,2}";
    case 11:
      return "(" + inside() + "){2}";
    default:
      return inside() + inside();
  }
}
std::string random_text(test::generator& random) {
  std::string text;
  for (auto length = random.below(9); length > 0; length--) text += "aabbc-"[random.below(6)];
  return text;
}
}  // namespace

TEST_CASE("random expressions match whole texts as std::regex does") {
  test::generator random(1);
  int matched = 0;
  for (int round = 0; round < 300; round++) {
    const std::string expression = random_expression(random, 3);
    INFO(expression);
    const std::regex peer(expression);
    const app::byte_table table = app::whole_matcher(expression);
    for (int k = 0; k < 20; k++) {
      const std::string text = random_text(random);
      INFO(text);
      const bool expected = std::regex_match(text, peer);
      REQUIRE((kind_of(table, text) != 0) == expected);
      matched += expected;
    }
  }
  CHECK(matched > 500);
}

TEST_CASE("lines are selected in which std::regex finds a match, with anchors and without") {
  test::generator random(2);
  int selected = 0;
  for (int round = 0; round < 300; round++) {
    const std::string expression =
        (random.below(3) ? "" : "^") + random_expression(random, 2) + (random.below(3) ? "" : "$");
    const bool invert = random.below(2) != 0;
    INFO(expression << (invert ? ", inverted" : ""));
    const std::regex peer(expression);
    std::string text;
    std::vector<token> expected;
    for (int line = 0; line < 20; line++) {
      const std::string added = random_text(random);
      text += added + '\n';
      if (std::regex_search(added, peer) != invert) expected.push_back({added + '\n', 1});
    }
    const app::byte_table table = app::line_selector(expression, invert, app::expression_syntax::common);
    REQUIRE(tokens_of(table, text) == expected);
    selected += static_cast<int>(expected.size());
  }
  CHECK(selected > 1000);
}

TEST_CASE("what can be written in an expression means what it should") {
  struct example {
    const char *expression, *matched, *not_matched;
  };
  const example examples[] = {{"a|bc", "bc", "ac"},
                              {"", "", "a"},
                              {"a||b", "", "ab"},
                              {"(a|)b", "b", "a"},
                              {"a{3}", "aaa", "aa"},
                              {"a{2,}", "aaaaa", "a"},
                              {"a{0,2}", "aa", "aaa"},
                              {"a{0}", "", "a"},
                              {"(ab){2,3}", "ababab", "ab"},
                              {"a**", "aaa", "b"},
                              {"[]a]", "]", "b"},
                              {"[^]a]", "b", "]"},
                              {"[a-]", "-", "b"},
                              {"[[:alpha:][:digit:]_]+", "a1_", "a-"},
                              {"[^[:space:]]", "x", "\t"},
                              {"[\\]\\d]+", "1]", "\\"},
                              {"[\\x41-C]", "B", "D"},
                              {R"(\d\D\s\S\w\W)", "1a b_-", "aa b_-"},
                              {R"(\.\*\\)", ".*\\", "a*\\"},
                              {R"(\t\n\r\f\v\x7e)", "\t\n\r\f\v~", "t"},
                              {"^a$", "a", "b"},
                              {"(^a|b)c", "ac", "c"},
                              {"a^b", "", "ab"},
                              {"x*$", "xx", "xy"},
                              {".", "\xff", "\n"}};
  for (const auto& [expression, matched, not_matched] : examples) {
    INFO(expression);
    const app::byte_table table = app::whole_matcher(expression);
    if (std::string_view(expression) != "a^b") CHECK(kind_of(table, matched) == 1);
    CHECK(kind_of(table, not_matched) == 0);
  }
  const auto posix = app::line_selector("[\\d]", false, app::expression_syntax::posix);
  CHECK(tokens_of(posix, "a\\\nd\n1\n") == std::vector<token>{{"a\\\n", 1}, {"d\n", 1}});
}

TEST_CASE("automata are minimal, and of more than 64 states refused") {
  CHECK(app::whole_matcher("(a|b)*").states() == 2);
  CHECK(app::whole_matcher("(aa|aaaa)*").states() == 3);
  CHECK(app::whole_matcher("(a|b)*a(a|b){4}").states() == 33);  // one of them for all other bytes
  CHECK(app::whole_matcher("a{62}").states() == 64);
  const auto refused = [](const char* expression, const char* why) {
    const std::string message = test::message_of<std::invalid_argument>([&] { app::whole_matcher(expression); });
    INFO(expression << ": " << message);
    CHECK(test::contains(message, why));
  };
  refused("a{63}", "needs an automaton of more than 64 states");
  refused("(a|b)*a(a|b){20}", "needs an automaton of more than 64 states: before it is minimized, of more than 2000");
  refused("((a{100}){100}){100}", "is too large");
}

TEST_CASE("an expression that does not parse is refused, and where") {
  const auto refused = [](const std::string& expression, const char* why) {
    const std::string message = test::message_of<app::expression_error>([&] { app::whole_matcher(expression); });
    INFO(expression << ": " << message);
    CHECK(message == why);
  };
  refused("a)", "character 2: a parenthesis is closed that was not opened");
  refused("ab(c", "character 3: the parenthesis is not closed");
  refused("*a", "character 1: there is nothing to repeat");
  refused("a|+", "character 3: there is nothing to repeat");
  refused("(?:a)", "character 2: there is nothing to repeat");
  refused("^*", "character 2: an anchor cannot be repeated");
  refused("a{", "character 3: must be a number");
  refused("a{1", "character 2: must be {m}, {m,} or {m,n}");
  refused("a{3,2}", "character 2: the second number is less than the first");
  refused("a{1001}", "character 6: a repetition of more than 1000");
  refused("a[b", "character 2: the bracket is not closed");
  refused("[b-a]", "character 2: the range ends before it begins");
  refused("[\\w-a]", "character 2: a range needs a character on either side");
  refused("[[:letter:]]", "character 2: no class has this name");
  refused("[[.a.]]", "character 2: collating symbols are not known here");
  refused("a\\", "character 3: nothing stands behind the backslash");
  refused("\\b", "character 2: \\b means nothing here");
  refused("\\xg0", "character 3: \\x needs two hexadecimal digits");
  refused(std::string(201, '('), "character 201: more than 200 nested parentheses");
  refused("a*********", "character 10: too many repetitions in a row");
}

TEST_CASE("lexers take the longest token of the first rule, and tell what is broken") {
  const app::token_rule rules[] = {
      {1, "if|else"}, {2, "[a-z]+"}, {3, "[0-9]+(\\.[0-9]+)?"}, {0, "[ \\n]+"}, {4, "<|<<|<="}};
  const app::byte_table table = app::lexer(rules, 9);
  using tokens = std::vector<token>;
  CHECK(tokens_of(table, "if iff else") == tokens{{"if", 1}, {"iff", 2}, {"else", 1}});
  CHECK(tokens_of(table, "a<<=<b") == tokens{{"a", 2}, {"<<", 4}, {"=", 9}, {"<", 4}, {"b", 2}});
  CHECK(tokens_of(table, "  1.5 2. x@@!y") == tokens{{"1.5", 3}, {"2.", 9}, {"x", 2}, {"@@!", 9}, {"y", 2}});
  CHECK(tokens_of(table, "?").size() == 1);
  CHECK(tokens_of(table, "").empty());
  const app::token_rule empty[] = {{1, "a*"}}, anchored[] = {{1, "^a"}};
  CHECK(test::contains(test::message_of<std::invalid_argument>([&] { app::lexer(empty, 9); }), "a* matches the empty"));
  CHECK(test::contains(test::message_of<std::invalid_argument>([&] { app::lexer(anchored, 9); }), "has an anchor"));
}
