// The tokens of languages, as rules for a lexer.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "regular_expression.hpp"

namespace app {

struct token_language {
  std::vector<std::string> kinds;  // names, of kind 0 on; the last is of what is no token
  std::vector<token_rule> rules;
};

//! Eight states. What stands inside of a number, and whether a word is true, false or null, is left to a parser.
inline token_language json_tokens() {
  return {{"blank", "string", "number", "word", "punctuation", "broken"},
          {{0, R"([ \t\r\n]+)"},
           {1, R"("([^"\\\n]|\\[^\n])*")"},
           {2, R"([-0-9][-+.0-9eE]*)"},
           {3, R"([a-zA-Z_]+)"},
           {4, R"([][{}:,])"}}};
}
//! C without its preprocessor: a directive is tokens, as its line would be. Punctuation is taken a character at a time,
//! and a keyword is a name.
inline token_language c_tokens() {
  return {{"blank", "name", "number", "string", "character", "comment", "punctuation", "broken"},
          {{0, R"([ \t\r\n\f\v]+)"},
           {1, R"([A-Za-z_\x80-\xff][A-Za-z_0-9\x80-\xff]*)"},
           {2, R"(\.?[0-9]([eEpP][-+]|[A-Za-z_0-9.])*)"},
           {3, R"("([^"\\\n]|\\[\x00-\xff])*")"},
           {4, R"('([^'\\\n]|\\[\x00-\xff])*')"},
           {5, R"(//([^\\\n]|\\[\x00-\xff])*|/\*([^*]|\*+[^*/])*\*+/)"},
           {6, R"([-!#%&()*+,./:;<=>?[\]^{|}~\\])"}}};
}
inline token_language tokens_of_language(std::string_view name) { return name == "c" ? c_tokens() : json_tokens(); }

}  // namespace app
