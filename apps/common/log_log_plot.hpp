// Curves over logarithmic axes of powers of two and of ten, in panels side by side and below one another, as SVG.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "svg.hpp"

namespace app {

struct curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // all positive; to the right, upwards
};
struct log_log_panel {
  std::string title, below, beside;  // its title, and what the axes show
  std::vector<curve> curves;
};

namespace detail {
//! Curves of one name have one colour and mark in all panels.
struct curve_style {
  std::string name, colour;
};

inline void mark(std::string& all, std::size_t style, double x, double y, const char* colour) {
  if (style % 2 == 0) svg::put(all, R"(<circle cx="%.1f" cy="%.1f" r="3.2" fill="%s"/>)", x, y, colour);
  else
    svg::put(all, R"(<rect x="%.1f" y="%.1f" width="6" height="6" fill="#ffffff" stroke="%s" stroke-width="1.6"/>)",
             x - 3, y - 3, colour);
}

class log_log_drawing {
 public:
  static constexpr int height = 400;
  log_log_drawing(const log_log_panel& panel, int left, int top, int width)
      : panel_(panel), left_(left + 66), right_(left + width - 20), upper_(top + 34), lower_(top + height - 52) {
    for (const curve& c : panel.curves)
      for (const auto& [x, y] : c.points) {
        least_x_ = std::min(least_x_, x), most_x_ = std::max(most_x_, x);
        least_y_ = std::min(least_y_, y), most_y_ = std::max(most_y_, y);
      }
    first_decade_ = static_cast<int>(std::floor(std::log10(least_y_) + 1e-9));
    last_decade_ = static_cast<int>(std::ceil(std::log10(most_y_) - 1e-9));
    least_y_ = std::pow(10, first_decade_);
    most_y_ = std::pow(10, last_decade_);
  }
  void draw(std::string& all, const std::vector<curve_style>& styles) const {
    draw_axes(all);
    for (const curve& c : panel_.curves) {
      const auto style = std::ranges::find(styles, c.name, &curve_style::name);
      std::string line;
      for (const auto& [px, py] : c.points) svg::put(line, "%.1f,%.1f ", x(px), y(py));
      svg::put(all, R"(<polyline points="%s" fill="none" stroke="%s" stroke-width="1.8"/>)", line.c_str(),
               style->colour.c_str());
      for (const auto& [px, py] : c.points)
        mark(all, static_cast<std::size_t>(style - styles.begin()), x(px), y(py), style->colour.c_str());
      all += '\n';
    }
  }

 private:
  const log_log_panel& panel_;
  double left_, right_, upper_, lower_;
  double least_x_ = std::numeric_limits<double>::infinity(), most_x_ = 0, least_y_ = least_x_, most_y_ = 0;
  int first_decade_, last_decade_;

  static double place(double value, double least, double most) {
    return std::log(value / least) / std::log(most / least);
  }
  double x(double value) const { return left_ + place(value, least_x_, most_x_) * (right_ - left_); }
  double y(double value) const { return lower_ - place(value, least_y_, most_y_) * (lower_ - upper_); }

  void draw_axes(std::string& all) const {
    svg::put(all, R"(<text x="%.1f" y="%.1f" font-weight="600">%s</text>)", left_, upper_ - 12,
             svg::escaped(panel_.title).c_str());
    const int first = static_cast<int>(std::lround(std::log2(least_x_))),
              last = static_cast<int>(std::lround(std::log2(most_x_)));
    const int labelled = last - first > 12 ? 4 : 1;
    for (int power = first; power <= last; power++) {
      const double at = x(std::exp2(power));
      svg::put(all, R"(<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#eaeef2"/>)", at, upper_, at, lower_);
      if ((power - first) % labelled == 0)
        svg::put(all, R"(<text x="%.1f" y="%.1f" text-anchor="middle">2<tspan dy="-5" font-size="9">%d</tspan></text>)",
                 at, lower_ + 18, power);
    }
    all += '\n';
    for (int power = first_decade_; power <= last_decade_; power++) {
      const double decade = std::pow(10, power);
      for (int digit = 1; digit < (power < last_decade_ ? 10 : 2); digit++)
        svg::put(all, R"(<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>)", left_, y(digit * decade),
                 right_, y(digit * decade), digit == 1 ? "#afb8c1" : "#eaeef2");
      svg::put(all, R"(<text x="%.1f" y="%.1f" text-anchor="end">%g</text>)", left_ - 8, y(decade) + 4, decade);
    }
    svg::put(all, R"(<text x="%.1f" y="%.1f" text-anchor="middle" fill="#59636e">%s</text>)", (left_ + right_) / 2,
             lower_ + 40, svg::escaped(panel_.below).c_str());
    svg::put(
        all,
        R"svg(<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle" fill="#59636e">%s</text>)svg",
        left_ - 52, (upper_ + lower_) / 2, svg::escaped(panel_.beside).c_str());
    svg::put(all,
             R"(<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="#d0d7de"/>)"
             "\n",
             left_, upper_, right_ - left_, lower_ - upper_);
  }
};
}  // namespace detail

//! All panels on one sheet, two in a row or one alone, below a legend of the curves' names in the order in which they
//! first come.
inline std::string draw_log_log(const std::vector<log_log_panel>& panels, const std::string& title) {
  static const char* const colours[] = {"#59636e", "#cf222e", "#bf8700", "#0969da", "#8250df", "#1a7f37",
                                        "#bf3989", "#0a7ea4", "#8c6d31", "#6639ba", "#d1570a", "#1f2328"};
  std::vector<detail::curve_style> styles;
  for (const log_log_panel& panel : panels)
    for (const curve& c : panel.curves)
      if (std::ranges::find(styles, c.name, &detail::curve_style::name) == styles.end())
        styles.push_back({c.name, colours[styles.size() % std::size(colours)]});
  constexpr int sheet = 940, left = 24;
  const int across = panels.size() == 1 ? 1 : 2, width = sheet / across;
  std::string legend;
  double at = left, line = 52;
  for (std::size_t i = 0; i < styles.size(); i++) {
    const double wide = 40 + 7.5 * static_cast<double>(styles[i].name.size());
    if (at + wide > sheet) at = left, line += 20;
    detail::mark(legend, i, at, line, styles[i].colour.c_str());
    svg::put(legend, R"(<text x="%.1f" y="%.1f">%s</text>)", at + 10, line + 4, svg::escaped(styles[i].name).c_str());
    at += wide;
  }
  const int below = static_cast<int>(line) + 22, rows = (static_cast<int>(panels.size()) + across - 1) / across;
  std::string all = svg::sheet(sheet, below + rows * detail::log_log_drawing::height, title) + legend + '\n';
  for (int i = 0; i < static_cast<int>(panels.size()); i++)
    detail::log_log_drawing(panels[static_cast<std::size_t>(i)], i % across * width,
                            below + i / across * detail::log_log_drawing::height, width)
        .draw(all, styles);
  return all + "</svg>\n";
}

}  // namespace app
