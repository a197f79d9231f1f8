// What every app does alike: it parses its command line, which may name the backend, and runs.
#pragma once
#include <functional>
#include <string>

#include <upsweep/executor.hpp>

#include "command_line.hpp"

namespace app {

//! The option --backend, and the executor that it asks for.
inline void add_backend(command_line& cli, std::string& backend) {
  const auto check = [](const std::string& name) {
    return name == "auto" || name == "host" || name == "cuda" ? "" : "must be auto, host or cuda";
  };
  cli.add_option("--backend", backend, "auto, host or cuda; else what UPSWEEP_BACKEND says; else auto").check(check);
}
inline upsweep::any_executor executor_of(const std::string& backend) {
  return backend.empty() ? upsweep::any_executor::from_environment() : upsweep::any_executor::named(backend);
}

inline int run(command_line& cli, int argc, char** argv, const std::function<int()>& body, int failed = 1) {
  return cli.run(argc, argv, body, failed);
}

}  // namespace app
