// banks: bank conflicts of scans in shared memory: what the K-model says that the access patterns of the literature
// cost, by formula and counted, whether they scan, and on a GPU how long they take.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/buffer.hpp>
#include <upsweep/classic/access_patterns.hpp>
#include <upsweep/classic/k_model.hpp>
#include <upsweep/classic/pattern_scan.hpp>

#include "common/command_line.hpp"
#include "common/file.hpp"
#include "common/log_log_plot.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/pattern_scans.hpp"
#include "common/program.hpp"
#include "common/random_bits.hpp"
#include "common/report.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"
#if UPSWEEP_HAS_CUDA
#include "common/pattern_timings.hpp"
#endif

namespace {

namespace classic = upsweep::classic;
using upsweep::index_t;

struct options {
  std::int64_t n = 2048;
  int k = 32, bytes = 4;
  bool check = false;
  std::string plot;
  classic::k_machine machine() const { return {k, bytes / 4}; }
};

// ---------------------------------------------------------------- tables
struct row {
  std::string name, remark;
  classic::k_cost formula;
  classic::pattern_count counted;
};

std::vector<row> rows_of(const options& asked) {
  const app::stage counting("counting accesses");
  const classic::k_machine machine = asked.machine();
  std::vector<row> rows;
  const auto add = [&](const char* name, const auto& pattern) {
    rows.push_back({name, "", classic::cost_by_formula(pattern, asked.n, machine),
                    classic::count_accesses(pattern, asked.n, machine)});
  };
  app::for_each_pattern(machine.banks(), add);
  const auto published = classic::left_right_published::over(machine.banks());
  add("LeftRight, published", published);
  if (const index_t lost = classic::overwriting_nodes(published, asked.n); lost > 0)
    rows.back().remark = "  wrong: " + app::grouped(lost) + " sums overwrite other values";
  return rows;
}

void print_costs(const std::vector<row>& rows, const options& asked) {
  std::printf("%d banks, %s items of %d bytes\n", asked.k, app::grouped(asked.n).c_str(), asked.bytes);
  std::printf("%-22s%20s%20s%20s\n%-22s", "", "T", "W", "G", "");
  for (int i = 0; i < 3; i++) std::printf("%10s%10s", "formula", "counted");
  std::printf("\n");
  for (const row& r : rows) {
    const classic::k_cost counted = r.counted.cost();
    std::printf("%-22s", r.name.c_str());
    for (const auto part : {&classic::k_cost::time, &classic::k_cost::work, &classic::k_cost::transfers})
      std::printf("%10lld%10lld", static_cast<long long>(r.formula.*part), static_cast<long long>(counted.*part));
    std::printf("%s\n", r.remark.c_str());
  }
}

void print_accesses(const std::vector<row>& rows) {
  std::printf("\nThe fullest banks of all accesses\n");
  std::printf("%-22s%9s%9s%9s%9s%9s%9s%9s%9s%10s%10s\n", "", "up: load", "load", "store", "store", "dn: load", "load",
              "store", "store", "sum", "at least");
  for (const row& r : rows) {
    std::printf("%-22s", r.name.c_str());
    for (const auto* sweep : {&r.counted.up, &r.counted.down})
      for (std::size_t i = 0; i < 4; i++) {
        if (i < sweep->size()) std::printf("%9lld", static_cast<long long>((*sweep)[i].time));
        else std::printf("%9s", "");
      }
    std::printf("%10lld%10lld\n", static_cast<long long>(r.counted.time()), static_cast<long long>(r.counted.least()));
  }
}

// ---------------------------------------------------------------- values
template <class M>
std::vector<typename M::value_type> serial(std::vector<typename M::value_type> values, const M& m,
                                           classic::prefixes which) {
  auto before = m.identity();
  for (auto& value : values) {
    const auto inclusive = m(before, value);
    value = which == classic::prefixes::inclusive ? inclusive : before;
    before = inclusive;
  }
  return values;
}
template <class T>
index_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::mismatch(a, b).in1 - a.begin();
}

//! Throws unless every pattern gives a serial loop's prefixes: one block for the banks that were asked for, and blocks
//! for those of a GPU by the executor.
template <class M, class Make>
void verify(upsweep::any_executor& exec, index_t n, const options& asked, const M& m, const Make& make) {
  using V = typename M::value_type;
  std::vector<V> in;
  for (index_t i = 0; i < n; i++) in.push_back(make(i));
  const upsweep::buffer<V> from(exec, in);
  upsweep::buffer<V> to(exec, n);
  for (const auto which : {classic::prefixes::exclusive, classic::prefixes::inclusive}) {
    const std::vector<V> expected = serial(in, m, which);
    const auto compare = [&](const char* name, const std::vector<V>& actual) {
      if (const index_t at = first_difference(expected, actual); at < n)
        throw std::runtime_error(std::string(name) + ", n = " + app::grouped(n) + ": prefix " + app::grouped(at) +
                                 " is not a serial loop's");
    };
    app::for_each_pattern(asked.machine().banks(), [&](const char* name, const auto& pattern) {
      std::vector<V> values = in;
      classic::scan_block(std::span(values), pattern, m, which);
      compare(name, values);
      app::with_own_code(exec, [&](auto&& chosen) {
        app::scan_by_pattern(chosen, name, app::all_of(from), app::all_of(to), m, which);
      });
      compare(name, to.to_vector(exec));
    });
  }
}

