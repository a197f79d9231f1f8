// What every check of an argument ends in: std::invalid_argument, whose text begins with the argument's name. The text
// is put together only when there is an error.
//   require(n >= 0, "n", "is ", n, ", must not be negative");
#pragma once
#include <charconv>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! A text, or a number with all its digits (std::to_string would tell 1.00000001 as 1.000000).
class message_word {
 public:
  explicit message_word(std::string_view text) : text_(text) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit message_word(T number)
      : text_(digits_,
              static_cast<std::size_t>(std::to_chars(digits_, digits_ + sizeof digits_, number).ptr - digits_)) {}
  message_word(const message_word&) = delete;  // a copy's text would lie here
  message_word& operator=(const message_word&) = delete;
  ~message_word() = default;
  std::string_view text() const { return text_; }

 private:
  char digits_[32];
  std::string_view text_;
};

[[noreturn, gnu::noinline]] inline void refuse_in_words(const char* argument,
                                                        std::initializer_list<message_word> words) {
  std::string text(argument);
  if (words.begin()->text().find_first_of(":[") != 0) text += ' ';  // in has 3 items; but: tiles: x is 0; b[1] is nan
  for (const message_word& word : words) text += word.text();
  throw std::invalid_argument(text);
}
//! Throws std::invalid_argument: the argument's name and the message's words, texts and numbers.
template <class... Words>
[[noreturn]] void refuse(const char* argument, Words... words) {
  refuse_in_words(argument, {message_word(words)...});
}
//! The same unless the condition holds.
template <class... Words>
void require(bool condition, const char* argument, Words... words) {
  if (!condition) [[unlikely]]
    refuse(argument, words...);
}

}  // namespace UPSWEEP_NAMESPACE::detail
