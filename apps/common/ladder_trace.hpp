// The steps of a scan, printed as textbooks do.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/monoid.hpp>

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

//! The sum, or the most, of which one is asked for when the program runs: all rungs are compiled once.
struct traced_monoid {
  using value_type = std::int64_t;
  bool takes_most;
  UPSWEEP_HD std::int64_t identity() const { return takes_most ? upsweep::maximum<std::int64_t>{}.identity() : 0; }
  UPSWEEP_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return takes_most ? upsweep::maximum<std::int64_t>{}(a, b) : a + b;
  }
};

//! Prints the steps of every scan that is wanted(name), of these numbers. (The library's own has none.)
template <class Wanted>
void print_steps(const std::vector<std::int64_t>& in, const traced_monoid& m, const Wanted& wanted) {
  upsweep::host exec(1);
  const auto row = [&](const char* name, const std::vector<std::int64_t>& items) {
    std::string text;
    for (const std::int64_t item : items) text += " " + std::to_string(item);
    std::printf("  %-24s%s\n", name, text.c_str());
    return text;
  };
  for_each_rung([&]<class Call>(const rung& rung, const Call& call) {
    if constexpr (!std::is_same_v<Call, look_ahead>) {
      if (!wanted(rung.name)) return;
      std::printf("%s: %s\n", rung.name, rung.source);
      std::string last = row("given", in);
      std::vector<std::int64_t> out(in.size());
      call(exec, in, out, m, tracing_witness(std::ssize(in), last));
      row("result", out);
    }
  });
}

}  // namespace app
