#include "expression_tree.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace app {
namespace {

constexpr int most_repetitions = 1000, most_in_a_row = 8, most_nested = 200;

template <class Is>
byte_class class_of(const Is& is) {
  byte_class bytes;
  for (int byte = 0; byte < 128; byte++) bytes.set(static_cast<std::size_t>(byte), is(byte));
  return bytes;
}
byte_class only(char c) { return byte_class().set(static_cast<unsigned char>(c)); }
bool is_word(int c) { return std::isalnum(c) != 0 || c == '_'; }
bool is_space(int c) { return std::isspace(c) != 0; }
bool is_digit(int c) { return '0' <= c && c <= '9'; }

class reader {
 public:
  reader(std::string_view text, expression_syntax syntax) : text_(text), syntax_(syntax) {}

  expression_node whole() {
    expression_node node = alternatives();
    if (!at_end()) fail("a parenthesis is closed that was not opened");
    return node;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  bool next_is(char c) const { return !at_end() && text_[at_] == c; }
  bool take(char c) {
    if (!next_is(c)) return false;
    at_++;
    return true;
  }
  [[noreturn]] void fail(const std::string& wrong) const { fail_at(at_, wrong); }
  [[noreturn]] static void fail_at(std::size_t position, const std::string& wrong) {
    throw expression_error(position, wrong);
  }

  expression_node alternatives() {
    expression_node either{.kind = node_kind::alternatives};
    do either.parts.push_back(sequence());
    while (take('|'));
    return either;
  }
  expression_node sequence() {
    expression_node parts{.kind = node_kind::sequence};
    while (!at_end() && !next_is('|') && !next_is(')')) {
      expression_node part = single();
      for (int times = 0; is_repeated(part); times++)
        if (times == most_in_a_row) fail_at(at_ - 1, "too many repetitions in a row");
      parts.parts.push_back(std::move(part));
    }
    return parts;
  }
  expression_node single() {
    const std::size_t began = at_;
    if (take('(')) {
      if (++nested_ > most_nested) fail_at(began, "more than " + std::to_string(most_nested) + " nested parentheses");
      expression_node inside = alternatives();
      if (!take(')')) fail_at(began, "the parenthesis is not closed");
      nested_--;
      return inside;
    }
    if (take('^')) return {.kind = node_kind::beginning};
    if (take('$')) return {.kind = node_kind::end};
    if (next_is('*') || next_is('+') || next_is('?') || next_is('{')) fail("there is nothing to repeat");
    return {.kind = node_kind::bytes, .bytes = one_byte()};
  }
  byte_class one_byte() {
    if (take('.')) return ~only('\n');
    if (next_is('[')) return brackets();
    if (take('\\')) return escaped();
    return only(text_[at_++]);
  }

  // ---- repetition
  bool is_repeated(expression_node& part) {
    const std::size_t began = at_;
    int least = 0, most = expression_node::unbounded;
    if (take('*')) {
    } else if (take('+')) {
      least = 1;
    } else if (take('?')) {
      most = 1;
    } else if (take('{')) {
      least = number();
      if (!take(',')) most = least;
      else if (!next_is('}')) most = number();
      if (!take('}')) fail_at(began, "must be {m}, {m,} or {m,n}");
      if (most != expression_node::unbounded && most < least)
        fail_at(began, "the second number is less than the first");
    } else {
      return false;
    }
    if (part.kind == node_kind::beginning || part.kind == node_kind::end)
      fail_at(began, "an anchor cannot be repeated");
    expression_node inside = std::move(part);
    part = {.kind = node_kind::repetition, .least = least, .most = most};
    part.parts.push_back(std::move(inside));
    return true;
  }
  int number() {
    if (at_end() || !is_digit(text_[at_])) fail("must be a number");
    int value = 0;
    for (; !at_end() && is_digit(text_[at_]); at_++) {
      value = 10 * value + (text_[at_] - '0');
      if (value > most_repetitions) fail("a repetition of more than " + std::to_string(most_repetitions));
    }
    return value;
  }

  // ---- classes
  byte_class escaped() {  // behind the backslash
    if (at_end()) fail("nothing stands behind the backslash");
    const char c = text_[at_++];
    const bool has_digits = syntax_ == expression_syntax::common;
    switch (c) {
      case 'w':
        return class_of(is_word);
      case 'W':
        return ~class_of(is_word);
      case 's':
        return class_of(is_space);
      case 'S':
        return ~class_of(is_space);
      case 't':
        return only('\t');
      case 'n':
        return only('\n');
      case 'r':
        return only('\r');
      case 'f':
        return only('\f');
      case 'v':
        return only('\v');
      case 'x':
        return only(hexadecimal());
      default:
        break;
    }
    if (has_digits && c == 'd') return class_of(is_digit);
    if (has_digits && c == 'D') return ~class_of(is_digit);
    if (std::isalnum(static_cast<unsigned char>(c))) fail_at(at_ - 1, std::string("\\") + c + " means nothing here");
    return only(c);
  }
  char hexadecimal() {
    int value = 0;
    for (int digit = 0; digit < 2; digit++, at_++) {
      if (at_end() || !std::isxdigit(static_cast<unsigned char>(text_[at_]))) fail("\\x needs two hexadecimal digits");
      const int c = std::tolower(static_cast<unsigned char>(text_[at_]));
      value = 16 * value + (is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return static_cast<char>(value);
  }
  byte_class brackets() {
    const std::size_t began = at_++;
    const bool inverted = take('^');
    byte_class bytes;
    bool first = true;
    for (; first || !next_is(']'); first = false) {
      if (at_end()) fail_at(began, "the bracket is not closed");
      const std::size_t at = at_;
      const byte_class from = class_item(began);
      const bool is_range = next_is('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (!is_range) {
        bytes |= from;
        continue;
      }
      at_++;
      const byte_class to = class_item(began);
      if (from.count() != 1 || to.count() != 1) fail_at(at, "a range needs a character on either side");
      const std::size_t low = lowest(from), high = lowest(to);
      if (high < low) fail_at(at, "the range ends before it begins");
      for (std::size_t byte = low; byte <= high; byte++) bytes.set(byte);
    }
    at_++;
    return inverted ? ~bytes : bytes;
  }
  static std::size_t lowest(const byte_class& bytes) {
    std::size_t byte = 0;
    while (!bytes.test(byte)) byte++;
    return byte;
  }
  byte_class class_item(std::size_t began) {
    if (at_end()) fail_at(began, "the bracket is not closed");
    if (syntax_ == expression_syntax::common && take('\\')) return escaped();
    if (text_.substr(at_).starts_with("[:")) return named_class();
    if (text_.substr(at_).starts_with("[.") || text_.substr(at_).starts_with("[="))
      fail("collating symbols are not known here");
    return only(text_[at_++]);
  }
  byte_class named_class() {
    static constexpr std::pair<std::string_view, int (*)(int)> classes[] = {
        {"alnum", std::isalnum}, {"alpha", std::isalpha}, {"blank", std::isblank}, {"cntrl", std::iscntrl},
        {"digit", std::isdigit}, {"graph", std::isgraph}, {"lower", std::islower}, {"print", std::isprint},
        {"punct", std::ispunct}, {"space", std::isspace}, {"upper", std::isupper}, {"xdigit", std::isxdigit}};
    const std::string_view rest = text_.substr(at_ + 2);
    const std::string_view name = rest.substr(0, rest.find(":]"));
    const auto* const found =
        std::find_if(std::begin(classes), std::end(classes), [&](const auto& known) { return known.first == name; });
    if (name.size() == rest.size() || found == std::end(classes)) fail("no class has this name");
    at_ += name.size() + 4;
    return class_of([&](int c) { return found->second(c) != 0; });
  }

  std::string_view text_;
  expression_syntax syntax_;
  std::size_t at_ = 0;
  int nested_ = 0;
};

}  // namespace

expression_node read_expression(std::string_view text, expression_syntax syntax) {
  return reader(text, syntax).whole();
}

}  // namespace app
