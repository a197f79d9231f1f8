// ladder: the road to a fast scan, rung by rung, as textbooks and papers went it: every one checked, timed, counted,
// and its steps shown.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/buffer.hpp>

#include "common/command_line.hpp"
#include "common/file.hpp"
#include "common/ladder_calls.hpp"
#include "common/ladder_measure.hpp"
#include "common/ladder_rungs.hpp"
#include "common/ladder_trace.hpp"
#include "common/log_log_plot.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/random_bits.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"

namespace {

using upsweep::index_t;

struct options {
  std::string n = "2^20", type = "int32", op = "plus", rung = "all", trace, plot;
  bool check = false;
  int rounds = 5;
  bool wants(const char* name) const { return rung == "all" || rung == name; }
};

// ---------------------------------------------------------------- problems
// Numbers whose sums are exact in floats, in any order, so that every rung can be held to the same bits.
template <class T>
T item_at(index_t i, T*) {
  return static_cast<T>(static_cast<int>(app::random_bits(1, i) % 17) - 8);
}
upsweep::affine_map<float> item_at(index_t i, upsweep::affine_map<float>*) {
  const auto bits = app::random_bits(2, i);
  return {bits & 1 ? 1.f : -1.f, static_cast<float>(static_cast<int>((bits >> 1) % 17) - 8)};
}
// Products of integers wrap, and those of unsigned ones may; the bits are the same. (An analyzer sees floats alone.)
[[maybe_unused]] upsweep::affine_map<std::uint32_t> item_at(index_t i, upsweep::affine_map<std::uint32_t>*) {
  const auto bits = app::random_bits(2, i);
  return {static_cast<std::uint32_t>(bits) | 1, static_cast<std::uint32_t>(bits >> 32)};
}

// f(monoid) with the one that was asked for; its value_type is what is scanned.
template <class F>
int with_problem(const options& asked, const F& f) {
  const bool is_float = asked.type == "float32";
  if (is_float && asked.op == "affine") return f(upsweep::affine<float>{});
#ifndef __clang_analyzer__  // for which these are the same templates four times more, and half of its time
  if (is_float && asked.op == "plus") return f(upsweep::plus<float>{});
  if (!is_float && asked.op == "plus") return f(upsweep::plus<std::int32_t>{});
  if (!is_float && asked.op == "max") return f(upsweep::maximum<std::int32_t>{});
  if (!is_float && asked.op == "affine") return f(upsweep::affine<std::uint32_t>{});
#endif
  throw app::usage_error("--op", "max is for int32, not for float32");
}

index_t parse_size(const std::string& text) {
  const auto wrong = [&] {
    return app::usage_error("--n", app::in_quotes(text) + " is no number from 0 to 2^33, as 1000 or 2^20");
  };
  const bool is_power = text.starts_with("2^");
  const std::string digits = text.substr(is_power ? 2 : 0);
  if (digits.empty() || digits.size() > 10 || digits.find_first_not_of("0123456789") != std::string::npos)
    throw wrong();
  const index_t value = std::stoll(digits);
  if (is_power && value > 33) throw wrong();
  const index_t n = is_power ? index_t{1} << value : value;
  if (n > index_t{1} << 33) throw wrong();
  return n;
}

// ---------------------------------------------------------------- the table
// Throws unless a rung gave what a serial loop does.
template <class T>
void verify(const app::rung& rung, const std::vector<T>& result, const std::vector<T>& inclusive, const T& identity) {
  for (std::size_t i = 0; i < result.size(); i++) {
    const T right = !rung.is_exclusive ? inclusive[i] : i == 0 ? identity : inclusive[i - 1];
    if (!(result[i] == right))
      throw std::runtime_error(std::string(rung.name) + ": item " + app::grouped(static_cast<index_t>(i)) +
                               " is not what a serial loop gives");
  }
}

// What each of them costs: the same for all types and operators, and so counted of one.
std::map<std::string, app::cost> count_all(upsweep::any_executor& exec, const options& asked, index_t n) {
  std::map<std::string, app::cost> all;
  int number = 0;
  app::for_each_rung([&](const app::rung& rung, const auto& call) {
    const int k = number++;
    if (!asked.wants(rung.name) || n > rung.most) return;
    all[rung.name] = app::with_own_code(exec, [&](auto&& chosen) { return app::count_scan(chosen, k, call, n); });
  });
  number = 0;
  app::for_each_reduction<upsweep::plus<std::int32_t>>([&](const app::rung& rung, const auto& call) {
    const int k = number++;
    if (!asked.wants(rung.name)) return;
    all[rung.name] = app::with_own_code(exec, [&](auto&& chosen) { return app::count_reduction(chosen, k, call, n); });
  });
  return all;
}

// A rung with a monoid.
template <class T>
struct ready_scan {
  app::rung its;
  std::function<void(upsweep::any_executor&, const upsweep::buffer<T>&, upsweep::buffer<T>&)> run;
};
template <class M>
auto scans_by(const M& m) {
  using T = typename M::value_type;
  std::vector<ready_scan<T>> all;
  app::for_each_rung([&](const app::rung& rung, const auto& call) {
    const int number = static_cast<int>(all.size());
    all.push_back({rung, [m, call, number](auto& exec, const auto& in, auto& out) {
                     app::with_code_of(call, m, exec, [&](auto&& chosen) {
                       app::run_scan(chosen, number, call, m, app::all_of(in), app::all_of(out));
                     });
                   }});
  });
  return all;
}
template <class T>
upsweep::buffer<T> items_of(upsweep::any_executor& exec, index_t n) {
  std::vector<T> items(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; i++) items[static_cast<std::size_t>(i)] = item_at(i, static_cast<T*>(nullptr));
  return upsweep::buffer<T>(exec, items);
}

template <class M>
int show_table(upsweep::any_executor& exec, const options& asked, index_t n, const M& m) {
  using T = typename M::value_type;
  const auto scans = scans_by(m);
  for (const auto& scan : scans)
    if (scan.its.name == asked.rung && n > scan.its.most)
      throw std::runtime_error(asked.rung + ": takes up to " + app::grouped(scan.its.most) + " items, not " +
                               app::grouped(n));
  const auto in = items_of<T>(exec, n);
  upsweep::buffer<T> out(exec, n);
  std::vector<T> inclusive;
  T total = m.identity();
  if (asked.check) {
    inclusive = in.to_vector(exec);
    for (T& item : inclusive) item = total = m(total, item);
  }
  const double copying = app::time_of_copy(exec, asked.rounds, in, out);
  const index_t counted = std::min(n, index_t{1} << 16);
  auto costs = count_all(exec, asked, counted);
  std::printf("%-22s %12s %9s %8s %9s %12s %11s  %s\n", "scan", "time", "GB/s", "copies", "launches", "operations",
              "words", "source");
  const auto line = [&](const char* name, double seconds, const app::cost& its, int words, const char* source) {
    const double bytes = static_cast<double>(words) * static_cast<double>(n) * sizeof(T);
    std::printf("%-22s %9.3f us %9.2f %8.2f %9lld %12.2f %11.2f  %s\n", name, 1e6 * seconds, bytes / seconds / 1e9,
                seconds / copying, its.launches, its.operations, its.words, source);
  };
  line("a copy", copying, {0, 2, 1}, 2, "the least that can be");
  for (const auto& scan : scans) {
    const app::rung& its = scan.its;
    if (!asked.wants(its.name)) continue;
    if (n > its.most) {
      std::printf("%-22s takes up to %s items\n", its.name, app::grouped(its.most).c_str());
      continue;
    }
    const app::stage running(std::string("running ") + its.name);
    if (asked.check) {
      scan.run(exec, in, out);
      verify(its, out.to_vector(exec), inclusive, m.identity());
    }
    const double seconds = app::time_of(exec, asked.rounds, [&] { scan.run(exec, in, out); });
    line(its.name, seconds, costs[its.name], 2, its.source);
  }
  int number = 0;
  app::for_each_reduction<M>([&](const app::rung& rung, const auto& call) {
    const int k = number++;
    if (!asked.wants(rung.name)) return;
    const app::stage running(std::string("running ") + rung.name);
    T sum = m.identity();
    const auto reduce = [&] {
      sum = app::with_code_of(call, m, exec,
                              [&](auto&& chosen) { return app::run_reduction(chosen, k, call, m, app::all_of(in)); });
    };
    const double seconds = app::time_of(exec, asked.rounds, reduce);
    if (asked.check && !(sum == total))
      throw std::runtime_error(std::string(rung.name) + ": not the sum of a serial loop");
    line(rung.name, seconds, costs[rung.name], 1, rung.source);
  });
  app::flush_out();
  std::fprintf(stderr, "ladder: %s items of %s, %s, on %s; operations and words of memory an item, counted at n = %s\n",
               app::grouped(n).c_str(), asked.type.c_str(), asked.op.c_str(), exec.name(),
               app::grouped(counted).c_str());
  if (asked.check) std::fprintf(stderr, "ladder: all verified against a serial loop, bit for bit\n");
  return 0;
}

// ---------------------------------------------------------------- the plot
constexpr index_t least_plotted = 32;

template <class M>
std::string draw(upsweep::any_executor& exec, const options& asked, index_t most, const M& m) {
  using T = typename M::value_type;
  const auto scans = scans_by(m);
  std::vector<app::curve> curves{{"a copy", {}}};
  for (const auto& scan : scans) curves.push_back({scan.its.name, {}});
  for (index_t n = least_plotted; n <= most; n *= 2) {
    const app::stage drawing("timing n = " + app::grouped(n));
    const auto in = items_of<T>(exec, n);
    upsweep::buffer<T> out(exec, n);
    const auto add = [&](app::curve& its, double seconds) {
      its.points.emplace_back(static_cast<double>(n), 1e6 * seconds);
    };
    add(curves[0], app::time_of_copy(exec, asked.rounds, in, out));
    for (std::size_t k = 0; k < scans.size(); k++) {
      const auto& scan = scans[k];
      const auto& before = curves[k + 1].points;
      constexpr double too_long = 250e3;  // nobody waits for twice as much
      const bool was_fast = before.empty()
                                ? n == least_plotted
                                : before.back().first * 2 == static_cast<double>(n) && before.back().second < too_long;
      if (asked.wants(scan.its.name) && n <= scan.its.most && was_fast)
        add(curves[k + 1], app::time_of(exec, asked.rounds, [&] { scan.run(exec, in, out); }));
    }
  }
  std::erase_if(curves, [](const app::curve& its) { return its.points.empty(); });
  return app::draw_log_log({{asked.type + ", " + asked.op + ", on " + exec.name(), "items", "microseconds", curves}},
                           "The ladder of scans: time of a call");
}

int show(const options& asked, const std::string& backend) {
  app::check_files({}, {{"--plot", asked.plot}});
  const index_t n = parse_size(asked.n);
  if (!asked.trace.empty()) {
    const auto items = app::parse_items(asked.trace);
    const auto wanted = [&](const char* name) { return asked.wants(name); };
    if (asked.op == "affine") throw app::usage_error("--trace", "shows --op plus and max");
    app::print_steps(items, {.takes_most = asked.op == "max"}, wanted);
    app::flush_out();
    return 0;
  }
  auto exec = app::executor_of(backend);
  if (!asked.plot.empty() && n < 2 * least_plotted) throw app::usage_error("--n", "a plot needs 64 at least");
  return with_problem(asked, [&](const auto& m) {
    if (asked.plot.empty()) return show_table(exec, asked, n, m);
    app::output_files files;
    files.open(asked.plot).write(draw(exec, asked, n, m));
    files.commit();
    std::fprintf(stderr, "ladder: %s shows times up to n = %s\n", asked.plot.c_str(), app::grouped(n).c_str());
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli(
      "Runs the scans and reductions of the textbooks, from one thread to one pass with look-ahead: each is verified, "
      "timed beside a plain copy, and its launches, operations and accesses of memory are counted.",
      "ladder");
  cli.footer(R"(Examples: ladder --n 2^24 --check
          ladder --trace 3,1,7,0,4,1,6,3 --rung blelloch
          ladder --n 2^28 --type float32 --plot ladder.svg

GB/s are of the items, read once and written once, whatever a rung reads and writes besides; copies are
times of a plain copy of them. The files upsweep/classic/*.hpp hold a rung each, to be read.)");
  options asked;
  std::string backend;
  std::vector<std::string> rungs{"all"};
  app::for_each_rung([&](const app::rung& rung, const auto&) { rungs.emplace_back(rung.name); });
  app::for_each_reduction<upsweep::plus<int>>(
      [&](const app::rung& rung, const auto&) { rungs.emplace_back(rung.name); });
  cli.add_option("--n", asked.n, "Items, as 1000 or 2^20; with --plot the most").shows_default();
  cli.add_option("--type", asked.type, "What an item is").one_of({"int32", "float32"}).shows_default();
  cli.add_option("--op", asked.op,
                 "How two become one; affine composes maps x -> a x + b, of int32 by products that wrap")
      .one_of({"plus", "max", "affine"})
      .shows_default();
  cli.add_option("--rung", asked.rung, "Which one").one_of(rungs).shows_default();
  cli.add_option("--rounds", asked.rounds, "Times are the median of so many").range(1, 1000).shows_default();
  cli.add_flag("--check", asked.check, "Compare every result with a serial loop's; a difference is an error");
  cli.add_option("--trace", asked.trace, "Print each step of the scans of these numbers, separated by commas")
      .check([](const std::string& text) { return text.empty() ? "must not be empty" : ""; });
  cli.add_file("--plot", asked.plot, "Draw times over n = 2^5, 2^6, ... into this file");
  app::add_backend(cli, backend);
  return app::run(cli, argc, argv, [&] { return show(asked, backend); });
}
