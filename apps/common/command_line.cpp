#include "command_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>
#include <fcntl.h>

#include "output_files.hpp"

namespace app {

bool option::given() const { return its_->count() > 0; }
option option::shows_default() const { return option(its_->capture_default_str()); }
option option::range(double least, double most) const {
  const auto wrong_if_nan = [](const std::string& text) {  // which is in every range to CLI11
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && std::isnan(value) ? "must be a number" : "";
  };
  return option(its_->check(wrong_if_nan)->check(CLI::Range(least, most)));
}
option option::range_of_integers(std::int64_t least, std::int64_t most) const {
  return option(its_->check(CLI::Range(least, most)));
}
option option::not_negative() const { return option(its_->check(CLI::NonNegativeNumber)); }
option option::one_of(std::vector<std::string> words) const {
  return option(its_->check(CLI::IsMember(std::move(words))));
}
option option::check(std::function<std::string(const std::string&)> wrong) const {
  return option(its_->check(std::move(wrong)));
}
option option::required() const { return option(its_->required()); }
option option::needs(option other) const { return option(its_->needs(other.its_)); }
option option::excludes(option other) const { return option(its_->excludes(other.its_)); }
option option::group(const std::string& name) const { return option(its_->group(name)); }

namespace {
// run() hides a bracket at the beginning behind a zero byte, which no argument can hold, and this takes it away again.
CLI::Option* literal(CLI::Option* option) {
  return option->transform([](const std::string& text) { return text.starts_with('\0') ? text.substr(1) : text; });
}
std::string wrong_if_empty(const std::string& name) { return name.empty() ? "must not be empty" : ""; }

//! Regular files are the same by whatever name; those that are not there yet, and others, if their places are.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code unknown;
  if (std::filesystem::equivalent(a, b, unknown) && std::filesystem::is_regular_file(a, unknown)) return true;
  const auto whole = [&](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(place_of(name), unknown), unknown);
  };
  const std::filesystem::path place = whole(a);  // empty where no file can be: who opens it is told why
  return !place.empty() && place == whole(b);
}

//! A file that is opened while a standard stream is closed would get its number, and all that the stream is sent. So
//! something else takes the number, of which reading and writing fail as they do of what is closed.
void hold_standard_streams() {
  for (int number = 0; number < 3; number++)
    if (fcntl(number, F_GETFD) == -1) (void)open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
}
}  // namespace

void check_files(const std::vector<input_argument>& inputs, const std::vector<output_argument>& outputs) {
  const auto place = [](const std::string& name, const char* standard) { return name == "-" ? standard : name; };
  const auto check = [](const output_argument& one, const std::string& a, const std::string& option,
                        const std::string& b) {
    if (is_same_file(a, b)) throw usage_error(one.option, "must be another file than " + option);
  };
  for (std::size_t i = 0; i < outputs.size(); i++) {
    const output_argument& one = outputs[i];
    if (one.name.empty()) continue;
    if (one.name == "-" && !one.may_be_standard_output) throw usage_error(one.option, "must be a file");
    const std::string here = place(one.name, "/dev/stdout");
    for (std::size_t j = i + 1; j < outputs.size(); j++)
      if (!outputs[j].name.empty()) check(one, here, outputs[j].option, place(outputs[j].name, "/dev/stdout"));
    for (const input_argument& in : inputs)
      if (!in.name.empty() && in.option != one.may_be) check(one, here, in.option, place(in.name, "/dev/stdin"));
  }
}

command_line::command_line(const std::string& what_it_does, const std::string& name)
    : its_(std::make_shared<CLI::App>(what_it_does, name)) {}
void command_line::footer(const std::string& text) { its_->footer(text); }
option command_line::add_flag(const std::string& name, bool& value, const std::string& help) {
  return option(its_->add_flag(name, value, help));
}
option command_line::add_option(const std::string& name, int& value, const std::string& help) {
  return option(its_->add_option(name, value, help));
}
option command_line::add_option(const std::string& name, std::int64_t& value, const std::string& help) {
  return option(its_->add_option(name, value, help));
}
option command_line::add_option(const std::string& name, double& value, const std::string& help) {
  return option(its_->add_option(name, value, help));
}
option command_line::add_option(const std::string& name, std::string& value, const std::string& help) {
  return option(its_->add_option(name, value, help));
}
option command_line::add_function(const std::string& name, const std::function<void(const std::string&)>& f,
                                  const std::string& help, const std::string& type) {
  return option(its_->add_option_function<std::string>(name, f, help)->type_name(type)->trigger_on_parse());
}
option command_line::add_literal(const std::string& name, std::string& value, const std::string& help) {
  return option(literal(its_->add_option(name, value, help)));
}
option command_line::add_literal(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return option(literal(its_->add_option(name, values, help)));
}
option command_line::add_file(const std::string& name, std::string& value, const std::string& help) {
  return add_literal(name, value, help).check(wrong_if_empty);
}
option command_line::add_file(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return add_literal(name, values, help).check(wrong_if_empty);
}

int command_line::run(int argc, char** argv, const std::function<int()>& body, int failed) {
  hold_standard_streams();
  const std::string name = its_->get_name();
  const auto is_wrong = [&](const std::exception& e) {
    std::fprintf(stderr, "%s: %s (--help tells more)\n", name.c_str(), e.what());
    return 2;
  };
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    for (std::string& argument : arguments)
      if (argument.starts_with('[')) argument.insert(0, 1, '\0');
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    its_->parse(std::move(arguments));
    return body();
  } catch (const CLI::Success& help) {
    return its_->exit(help);
  } catch (const CLI::ParseError& e) {
    return is_wrong(e);
  } catch (const usage_error& e) {
    return is_wrong(e);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), message(e).c_str());
    return failed;
  }
}

}  // namespace app
