// The steps of a scan, printed as textbooks do.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <upsweep/executor.hpp>

#include "command_line.hpp"
#include "ladder_rungs.hpp"
#include "report.hpp"

namespace app {

//! Prints what each step leaves of the first n values, if that is something new.
class tracing_witness {
 public:
  tracing_witness(upsweep::index_t n, std::string& last) : n_(n), last_(last) {}
  template <class T>
  T* memory(T* p) const {
    return p;
  }
  void launched() const {}
  template <class Values>
  void step(const char* name, upsweep::index_t distance, const Values& values, upsweep::index_t n) const {
    std::string text;
    for (upsweep::index_t i = 0; i < std::min(n, n_); i++) text += " " + std::to_string(values[i]);
    if (text == last_) return;
    std::printf("  %-24s%s\n", (std::string(name) + " " + grouped(distance)).c_str(), text.c_str());
    last_ = text;
  }

 private:
  upsweep::index_t n_;
  std::string& last_;
};

inline std::vector<std::int64_t> parse_items(const std::string& text) {
  std::vector<std::int64_t> items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    std::size_t used = 0;
    try {
      items.push_back(std::stoll(word, &used));
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != word.size()) throw usage_error("--trace", in_quotes(word) + " is no whole number");
    at = end + 1;
  }
  if (items.size() > 64) throw usage_error("--trace", "takes up to 64 numbers, not " + std::to_string(items.size()));
  return items;
}

//! Prints the steps of every scan that is wanted(name), of these numbers.
template <class M, class Wanted>
void print_steps(const std::vector<std::int64_t>& in, const M& m, const Wanted& wanted) {
  upsweep::host exec(1);
  const auto row = [&](const char* name, const std::vector<std::int64_t>& items) {
    std::string text;
    for (const std::int64_t item : items) text += " " + std::to_string(item);
    std::printf("  %-24s%s\n", name, text.c_str());
    return text;
  };
  for_each_rung([&](const rung& rung, const auto& call) {
    if (!wanted(rung.name) || rung.name == std::string("look-ahead")) return;
    std::printf("%s: %s\n", rung.name, rung.source);
    std::string last = row("given", in);
    std::vector<std::int64_t> out(in.size());
    call(exec, in, out, m, tracing_witness(std::ssize(in), last));
    row("result", out);
  });
}

}  // namespace app
