// Curves over two logarithmic axes, as SVG.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "svg.hpp"

namespace app {

struct curve {
  std::string name, colour;
  std::vector<std::pair<double, double>> points{};
  bool is_dashed = false;
};

//! What a power of two or ten on an axis is called.
using tick_name = std::string (*)(int power);

class log_plot {
 public:
  //! x in powers of two, y in powers of ten.
  log_plot(std::vector<curve> curves, std::string x_title, std::string y_title, tick_name y_tick)
      : curves_(std::move(curves)), x_title_(std::move(x_title)), y_title_(std::move(y_title)), y_tick_(y_tick) {
    bool is_first = true;
    for (const curve& c : curves_)
      for (const auto& [px, py] : c.points) {
        const double lx = std::log2(px), ly = std::log10(py);
        x_ = is_first ? axis{lx, lx} : axis{std::min(x_.least, lx), std::max(x_.most, lx)};
        y_ = is_first ? axis{ly, ly} : axis{std::min(y_.least, ly), std::max(y_.most, ly)};
        is_first = false;
      }
    y_ = {std::floor(y_.least), std::max(std::ceil(y_.most), std::floor(y_.least) + 1)};
    if (x_.most - x_.least < 1) x_.most = x_.least + 1;
  }

  std::string svg(const std::string& title) const {
    std::string all = svg::sheet(width, height, title);
    for (int power = static_cast<int>(y_.least); power <= static_cast<int>(y_.most); power++)
      svg::put(
          all,
          R"(<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#d0d7de"/><text x="%d" y="%.1f" text-anchor="end">%s</text>)"
          "\n",
          left, y(power), right, y(power), left - 6, y(power) + 4, y_tick_(power).c_str());
    const int step = x_.most - x_.least > 14 ? 2 : 1;
    for (int power = static_cast<int>(std::ceil(x_.least)); power <= static_cast<int>(x_.most); power += step)
      svg::put(
          all,
          R"(<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#eaeef2"/><text x="%.1f" y="%d" text-anchor="middle">2<tspan dy="-5" font-size="9">%d</tspan></text>)"
          "\n",
          x(power), upper, x(power), lower, x(power), lower + 18, power);
    svg::put(all, R"(<text x="%d" y="%d" text-anchor="middle" fill="#59636e">%s</text>)", (left + right) / 2,
             lower + 38, svg::escaped(x_title_).c_str());
    svg::put(all,
             R"(<text x="18" y="52" fill="#59636e">%s</text>)"
             "\n",
             svg::escaped(y_title_).c_str());
    draw_curves(all);
    return all + "</svg>\n";
  }

 private:
  static constexpr int width = 860, height = 520, left = 72, right = 650, upper = 66, lower = 464;
  struct axis {
    double least = 0, most = 1;
  };
  double x(double power) const { return left + (power - x_.least) / (x_.most - x_.least) * (right - left); }
  double y(double power) const { return lower - (power - y_.least) / (y_.most - y_.least) * (lower - upper); }

  //! Names stand right of the curves' ends, in the ends' order, and never on top of one another.
  void draw_curves(std::string& all) const {
    std::vector<std::pair<double, const curve*>> ends;
    for (const curve& c : curves_) {
      if (c.points.empty()) continue;
      svg::put(all, R"(<polyline fill="none" stroke="%s" stroke-width="%s"%s points=")", c.colour.c_str(),
               c.is_dashed ? "1.2" : "1.8", c.is_dashed ? R"( stroke-dasharray="5 4")" : "");
      for (const auto& [px, py] : c.points) svg::put(all, "%.1f,%.1f ", x(std::log2(px)), y(std::log10(py)));
      all += "\"/>\n";
      ends.emplace_back(y(std::log10(c.points.back().second)), &c);
    }
    std::ranges::stable_sort(ends, {}, [](const auto& end) { return end.first; });
    double free = upper;
    for (auto& [at, its] : ends) {
      const auto [px, py] = its->points.back();
      const double from = x(std::log2(px)), line = std::max(at, free);
      free = line + 16;
      svg::put(all,
               R"(<line x1="%.1f" y1="%.1f" x2="%d" y2="%.1f" stroke="%s" stroke-width="0.6"/>)"
               R"(<text x="%d" y="%.1f" fill="%s">%s</text>)"
               "\n",
               from, at, right + 16, line, its->colour.c_str(), right + 20, line + 4, its->colour.c_str(),
               svg::escaped(its->name).c_str());
    }
  }

  std::vector<curve> curves_;
  std::string x_title_, y_title_;
  tick_name y_tick_;
  axis x_, y_;
};

}  // namespace app
