// Regular expressions compiled to tables of automata, for upsweep::automaton. What can be written is in
// expression_tree.hpp. All throw expression_error when an expression does not parse, and std::invalid_argument when its
// automaton has more than 64 states.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "byte_table.hpp"
#include "expression_tree.hpp"

namespace app {

//! Accepts, as kind 1, the texts that an expression matches as a whole. (For upsweep::match.)
byte_table whole_matcher(std::string_view expression);

//! Tokenizes a text into its lines, with their newlines: those of kind 1 hold a match of the expression (inverted: hold
//! none), the others are of kind 0. The text ends with a newline; ^ and $ are the ends of lines. (For
//! upsweep::tokenize.)
byte_table line_selector(std::string_view expression, bool invert, expression_syntax syntax);

//! Tokens of one kind, 1 to 254, or such as are left out, 0.
struct token_rule {
  std::uint8_t kind;
  std::string expression;  // matches no empty text
};
//! Tokenizes a text. A token is as long as it can be, and of the first of the rules that match it. Nobody backs up:
//! what began as a token and cannot be ended as one, 1e in front of a blank, is a token of the kind `broken`, and so is
//! a run of bytes with which no token begins. (For upsweep::tokenize.)
byte_table lexer(std::span<const token_rule> rules, std::uint8_t broken);

}  // namespace app
