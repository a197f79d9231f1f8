// Regular expressions, read into trees.
#pragma once
#include <bitset>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace app {

//! An expression does not parse; the message says where.
class expression_error : public std::invalid_argument {
 public:
  expression_error(std::size_t position, const std::string& wrong)
      : std::invalid_argument("character " + std::to_string(position + 1) + ": " + wrong) {}
};

using byte_class = std::bitset<256>;

//! What a node is: one byte of a class, its parts one after the other, one of its parts, its only part repeated, the
//! beginning of the text, its end.
enum class node_kind { bytes, sequence, alternatives, repetition, beginning, end };
struct expression_node {
  static constexpr int unbounded = -1;
  node_kind kind;
  byte_class bytes{};
  std::vector<expression_node> parts{};
  int least = 0, most = unbounded;  // of a repetition
};

//! How brackets and letters behind a backslash are read.
enum class expression_syntax {
  common,  // as programming languages do: [\]\d] is a bracket or a digit
  posix    // as grep -E does: in brackets a backslash is itself, and there is no \d
};

//! Reads  a|b  ab  (a)  a*  a+  a?  a{2}  a{2,}  a{2,5}  .  [a-z]  [^a-z]  [[:alpha:]]  ^  $  and behind a backslash
//! \d \D \w \W \s \S (ASCII), \t \n \r \f \v, \x and two hexadecimal digits, or a character that is no letter and no
//! digit, for itself. A dot is any byte but a newline. Throws expression_error.
expression_node read_expression(std::string_view text, expression_syntax syntax = expression_syntax::common);

}  // namespace app