void check(upsweep::any_executor& exec, const options& asked) {
  const app::stage verifying("verifying");
  const auto number = [](index_t i) { return static_cast<std::uint32_t>(app::random_bits(1, i)); };
  for (const index_t n : {asked.n, asked.n - asked.n / 3}) {
    verify(exec, n, asked, upsweep::plus<std::uint32_t>{}, number);
    verify(exec, n, asked, upsweep::affine<std::uint32_t>{}, [&](index_t i) {
      return upsweep::affine_map<std::uint32_t>{number(2 * i) | 1, number(2 * i + 1)};
    });
  }
  std::fprintf(stderr, "banks: verified against a serial loop, on %s: sums, and maps that do not commute\n",
               exec.name());
  std::vector<std::uint32_t> values;
  for (index_t i = 0; i < asked.n; i++) values.push_back(number(i));
  const auto expected = serial(values, upsweep::plus<std::uint32_t>{}, classic::prefixes::exclusive);
  classic::scan_block(std::span(values), classic::left_right_published::over(asked.machine().banks()),
                      upsweep::plus<std::uint32_t>{});
  if (const index_t at = first_difference(expected, values); at < asked.n)
    std::fprintf(stderr, "banks: LeftRight as it was published is wrong from prefix %s on\n", app::grouped(at).c_str());
}

// ---------------------------------------------------------------- the plot
app::log_log_panel expected_times(int k) {
  app::log_log_panel panel{
      "expected T, k = " + std::to_string(k), "items of a block", "accesses of the fullest banks", {}};
  app::for_each_pattern(k, [&](const char* name, const auto& pattern) {
    app::curve c{name, {}};
    for (index_t n = 32; n <= 1 << 15; n *= 2)
      c.points.emplace_back(n, classic::cost_by_formula(pattern, n, {.k = k}).time);
    panel.curves.push_back(std::move(c));
  });
  return panel;
}

void print_times(const app::log_log_panel& panel) {
  std::printf("\n%s (%s)\n%14s", panel.title.c_str(), panel.beside.c_str(), panel.below.c_str());
  for (const app::curve& c : panel.curves) std::printf("%15s", c.name.c_str());
  for (std::size_t i = 0; i < panel.curves.front().points.size(); i++) {
    std::printf("\n%14s", app::grouped(static_cast<index_t>(panel.curves.front().points[i].first)).c_str());
    for (const app::curve& c : panel.curves) std::printf("%15.1f", c.points[i].second);
  }
  std::printf("\n");
}

int show(upsweep::any_executor& exec, const options& asked) {
  const std::vector<row> rows = rows_of(asked);
  if (asked.check) check(exec, asked);
  app::output_files files;
  std::vector<app::log_log_panel> measured;
  if (!asked.plot.empty()) {
    std::vector<app::log_log_panel> panels{expected_times(16), expected_times(32)};
    measured = app::with_own_code(exec, [](auto&& chosen) { return app::measured_panels(chosen); });
    panels.insert(panels.end(), measured.begin(), measured.end());
    files.open(asked.plot).write(app::draw_log_log(panels, "Scans in shared memory: bank conflicts by access pattern"));
  }
  print_costs(rows, asked);
  print_accesses(rows);
  for (const auto& panel : measured) print_times(panel);
  app::flush_out();
  files.commit();
  if (!asked.plot.empty() && measured.empty())
    std::fprintf(stderr, "banks: %s shows the expected T alone: times are measured on a GPU\n", asked.plot.c_str());
  return 0;
}

std::string wrong_unless_power_of_two(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::has_single_bit(value) ? "" : "must be a power of two";
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli(
      "Bank conflicts of scans in shared memory, by the K-model: what the access patterns of the literature cost, by "
      "formula and counted.",
      "banks");
  cli.footer(
      R"(Shared memory has k banks, and word i lies in bank i mod k. An instruction's k lanes are served at once if
each asks another bank, or the same word; else it takes as long as the fullest bank has accesses. Items
of 8 and 16 bytes are served to half of the lanes, or a quarter of them, at a time.

  CM          Hillis and Steele: log n steps, no tree; neighbours lie side by side
  NoPadding   Blelloch's tree: on level i the lanes are 2^i items apart, up to k of them in one bank
  Padding     the same with a slot left free behind every k items
  LeftRight   half of the nodes keep their sum in the slot of the left operand, half in that of the right

T adds up the fullest banks of the stores of sums in the up-sweep; W counts the sums, G the reads of k
words from memory. The second table has every access of both sweeps, beside what they would take without
conflicts. What is counted are the very steps that the library's kernels run. LeftRight as it was
published loses values from n > k^2 on, and the program says how many.

--check scans n items, and two thirds of them, by every pattern: sums, and maps that do not commute.
--plot draws T for k of 16 and 32. On a GPU it measures too, and prints, what 10,752 blocks and arrays of
up to 2^28 items take, beside warp shuffles and the library's scan.

Examples: banks --n 1024 --k 16
          banks --n 4096 --bytes 8 --check --plot banks.svg)");
  options asked;
  std::string backend;
  cli.add_option("--n", asked.n, "Items of a block: a power of two")
      .shows_default()
      .range(std::int64_t{1}, std::int64_t{1} << 22)
      .check(wrong_unless_power_of_two);
  cli.add_option("--k", asked.k, "Banks, and lanes: a power of two")
      .shows_default()
      .range(8, 1024)
      .check(wrong_unless_power_of_two);
  cli.add_option("--bytes", asked.bytes, "Of an item: 4, 8 or 16").shows_default().check([](const std::string& text) {
    return text == "4" || text == "8" || text == "16" ? "" : "must be 4, 8 or 16";
  });
  cli.add_flag("--check", asked.check,
               "Scan by every pattern and compare with a serial loop; a difference is an error");
  cli.add_file("--plot", asked.plot, "Draw T into this file, as SVG, and on a GPU the times");
  app::add_backend(cli, backend);
  return app::run(cli, argc, argv, [&] {
    app::check_files({}, {{"--plot", asked.plot}});
    auto exec = app::executor_of(backend);
    return show(exec, asked);
  });
}
