// Filters of high order, of polynomials in z⁻¹: sample by sample, one thread a channel.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/for_each_index.hpp>
#include <upsweep/require.hpp>
#include <upsweep/sections.hpp>
#include <upsweep/signal.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! b and a of lfilter, divided by a[0]; a0 is left out.
struct polynomials {
  std::vector<double> b, a;
  int order;
  polynomials(std::span<const double> b_given, std::span<const double> a_given) {
    check_polynomial("b", b_given);
    check_polynomial("a", a_given);
    require(a_given[0] != 0, "a", "[0] is 0, must not be");
    for (const double coefficient : b_given) b.push_back(coefficient / a_given[0]);
    for (const double coefficient : a_given.subspan(1)) a.push_back(coefficient / a_given[0]);
    order = static_cast<int>(std::max(b.size() - 1, a.size()));
    require(order <= most_order, "b and a", "make a filter of order ", order, ", at most ", most_order);
    for (const double coefficient : b) check_finite("b / a[0]", coefficient);
    for (const double coefficient : a) check_finite("a / a[0]", coefficient);
  }
  static constexpr int most_order = 64;
};

//! The same as a function of consecutive samples, direct form II transposed. `kept`: the state, `order` entries, or
//! null.
struct serial_polynomials {
  int order;
  double b[polynomials::most_order + 1] = {}, a[polynomials::most_order] = {};

  explicit serial_polynomials(const polynomials& by) : order(by.order) {
    std::copy(by.b.begin(), by.b.end(), b);
    std::copy(by.a.begin(), by.a.end(), a);
  }
  template <class In, class Out>
  UPSWEEP_HD void operator()(const samples_of<const In>& from, const samples_of<Out>& to, index_t n,
                             double* kept) const {
    double s[polynomials::most_order];
    s[0] = 0;
    for (int k = 0; k < order; k++) s[k] = kept ? kept[k] : 0;
    for (index_t t = 0; t < n; t++) {
      const double x = static_cast<double>(from[t]), y = b[0] * x + s[0];
      for (int k = 1; k < order; k++) s[k - 1] = b[k] * x + s[k] - a[k - 1] * y;
      if (order > 0) s[order - 1] = b[order] * x - a[order - 1] * y;
      to[t] = to_sample<Out>(y);
    }
    for (int k = 0; k < order && kept; k++) kept[k] = s[k];
  }
};

//! Filters a channel.
template <class In, class Out, bool Interleaved>
struct filter_channel {
  signal<const In, Interleaved> in;
  signal<Out, Interleaved> out;
  double* state;  // order entries a channel, or null
  serial_polynomials by;

  UPSWEEP_HD void operator()(index_t c) const {
    by(in.samples(c, false), out.samples(c, false), in.length, state ? state + c * by.order : nullptr);
  }
};

template <class Executor, class In, class Out, bool Interleaved>
void filter_serially(Executor& executor, const polynomials& by, const signal<const In, Interleaved>& in,
                     const signal<Out, Interleaved>& out, double* state) {
  const filter_channel<In, Out, Interleaved> filter{in, out, state, serial_polynomials(by)};
  for_each_index(executor, in.channels, filter, 1);
}

}  // namespace UPSWEEP_NAMESPACE::detail
