// Prefix networks drawn as in the papers: inputs on top, a dot where two values are combined, outputs below.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/prefix_network.hpp>

#include "svg.hpp"

namespace app {

struct named_network {
  std::string name;
  upsweep::prefix_network network;
};

namespace detail {
constexpr int head = 44, margin = 24;
inline int step_of(int n) { return std::clamp(640 / n, 6, 26); }
inline int width_of(const upsweep::prefix_network& network) {
  return std::max(330, 2 * margin + step_of(network.width()) * (network.width() - 1));
}
inline int height_of(const upsweep::prefix_network& network) {
  return head + 26 * (static_cast<int>(network.rows().size()) + 1) + margin;
}
inline void draw_network(std::string& all, const named_network& named, int left, int top) {
  const auto& network = named.network;
  const int step = step_of(network.width()), rows = static_cast<int>(network.rows().size());
  const auto x = [&](int place) { return left + margin + place * step; };
  const auto y = [&](int row) { return top + head + 26 * row; };
  const auto cost = network.cost();
  svg::put(all, R"(<text x="%d" y="%d" font-weight="600">%s</text>)", left + margin - 6, top + 14, named.name.c_str());
  svg::put(all,
           R"(<text x="%d" y="%d" fill="#59636e">depth %d, %lld nodes, fan-out %d</text>)"
           "\n",
           left + margin - 6, top + 30, cost.depth, static_cast<long long>(cost.size), cost.fan_out);
  for (int place = 0; place < network.width(); place++)
    svg::put(all, R"(<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#c9d1d9"/>)", x(place), y(0) - 6, x(place),
             y(rows) + 12);
  all += '\n';
  for (int row = 0; row < rows; row++) {
    for (const auto& [from, to] : network.rows()[static_cast<std::size_t>(row)])
      svg::put(all, R"(<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#0969da"/><circle cx="%d" cy="%d" r="%.1f"/>)",
               x(from), y(row), x(to), y(row + 1) - 4, x(to), y(row + 1) - 4, std::min(3.5, step / 3.));
    all += '\n';
  }
}
}  // namespace detail

//! All of them on one sheet, side by side and below one another.
inline std::string draw_networks(const std::vector<named_network>& networks, const std::string& title) {
  constexpr int widest = 1400;
  struct place {
    int left, top;
  };
  std::vector<place> places;
  int left = 0, top = 40, tallest = 0, width = 400;
  for (const auto& named : networks) {
    const int w = detail::width_of(named.network);
    if (left > 0 && left + w > widest) {
      left = 0;
      top += std::exchange(tallest, 0);
    }
    places.push_back({left, top});
    left += w;
    width = std::max(width, left);
    tallest = std::max(tallest, detail::height_of(named.network));
  }
  std::string all = svg::sheet(width, top + tallest + 8, title);
  for (std::size_t i = 0; i < networks.size(); i++)
    detail::draw_network(all, networks[i], places[i].left, places[i].top);
  return all + "</svg>\n";
}

//! A network's depth and nodes, as a point of the plot.
struct network_point {
  std::string family;
  int depth;
  double nodes;
};

//! Depth against nodes of the networks for n = 2^4 … 2^10, a panel each, and Snir's bound: depth + nodes ≥ 2n − 2.
inline std::string plot_networks(const std::vector<std::pair<int, std::vector<network_point>>>& panels) {
  constexpr int panel_width = 330, panel_height = 250, across = 4;
  static const std::vector<std::pair<std::string, std::string>> colours = {{"Kogge-Stone", "#cf222e"},
                                                                           {"Sklansky", "#8250df"},
                                                                           {"Han-Carlson", "#bf8700"},
                                                                           {"Ladner-Fischer", "#0969da"},
                                                                           {"Brent-Kung", "#1a7f37"}};
  const int lines = (static_cast<int>(panels.size()) + across - 1) / across;
  std::string all = svg::sheet(across * panel_width, 70 + lines * panel_height,
                               "Prefix networks: depth to the right, nodes in multiples of n upwards");
  for (std::size_t i = 0; i < colours.size(); i++) {
    const int x = 24 + 150 * static_cast<int>(i);
    svg::put(all, R"(<circle cx="%d" cy="48" r="4" fill="%s"/><text x="%d" y="52">%s</text>)", x,
             colours[i].second.c_str(), x + 10, colours[i].first.c_str());
  }
  svg::put(
      all,
      R"(<line x1="%d" y1="48" x2="%d" y2="48" stroke="#59636e" stroke-dasharray="4 3"/><text x="%d" y="52">Snir: depth + nodes = 2n - 2</text>)"
      "\n",
      790, 820, 828);
  for (std::size_t k = 0; k < panels.size(); k++) {
    const int n = panels[k].first;
    const auto& points = panels[k].second;
    const int column = static_cast<int>(k) % across, line_of_panels = static_cast<int>(k) / across;
    const double left = column * panel_width + 48, right = left + panel_width - 66;
    const double upper = 88 + line_of_panels * panel_height, lower = upper + panel_height - 70;
    int deepest = 0, least = 1 << 30;
    double most = 0;
    for (const auto& p : points) {
      deepest = std::max(deepest, p.depth);
      least = std::min(least, p.depth);
      most = std::max(most, p.nodes / n);
    }
    const auto x = [&](double depth) { return left + (depth - least + 0.5) / (deepest - least + 1) * (right - left); };
    const auto y = [&, top = std::ceil(most)](double nodes) { return lower - nodes / n / top * (lower - upper); };
    svg::put(all, R"(<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#d0d7de"/>)", left, upper,
             right - left, lower - upper);
    svg::put(all,
             R"(<text x="%.1f" y="%.1f" font-weight="600">n = %d</text>)"
             "\n",
             right - 70, upper + 18, n);
    for (int depth = least; depth <= deepest; depth += std::max(1, (deepest - least) / 6))
      svg::put(all, R"(<text x="%.1f" y="%.1f" text-anchor="middle">%d</text>)", x(depth), lower + 16, depth);
    for (int nodes = 1; nodes <= static_cast<int>(std::ceil(most)); nodes += most > 5 ? 2 : 1)
      svg::put(
          all,
          R"(<text x="%.1f" y="%.1f" text-anchor="end">%d n</text><line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#eaeef2"/>)",
          left - 6, y(static_cast<double>(nodes) * n) + 4, nodes, left, y(static_cast<double>(nodes) * n), right,
          y(static_cast<double>(nodes) * n));
    svg::put(all,
             R"(<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#59636e" stroke-dasharray="4 3"/>)"
             "\n",
             x(least), y(2. * n - 2 - least), x(deepest), y(2. * n - 2 - deepest));
    for (const auto& [family, colour] : colours) {
      std::string line;
      for (const auto& p : points)
        if (p.family == family) {
          svg::put(line, "%.1f,%.1f ", x(p.depth), y(p.nodes));
          svg::put(all, R"(<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>)", x(p.depth), y(p.nodes), colour.c_str());
        }
      if (family == "Ladner-Fischer")
        svg::put(all, R"(<polyline points="%s" fill="none" stroke="%s"/>)", line.c_str(), colour.c_str());
    }
    all += '\n';
  }
  return all + "</svg>\n";
}

}  // namespace app
