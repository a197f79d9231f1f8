// networks: the parallel prefix networks of the literature, built, proved, counted and drawn, adders made of them, and
// on a GPU what a warp takes for them.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/executor.hpp>
#include <upsweep/prefix_network.hpp>

#include "common/adder.hpp"
#include "common/command_line.hpp"
#include "common/file.hpp"
#include "common/network_picture.hpp"
#include "common/output_files.hpp"
#include "common/own_device.hpp"
#include "common/program.hpp"
#include "common/warp_networks.hpp"
#if UPSWEEP_HAS_CUDA
#include "common/network_cycles.hpp"
#endif

namespace {

struct options {
  std::string kind = "all", svg, plot, verilog;
  int n = 16, k = -1;
  bool cycles = false;
};

struct family {
  const char* option;
  const char* name;
  bool has_k;
  upsweep::prefix_network (*build)(int n, int k);
};
const family families[] = {
    {"serial", "serial", false, [](int n, int) { return upsweep::serial_network(n); }},
    {"kogge-stone", "Kogge-Stone", false, [](int n, int) { return upsweep::kogge_stone(n); }},
    {"sklansky", "Sklansky", false, [](int n, int) { return upsweep::sklansky(n); }},
    {"brent-kung", "Brent-Kung", false, [](int n, int) { return upsweep::brent_kung(n); }},
    {"han-carlson", "Han-Carlson", true, [](int n, int k) { return upsweep::han_carlson(n, k); }},
    {"ladner-fischer", "Ladner-Fischer", true, [](int n, int k) { return upsweep::ladner_fischer(n, k); }},
};

app::named_network named(const family& f, int n, int k) {
  return {f.name + (f.has_k ? "(" + std::to_string(k) + ")" : ""), f.build(n, k)};
}

std::vector<app::named_network> networks_of(const options& asked) {
  std::vector<app::named_network> all;
  for (const family& f : families) {
    if (asked.kind != "all" && asked.kind != f.option) continue;
    if (!f.has_k) all.push_back(named(f, asked.n, 0));
    else if (asked.k >= 0) all.push_back(named(f, asked.n, asked.k));
    else if (f.option == std::string("han-carlson")) all.push_back(named(f, asked.n, 1));
    else
      for (int k = 0; k < 3; k++) all.push_back(named(f, asked.n, k));
  }
  return all;
}

//! Every family at n = 2^4 … 2^10; Ladner and Fischer's by all k, as far as there are fewer nodes to be had.
std::string plot() {
  std::vector<std::pair<int, std::vector<app::network_point>>> panels;
  for (int m = 4; m <= 10; m++) {
    const int n = 1 << m;
    std::vector<app::network_point> points;
    for (const family& f : families) {
      if (f.option == std::string("serial")) continue;  // n - 1 rows would leave no room for the others
      const bool is_family = f.option == std::string("ladner-fischer");
      for (int k = is_family ? 0 : 1; k <= (is_family ? m - 2 : 1); k++) {
        const auto cost = f.build(n, k).cost();
        points.push_back({f.name, cost.depth, static_cast<double>(cost.size)});
      }
    }
    panels.emplace_back(n, std::move(points));
  }
  return app::plot_networks(panels);
}

int show(const options& asked) {
  app::check_files({}, {{"--svg", asked.svg}, {"--plot", asked.plot}, {"--verilog", asked.verilog}});
  const auto networks = networks_of(asked);
  if (!asked.verilog.empty() && networks.size() != 1)
    throw app::usage_error("--verilog", "one network is needed: --kind, and --k for ladner-fischer");
  app::output_files files;
  const auto write = [&](const std::string& file, const std::function<std::string()>& text) {
    if (!file.empty()) files.open(file).write(text());
  };
  write(asked.svg, [&] {
    return app::draw_networks(networks, "Prefix networks of " + std::to_string(asked.n) + " values, inputs on top");
  });
  write(asked.plot, plot);
  write(asked.verilog, [&] { return app::verilog_of(networks.front().network, networks.front().name); });
  std::printf("%-20s %6s %8s %8s %12s %7s\n", "network", "depth", "nodes", "fan-out", "fan-out/row", "tracks");
  for (const auto& [name, network] : networks) {
    const auto cost = network.cost();
    std::printf("%-20s %6d %8lld %8d %12d %7d\n", name.c_str(), cost.depth, static_cast<long long>(cost.size),
                cost.fan_out, cost.fan_out_of_row, cost.tracks);
  }
  app::flush_out();
  files.commit();
  std::fprintf(stderr, "networks: each was run on intervals: every output i covers exactly 0 to i\n");
  return 0;
}

#if UPSWEEP_HAS_DEVICE
app::warp_network in_a_warp(const app::named_network& named) {
  if (named.network.width() != app::warp_size) throw std::invalid_argument(named.name + ": no kernel has its width");
  const auto& rows = named.network.rows();
  std::vector<int> sources(app::warp_size * rows.size(), -1);
  for (std::size_t row = 0; row < rows.size(); row++)
    for (const auto& [from, to] : rows[row]) sources[app::warp_size * row + static_cast<std::size_t>(to)] = from;
  return {named.name, std::move(sources)};
}

//! Cycles of sums and of maps that do not commute, a line a network.
void print_cycles(upsweep::device& executor, const std::vector<app::named_network>& networks) {
  std::vector<app::warp_network> in_warps;
  std::vector<upsweep::network_cost> costs;
  for (const app::named_network& its : networks) {
    in_warps.push_back(in_a_warp(its));
    costs.push_back(its.network.cost());
    if (its.name != "Kogge-Stone") continue;
    in_warps.push_back({"Kogge-Stone by distances", {}, true});
    costs.push_back(costs.back());
  }
  const app::measured_cycles measured = app::measure_cycles(app::own_code(executor), in_warps);
  std::printf("%-36s %21s %21s\n", measured.gpu.c_str(), "sums, 4 bytes", "affine maps, 8 bytes");
  std::printf("%-20s %6s %8s %10s %10s %10s %10s\n", "network", "depth", "nodes", "latency", "a scan", "latency",
              "a scan");
  for (std::size_t k = 0; k < in_warps.size(); k++) {
    const auto& [sums, maps] = measured.networks[k];
    std::printf("%-20s %6d %8lld %10.1f %10.1f %10.1f %10.1f\n",
                in_warps[k].by_distance ? "  by distances" : in_warps[k].name.c_str(), costs[k].depth,
                static_cast<long long>(costs[k].size), sums.latency, sums.throughput, maps.latency, maps.throughput);
  }
}
#endif

int count_cycles([[maybe_unused]] const options& given) {
#if UPSWEEP_HAS_DEVICE
  upsweep::device executor;
  options asked = given;
  asked.n = app::warp_size;
  print_cycles(executor, networks_of(asked));
  app::flush_out();
  std::fprintf(stderr, "networks: every prefix is a serial loop's: of sums, and of maps that do not commute\n");
  return 0;
#else
  throw upsweep::no_device("this program was compiled without CUDA");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli(
      "Builds parallel prefix networks, proves that they are right, and tells what they cost: rows of nodes (depth), "
      "nodes (size), the readers of a value (fan-out), in all rows and in one, and wires side by side (tracks).",
      "networks");
  cli.footer(
      R"(--cycles has warps of a GPU scan 32 values, a lane each, by shuffles: a row of nodes is a shuffle. It prints the
cycles of one warp alone, from a scan's input to its output (latency), and those of a quarter of an SM, which
is what a scheduler serves, for each scan when 32 warps on an SM have four scans at a time to do (a scan);
of sums, and of affine maps, whose values are two words and whose order matters.

Examples: networks --n 32 --kind brent-kung --svg tree.svg
          networks --n 64 --kind ladner-fischer --k 1 --verilog adder.v)");
  options asked;
  std::vector<std::string> kinds{"all"};
  for (const family& f : families) kinds.emplace_back(f.option);
  const auto n = cli.add_option("--n", asked.n, "Values").range(1, 4096).shows_default();
  cli.add_option("--kind", asked.kind, "Which network").one_of(kinds).shows_default();
  cli.add_option("--k", asked.k, "Of ladner-fischer and han-carlson: levels of a tree around it").range(0, 31);
  const auto svg_file = cli.add_file("--svg", asked.svg, "Draw them into this file");
  const auto plot_file =
      cli.add_file("--plot", asked.plot, "Draw depth against nodes for n = 16 to 1,024, with Snir's bound");
  const auto verilog_file =
      cli.add_file("--verilog", asked.verilog, "Write an adder of n bits by the network as plain Verilog");
  cli.add_flag("--cycles", asked.cycles, "Count the cycles of a GPU that scans of 32 values take a warp")
      .excludes(n)
      .excludes(svg_file)
      .excludes(plot_file)
      .excludes(verilog_file);
  return app::run(
      cli, argc, argv,
      [&] { return asked.cycles ? app::about("--cycles", [&] { return count_cycles(asked); }) : show(asked); }, 1);
}
