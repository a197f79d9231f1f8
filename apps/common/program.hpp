// What every app does alike: it parses its command line, and turns what goes wrong into one line and an exit status.
#pragma once
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <upsweep/executor.hpp>

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

//! Makes an option take its arguments as they stand: CLI11 takes "[a,b]" for the two values a and b, were it a file's
//! name or not. run() hides the bracket behind a zero byte, which no argument can hold, and this takes it away again.
inline CLI::Option* literal(CLI::Option* option) {
  return option->transform([](const std::string& text) { return text.starts_with('\0') ? text.substr(1) : text; });
}

//! The option --backend, and the executor that it asks for.
inline void add_backend(CLI::App& cli, std::string& backend) {
  const auto check = [](const std::string& name) {
    return name == "auto" || name == "host" || name == "cuda" ? "" : "must be auto, host or cuda";
  };
  cli.add_option("--backend", backend, "auto, host or cuda; else what UPSWEEP_BACKEND says; else auto")->check(check);
}
inline upsweep::any_executor executor_of(const std::string& backend) {
  return backend.empty() ? upsweep::any_executor::from_environment() : upsweep::any_executor::named(backend);
}

//! Parses the command line, then runs body() -> exit status. Wrong usage is one line on standard error and status 2; an
//! exception is one line and the status `failed`.
template <class Body>
int run(CLI::App& cli, int argc, char** argv, const Body& body, int failed = 1) {
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    for (std::string& argument : arguments)
      if (argument.starts_with('[')) argument.insert(0, 1, '\0');
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    cli.parse(std::move(arguments));
    return body();
  } catch (const CLI::Success& help) {
    return cli.exit(help);
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "%s: %s (--help tells more)\n", cli.get_name().c_str(), e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", cli.get_name().c_str(), message(e).c_str());
    return failed;
  }
}

}  // namespace app
