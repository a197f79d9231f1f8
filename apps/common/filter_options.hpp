// Filters as the command line asks for them: --lowpass 1000, --peak 3k:6:2, one behind another in their order.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/filter_design.hpp>

#include "program.hpp"

namespace app {

//! A kind of filter: the option, its numbers, and those that may be left out, from the right.
struct filter_kind {
  const char *option, *numbers, *help;
  std::size_t least, most;
  double defaults[3];
  std::vector<upsweep::section> (*design)(const double* numbers, int order, double rate);
};

namespace detail {
using sections = std::vector<upsweep::section>;
inline constexpr double steepest = 0.7071067811865476;  // of shelves that do not overshoot
inline constexpr filter_kind filter_kinds[] = {
    {"--lowpass",
     "F",
     "Keep what is below F Hz",
     1,
     1,
     {},
     [](const double* x, int order, double rate) { return upsweep::butterworth_lowpass(order, x[0], rate); }},
    {"--highpass",
     "F",
     "Keep what is above F Hz",
     1,
     1,
     {},
     [](const double* x, int order, double rate) { return upsweep::butterworth_highpass(order, x[0], rate); }},
    {"--bandpass",
     "F:G",
     "Keep what is between F and G Hz",
     2,
     2,
     {},
     [](const double* x, int order, double rate) { return upsweep::butterworth_bandpass(order, x[0], x[1], rate); }},
    {"--bandstop",
     "F:G",
     "Remove what is between F and G Hz",
     2,
     2,
     {},
     [](const double* x, int order, double rate) { return upsweep::butterworth_bandstop(order, x[0], x[1], rate); }},
    {"--notch",
     "F[:Q]",
     "Remove F Hz, and little else: a band of F/Q (Q is 30)",
     1,
     2,
     {0, 30},
     [](const double* x, int, double rate) { return sections{upsweep::notch(x[0], x[1], rate)}; }},
    {"--peak",
     "F:DB[:Q]",
     "Raise or lower what is around F Hz by DB decibels, a band of F/Q (Q is 1)",
     2,
     3,
     {0, 0, 1},
     [](const double* x, int, double rate) { return sections{upsweep::peak(x[0], x[1], x[2], rate)}; }},
    {"--low-shelf",
     "F:DB[:Q]",
     "Raise or lower all below F Hz by DB decibels",
     2,
     3,
     {0, 0, steepest},
     [](const double* x, int, double rate) { return sections{upsweep::low_shelf(x[0], x[1], x[2], rate)}; }},
    {"--high-shelf",
     "F:DB[:Q]",
     "Raise or lower all above F Hz by DB decibels",
     2,
     3,
     {0, 0, steepest},
     [](const double* x, int, double rate) { return sections{upsweep::high_shelf(x[0], x[1], x[2], rate)}; }},
};
}  // namespace detail

class filter_options {
 public:
  void add_to(command_line& cli) {
    for (const filter_kind& kind : detail::filter_kinds)
      cli.add_function(
             kind.option,
             [this, &kind](const std::string& text) {
               asked_.push_back({&kind, text, parse(kind, text)});
             },
             kind.help, kind.numbers)
          .group("Filters, one behind another");
    cli.add_option("--order", order_,
                   "Of --lowpass, --highpass, --bandpass and --bandstop: how steep, 6 dB an octave each")
        .shows_default()
        .range(1, 1000)
        .group("Filters, one behind another");
  }

  bool empty() const { return asked_.empty(); }
  //! All of them for a sample rate; one that cannot be is told by the words of the command line.
  std::vector<upsweep::section> design(double rate) const {
    std::vector<upsweep::section> all;
    for (const one& filter : asked_) {
      const auto some = about(words(filter), [&] { return filter.kind->design(filter.numbers.data(), order_, rate); });
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
  std::string text() const {
    std::string all;
    bool ordered = false;
    for (const one& filter : asked_) {
      all += (all.empty() ? "" : " ") + words(filter);
      ordered = ordered || filter.kind < detail::filter_kinds + 4;
    }
    if (ordered) all += " --order " + std::to_string(order_);
    return all;
  }
  double lowest_frequency() const {
    double lowest = 1e300;
    for (const one& filter : asked_) lowest = std::min(lowest, filter.numbers[0]);
    return lowest;
  }

 private:
  struct one {
    const filter_kind* kind;
    std::string text;
    std::vector<double> numbers;
  };
  std::vector<one> asked_;
  int order_ = 4;

  static std::string words(const one& filter) { return std::string(filter.kind->option) + " " + filter.text; }
  static std::vector<double> parse(const filter_kind& kind, std::string_view text) {
    std::vector<double> numbers;
    const char *at = text.data(), *const end = at + text.size();
    for (;;) {
      double value = 0;
      const auto [stop, error] = std::from_chars(at, end, value);
      at = stop;
      if (error == std::errc{} && at != end && *at == 'k') {
        value *= 1000;
        at++;
      }
      numbers.push_back(value);
      if (error != std::errc{} || !std::isfinite(value) || (at != end && *at != ':') || numbers.size() > kind.most ||
          (at == end && numbers.size() < kind.least))
        throw usage_error(kind.option, "is \"" + std::string(text) + "\", must be " + kind.numbers);
      if (at == end) break;
      at++;
    }
    for (std::size_t i = numbers.size(); i < kind.most; i++) numbers.push_back(kind.defaults[i]);
    return numbers;
  }
};

}  // namespace app
