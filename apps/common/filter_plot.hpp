// A drawing of a filter's frequency response: magnitude and phase over the logarithm of frequency, as SVG.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <upsweep/filter_response.hpp>
#include <upsweep/sections.hpp>

#include "svg.hpp"

namespace app {

class filter_plot {
 public:
  //! `way`: what is drawn is the filter applied once, or forth and back. From `lowest` to half of the sample rate.
  enum class way { once, forth_and_back };
  filter_plot(const std::vector<upsweep::section>& sections, double rate, double lowest, way applied)
      : nyquist_(rate / 2), lowest_(std::min(lowest, rate / 20)) {
    for (int i = 0; i <= points; i++) {
      const double frequency = std::min(lowest_ * std::pow(nyquist_ / lowest_, i / double{points}), nyquist_);
      auto response = upsweep::frequency_response(sections, frequency, rate);
      if (applied == way::forth_and_back) response = std::norm(response);
      gain_.push_back(20 * std::log10(std::abs(response)));
      phase_.push_back(std::arg(response) * 180 / std::numbers::pi);
    }
    // From the highest gain, in tens, 80 dB down, and less when there is less.
    const double highest = *std::ranges::max_element(gain_), least = *std::ranges::min_element(gain_);
    top_ = std::clamp(10 * std::ceil(highest / 10 + 0.05), -290., 610.);
    bottom_ = std::max(10 * std::floor(std::min(least, -1.) / 10), top_ - 80);
    bottom_ = std::min(bottom_, top_ - 20);
  }

  std::string svg(const std::string& title) const {
    std::string all = svg::sheet(760, 480, title);
    draw(all, {"gain, dB", 52, 296, bottom_, top_, top_ - bottom_ > 50 ? 20. : 10.}, gain_, "#0969da");
    draw(all, {"phase, degrees", 340, 432, -180, 180, 90}, phase_, "#aa4499");
    svg::put(all, R"(<text x="%d" y="466" text-anchor="middle" fill="#59636e">frequency, Hz</text>)",
             (left + right) / 2);
    return all + "\n</svg>\n";
  }

 private:
  static constexpr int points = 1200, left = 64, right = 736;
  struct panel {
    const char* name;
    double upper, lower, least, most, step;  // pixels from the top; the values there
    double y(double value) const {
      return lower - (std::clamp(value, least, most) - least) / (most - least) * (lower - upper);
    }
  };
  double nyquist_, lowest_, top_ = 0, bottom_ = 0;
  std::vector<double> gain_, phase_;

  double x(double frequency) const {
    return left + std::log(frequency / lowest_) / std::log(nyquist_ / lowest_) * (right - left);
  }

  void draw(std::string& all, const panel& p, const std::vector<double>& values, const char* colour) const {
    const auto decade = [](double frequency) { return static_cast<int>(std::floor(std::log10(frequency))); };
    for (int power = decade(lowest_); power <= decade(nyquist_); power++)
      for (int digit = 1; digit < 10; digit++) {
        const double f = digit * std::pow(10., power);
        if (f < lowest_ * 0.999 || f > nyquist_) continue;
        svg::put(all, R"(<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>)", x(f), p.upper, x(f), p.lower,
                 digit == 1 ? "#afb8c1" : "#eaeef2");
        if (digit == 1 || digit == 2 || digit == 5)
          svg::put(all, R"(<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>)", x(f), p.lower + 16,
                   short_text(f).c_str());
        all += '\n';
      }
    const auto lines_upto = [&](double value) { return static_cast<int>(std::floor(value / p.step)); };
    for (int k = -lines_upto(-p.least); k <= lines_upto(p.most); k++) {
      const double value = k * p.step;
      svg::put(
          all,
          R"(<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#d8dee4"/><text x="%d" y="%.1f" text-anchor="end">%g</text>)"
          "\n",
          left, p.y(value), right, p.y(value), left - 6, p.y(value) + 4, value);
    }
    svg::put(all, R"(<text x="%d" y="%.1f" fill="#59636e">%s</text>)", left, p.upper - 6, p.name);
    all += '\n';
    // What leaves the panel, and a jump of the phase by a turn, ends a line.
    std::string line;
    const auto end_line = [&] {
      if (!line.empty())
        svg::put(all, R"(<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round"/>)",
                 line.c_str(), colour);
      line.clear();
    };
    for (std::size_t i = 0; i < values.size(); i++) {
      const double value = values[i], last = i > 0 ? values[i - 1] : value;
      const bool inside = value >= p.least - 1e-9 && value <= p.most + 1e-9;
      const bool was_inside = last >= p.least - 1e-9 && last <= p.most + 1e-9;
      if (&values == &phase_ && std::abs(value - last) > 180) end_line();
      const auto add = [&](std::size_t at, double v) {
        const double place = static_cast<double>(at) / points;
        svg::put(line, "%.1f,%.1f ", left + place * (right - left), p.y(v));
      };
      if (inside && !was_inside) add(i - 1, last);  // at the edge
      if (inside || was_inside) add(i, value);
      if (!inside) end_line();
    }
    end_line();
    all += '\n';
  }

  static std::string short_text(double frequency) {
    char text[32];
    if (frequency >= 1000) std::snprintf(text, sizeof text, "%g k", frequency / 1000);
    else std::snprintf(text, sizeof text, "%g", frequency);
    return text;
  }
};

}  // namespace app
