// Command lines, and what goes wrong turned into one line and an exit status. CLI11 reads them: command_line.cpp
// includes it, for all programs once, because it takes a compiler longer than most of them do.
#pragma once
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace app {

//! What to tell the user of an exception.
inline std::string message(const std::exception& e) {
  return dynamic_cast<const std::bad_alloc*>(&e) ? "out of memory" : e.what();
}

//! Calls f(); what goes wrong there is told with the name of what it was about in front.
template <class F>
decltype(auto) about(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const std::exception& e) {
    throw std::runtime_error(name + ": " + message(e));
  }
}

//! The command line was wrong.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  usage_error(const std::string& option, const std::string& wrong) : std::runtime_error(option + ": " + wrong) {}
};

//! An option of a command line. Each call returns the option, for the next one.
class option {
 public:
  explicit option(CLI::Option* its) : its_(its) {}
  bool given() const;
  option shows_default() const;
  option range(double least, double most) const;
  template <std::integral T>
  option range(T least, T most) const {
    return range_of_integers(least, most);
  }
  option not_negative() const;
  option one_of(std::vector<std::string> words) const;
  //! wrong(text) is what is wrong with it, or nothing.
  option check(std::function<std::string(const std::string&)> wrong) const;
  option required() const;
  option needs(option other) const;
  option excludes(option other) const;
  option group(const std::string& name) const;

 private:
  CLI::Option* its_;
  option range_of_integers(std::int64_t least, std::int64_t most) const;
};

//! A file that is read; without a name there is none. "-" is standard input.
struct input_argument {
  std::string option, name;
};
//! A file that is written. "-" is standard output, if it may be.
struct output_argument {
  std::string option, name;
  bool may_be_standard_output = false;
  std::string may_be{};  // the option of a file that it may replace
};
//! Throws usage_error unless every file that is written is another one than all others, by whatever names: nothing is
//! lost that was not meant to.
void check_files(const std::vector<input_argument>& inputs, const std::vector<output_argument>& outputs);

class command_line {
 public:
  command_line(const std::string& what_it_does, const std::string& name);
  void footer(const std::string& text);
  option add_flag(const std::string& name, bool& value, const std::string& help);
  option add_option(const std::string& name, int& value, const std::string& help);
  option add_option(const std::string& name, std::int64_t& value, const std::string& help);
  option add_option(const std::string& name, double& value, const std::string& help);
  option add_option(const std::string& name, std::string& value, const std::string& help);
  //! Calls f(text) for each time that the option is given, in the order of the command line.
  option add_function(const std::string& name, const std::function<void(const std::string&)>& f,
                      const std::string& help, const std::string& type);
  //! Takes its arguments as they stand: CLI11 takes "[a,b]" for the two values a and b, were it a file's name or not.
  option add_literal(const std::string& name, std::string& value, const std::string& help);
  option add_literal(const std::string& name, std::vector<std::string>& values, const std::string& help);
  //! The same for names of files, which are not empty: an empty one stands for none in the programs.
  option add_file(const std::string& name, std::string& value, const std::string& help);
  option add_file(const std::string& name, std::vector<std::string>& values, const std::string& help);

  //! Parses the arguments, then runs body() -> exit status. Wrong usage is one line on standard error and status 2; an
  //! exception is one line and the status `failed`.
  int run(int argc, char** argv, const std::function<int()>& body, int failed);

 private:
  std::shared_ptr<CLI::App> its_;
};

}  // namespace app
