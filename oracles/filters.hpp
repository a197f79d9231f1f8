// The serial oracle of recursive filters: direct form II transposed, one sample after another, and forth and back as
// SciPy does. It takes the types of the library, and none of its code.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <upsweep/sections.hpp>

namespace oracle {

using reals = std::vector<long double>;

//! b(z⁻¹)/a(z⁻¹)
template <class Real = long double>
class serial_section {
 public:
  serial_section(std::span<const double> b, std::span<const double> a)
      : b_(b.begin(), b.end()), a_(a.begin(), a.end()), state_(std::max(b.size(), a.size()) - 1) {
    b_.resize(state_.size() + 1);
    a_.resize(state_.size() + 1);
    const Real a0 = a_[0];
    for (Real& x : b_) x /= a0;
    for (Real& x : a_) x /= a0;
  }
  Real operator()(Real x) {
    const std::size_t order = state_.size();
    const Real y = b_[0] * x + (order ? state_[0] : 0);
    for (std::size_t k = 0; k < order; k++)
      state_[k] = b_[k + 1] * x + (k + 1 < order ? state_[k + 1] : 0) - a_[k + 1] * y;
    return y;
  }
  //! As if x had always been there. Gives what then comes out.
  Real settle(Real x) {
    Real zeros = 0, poles = 0, later = 0;
    for (const Real b : b_) zeros += b;
    for (const Real a : a_) poles += a;
    const Real y = x * zeros / poles;
    for (std::size_t k = state_.size(); k-- > 0;) later = state_[k] = later + b_[k + 1] * x - a_[k + 1] * y;
    return y;
  }
  std::vector<Real>& state() { return state_; }

 private:
  std::vector<Real> b_, a_, state_;
};

//! One channel's filter: a sample in, a sample out.
template <class Real = long double>
class serial_filter {
 public:
  explicit serial_filter(std::span<const upsweep::section> sections) {
    for (const upsweep::section& s : sections) {
      const double b[] = {s.b0, s.b1, s.b2}, a[] = {s.a0, s.a1, s.a2};
      parts_.emplace_back(b, a);
    }
  }
  serial_filter(std::span<const double> b, std::span<const double> a) { parts_.emplace_back(b, a); }
  Real operator()(Real x) {
    for (auto& part : parts_) x = part(x);
    return x;
  }
  void settle(Real x) {
    for (auto& part : parts_) x = part.settle(x);
  }
  std::vector<serial_section<Real>>& parts() { return parts_; }

 private:
  std::vector<serial_section<Real>> parts_;
};

//! Polynomials in z⁻¹: a part of a cascade.
struct polynomials {
  std::vector<double> b, a;
  std::size_t order() const { return std::max(b.size(), a.size()) - 1; }
};
inline std::vector<polynomials> polynomials_of(std::span<const upsweep::section> sections) {
  std::vector<polynomials> parts;
  for (const upsweep::section& s : sections) parts.push_back({{s.b0, s.b1, s.b2}, {s.a0, s.a1, s.a2}});
  return parts;
}
//! Of the magnitudes of an impulse response, until it has decayed.
inline double sum_of_response(std::span<const polynomials> parts) {
  serial_filter<double> respond{std::span<const upsweep::section>()};
  for (const polynomials& p : parts) respond.parts().emplace_back(p.b, p.a);
  double all = 0, before = 0;
  for (int t = 0; t < 1 << 17; t++) {
    all += std::abs(respond(t == 0 ? 1. : 0.));
    if (t % 1024 != 1023) continue;
    if (all - before <= 0x1p-60 * all) break;
    before = all;
  }
  return all;
}

//! Of a cascade's output, for samples of magnitudes up to `samples` from states of up to `state`: how large it may be,
//! and how far off, in rounding units, where each operation and coefficient rounds, one sample after another; to first
//! order.
struct magnitudes {
  double largest, roundings;
};
inline magnitudes magnitudes_of(std::span<const polynomials> parts, double samples = 1, double state = 0) {
  const auto sum = [](std::span<const double> of) {
    double all = 0;
    for (const double x : of) all += std::abs(x);
    return all;
  };
  // What comes into part k behind its numerator, to the output of the parts before `end`.
  const auto through = [&](std::size_t k, std::size_t end) {
    std::vector<polynomials> from(parts.begin() + static_cast<std::ptrdiff_t>(k),
                                  parts.begin() + static_cast<std::ptrdiff_t>(end));
    from[0].b = {from[0].a[0]};
    return sum_of_response(from);
  };
  magnitudes m{samples, 0};
  for (std::size_t k = 0; k < parts.size(); k++) {
    const polynomials& p = parts[k];
    const double in = m.largest;
    m.largest = samples * sum_of_response(parts.first(k + 1));
    for (std::size_t j = 0; j <= k && state > 0; j++)  // an entry comes out once, at its own time
      m.largest += state * static_cast<double>(parts[j].order()) * through(j, k + 1);
    // No product, sum or state of this part is larger. So many operations round a sample, and their coefficients; what
    // they lose goes round as the output does, and through the parts behind.
    const double within = (sum(p.b) * in + sum(std::span(p.a).subspan(1)) * m.largest) / std::abs(p.a[0]);
    const auto operations = static_cast<double>(4 * p.order() + 1);
    m.roundings += (operations + 1) * within * through(k, parts.size());
  }
  return m;
}
inline magnitudes magnitudes_of(std::span<const upsweep::section> sections, double samples = 1, double state = 0) {
  return magnitudes_of(std::span<const polynomials>(polynomials_of(sections)), samples, state);
}
//! How far off a scan in double may be, which rounds a few times at each level of its tree where a loop rounds once.
inline double error_of_scan(const magnitudes& m) {
  constexpr int levels = 64;
  return levels * m.roundings * 0x1p-53;
}

//! Samples that SciPy puts in front of a channel and behind it. A channel must be longer.
inline std::ptrdiff_t padding_of(std::span<const upsweep::section> sections) {
  const auto zeros = [&](double upsweep::section::*entry) {
    return std::ranges::count_if(sections, [&](const upsweep::section& s) { return s.*entry == 0; });
  };
  return 3 * (2 * std::ssize(sections) + 1 - std::min(zeros(&upsweep::section::b2), zeros(&upsweep::section::a2)));
}
inline std::ptrdiff_t padding_of(std::span<const double> b, std::span<const double> a) {
  return 3 * std::max(std::ssize(b), std::ssize(a));
}

//! A channel forth and back, padded by its own ends turned around: scipy.signal.sosfiltfilt and filtfilt.
template <class T>
reals forth_and_back(const serial_filter<>& filter, std::ptrdiff_t padding, std::span<const T> channel) {
  const std::ptrdiff_t last = std::ssize(channel) - 1;
  const auto at = [&](std::ptrdiff_t t) { return static_cast<long double>(channel[static_cast<std::size_t>(t)]); };
  reals samples;
  for (std::ptrdiff_t t = padding; t > 0; t--) samples.push_back(2 * at(0) - at(t));
  for (std::ptrdiff_t t = 0; t <= last; t++) samples.push_back(at(t));
  for (std::ptrdiff_t t = 1; t <= padding; t++) samples.push_back(2 * at(last) - at(last - t));
  for (int way = 0; way < 2; way++) {
    serial_filter<> settled = filter;
    settled.settle(samples.front());
    std::ranges::transform(samples, samples.begin(), settled);
    std::ranges::reverse(samples);
  }
  return {samples.begin() + padding, samples.end() - padding};
}

}  // namespace oracle
