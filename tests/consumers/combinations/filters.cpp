// Filters: algorithms/upsweep/filter/library/signals.hpp. All coefficients are integers, and poles that let sums grow
// meet zeros: no state is rounded.
#include <algorithm>
#include <array>
#include <cmath>

#include <upsweep/filter/library/signals.hpp>
#include <upsweep/filtfilt.hpp>
#include <upsweep/iir.hpp>

#include "check.hpp"

namespace {
using upsweep::index_t;
using numbers = std::vector<double>;

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }

//! Polynomials of one size, of which a[0] is 1; a section is one, too.
struct rational {
  numbers b, a;
  index_t order() const { return std::ssize(b) - 1; }
  //! The next output, direct form II transposed.
  double operator()(double x, double* s) const {
    const double y = b[0] * x + s[0];
    for (std::size_t k = 1; k < b.size(); k++) s[k - 1] = b[k] * x + (k + 1 < b.size() ? s[k] : 0) - a[k] * y;
    return y;
  }
};
//! The same filter, of which a[0] is 2.
numbers twice(numbers x) {
  for (double& coefficient : x) coefficient *= 2;
  return x;
}
rational rational_of(const upsweep::section& s) { return {{s.b0, s.b1, s.b2}, {s.a0, s.a1, s.a2}}; }

//! Sums, then differences, of neighbours and of items two apart.
std::vector<upsweep::section> exact_sections(index_t count, index_t filters) {
  const upsweep::section kinds[] = {{.a1 = -1}, {.b0 = 2, .b1 = -2}, {.a2 = -1}, {.b2 = -1}};
  std::vector<upsweep::section> rows;
  for (index_t f = 0; f < filters; f++)
    for (index_t k = 0; k < count; k++) rows.push_back(kinds[k % 4]);
  for (index_t f = 1; f < filters; f += 2) rows[at(f * count)].b0 = 3;
  return rows;
}

template <class T>
T sample_of(double y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(std::fmin(std::fmax(std::rint(y), -32768.), 32767.));
  else return static_cast<T>(y);
}

struct shape {
  std::string name;
  index_t channels, length, pitch;
  bool interleaved;
  index_t size() const { return channels * pitch; }
  std::size_t place(index_t c, index_t t) const { return at(interleaved ? t * channels + c : c * pitch + t); }
};
shape planes(index_t n, index_t channels, index_t gap) {
  const index_t length = n / channels;
  return {std::to_string(channels) + " planes", channels, length, length + gap, false};
}
shape side_by_side(index_t n, index_t channels) {
  return {std::to_string(channels) + " channels side by side", channels, n / channels, n / channels, true};
}
//! call(layout)
template <class Call>
void with_layout(const shape& s, const Call& call) {
  if (s.interleaved) call(upsweep::interleaved{s.channels});
  else call(upsweep::planar{s.channels, s.length, s.pitch});
}

//! call(in, out, state, layout) against `parts_of(channel)`, one behind another, whose states' places
//! place(part, entry, channel) tells.
template <class In, class Out, class Executor, class Parts, class Place, class Call>
void check_channels(Executor& exec, const shape& s, index_t entries, const Parts& parts_of, const Place& place,
                    const std::string& what, const Call& call) {
  if (s.length == 0 && s.pitch > 0) return;  // a length of 0 stands for the pitch
  const std::vector<In> in = items<In>(s.size(), false);
  std::vector<Out> expected(in.size(), Out{7});
  numbers before(at(entries * s.channels)), after(before.size());
  for (std::size_t k = 0; k < before.size(); k++) before[k] = static_cast<double>(k % 5) - 2;
  for (index_t c = 0; c < s.channels; c++) {
    const std::vector<rational> parts = parts_of(c);
    std::vector<numbers> states;
    for (std::size_t k = 0; k < parts.size(); k++) {
      states.emplace_back(at(parts[k].order()));
      for (std::size_t e = 0; e < states[k].size(); e++) states[k][e] = before[at(place(k, e, c))];
    }
    for (index_t t = 0; t < s.length; t++) {
      auto x = static_cast<double>(in[s.place(c, t)]);
      for (std::size_t k = 0; k < parts.size(); k++) x = parts[k](x, states[k].data());
      expected[s.place(c, t)] = sample_of<Out>(x);
    }
    for (std::size_t k = 0; k < parts.size(); k++)
      for (std::size_t e = 0; e < states[k].size(); e++) after[at(place(k, e, c))] = states[k][e];
  }
  const upsweep::buffer<In> from(exec, in);
  upsweep::buffer<Out> to(exec, std::vector<Out>(in.size(), Out{7}));
  upsweep::buffer<double> state(exec, before);
  with_layout(s, [&](const auto& layout) { call(from, to, state, layout); });
  check(same_bits(to.to_vector(exec), expected), what + ", " + s.name);
  if (s.length > 0) check(state.to_vector(exec) == after, "state of " + what + ", " + s.name);
}

template <class In, class Out, class Executor>
void check_sections(Executor& exec, const shape& s, index_t count, index_t filters, const std::string& of) {
  const std::vector<upsweep::section> rows = exact_sections(count, filters);
  const auto parts = [&](index_t c) {
    std::vector<rational> own;
    for (index_t k = 0; k < count; k++) own.push_back(rational_of(rows[at((filters > 1 ? c * count : 0) + k)]));
    return own;
  };
  const auto place = [&](std::size_t k, std::size_t e, index_t c) {
    return (static_cast<index_t>(k) * s.channels + c) * 2 + static_cast<index_t>(e);
  };
  check_channels<In, Out>(exec, s, 2 * count, parts, place, "sosfilt of " + std::to_string(count) + " sections, " + of,
                          [&](const auto& in, auto& out, auto& state, const auto& layout) {
                            if (filters == 1) upsweep::sosfilt(exec, rows, in, out, state, layout);
                            else upsweep::sosfilt(exec, upsweep::per_channel(rows), in, out, state, layout);
                          });
}

//! y[i] = x[i] + x[i−1] − last·y[i−order]
rational exact_polynomials(index_t order, double last) {
  rational by{numbers(at(order) + 1), numbers(at(order) + 1)};
  by.a[0] = by.b[0] = by.b[1] = 1;
  by.a.back() = last;
  return by;
}
template <class In, class Out, class Executor>
void check_polynomials(Executor& exec, const shape& s, index_t order, const std::string& of) {
  const rational by = exact_polynomials(order, -1);
  check_channels<In, Out>(
      exec, s, order, [&](index_t) { return std::vector{by}; },
      [&](std::size_t, std::size_t e, index_t c) { return c * order + static_cast<index_t>(e); },
      "lfilter of order " + std::to_string(order) + ", " + of,
      [&](const auto& in, auto& out, auto& state, const auto& layout) {
        upsweep::lfilter(exec, twice(by.b), twice(by.a), in, out, state, layout);
      });
}

// ---------------------------------------------------------------- segments
template <class In, class Out, class Offset, class Executor>
void check_segments(Executor& exec, index_t n, index_t count, index_t order, const std::string& of) {
  std::vector<Offset> offsets{static_cast<Offset>(std::min<index_t>(n, 2))};
  while (static_cast<index_t>(offsets.back()) + 40 < n)
    offsets.push_back(static_cast<Offset>(offsets.back() + static_cast<Offset>(offsets.size() * 7919 % 41)));
  const std::vector<upsweep::section> rows = exact_sections(count, 1);
  std::vector<rational> parts;
  for (const upsweep::section& s : rows) parts.push_back(rational_of(s));
  if (order) parts = {exact_polynomials(order, -1)};
  const index_t segments = std::ssize(offsets) - 1, entries = order ? order : 2;
  const std::vector<In> in = items<In>(n, false);
  std::vector<Out> expected(in.size());
  numbers before(at(std::ssize(parts) * segments * entries));
  for (std::size_t k = 0; k < before.size(); k++) before[k] = static_cast<double>(k % 5) - 2;
  numbers after = before;
  for (index_t s = -1; s <= segments; s++) {
    const index_t begin = s < 0 ? 0 : static_cast<index_t>(offsets[at(s)]),
                  end = s == segments ? n : static_cast<index_t>(offsets[at(s + 1)]);
    const bool kept = 0 <= s && s < segments && begin < end;
    std::vector<numbers> states(parts.size(), numbers(at(entries)));
    for (std::size_t k = 0; k < parts.size() && kept; k++)
      for (index_t e = 0; e < entries; e++)
        states[k][at(e)] = before[at((static_cast<index_t>(k) * segments + s) * entries + e)];
    for (index_t i = begin; i < end; i++) {
      auto x = static_cast<double>(in[at(i)]);
      for (std::size_t k = 0; k < parts.size(); k++) x = parts[k](x, states[k].data());
      expected[at(i)] = sample_of<Out>(x);
    }
    for (std::size_t k = 0; k < parts.size() && kept; k++)
      for (index_t e = 0; e < entries; e++)
        after[at((static_cast<index_t>(k) * segments + s) * entries + e)] = states[k][at(e)];
  }
  const upsweep::buffer<In> from(exec, in);
  upsweep::buffer<Out> to(exec, std::ssize(in));
  upsweep::buffer<double> state(exec, before);
  const upsweep::buffer<Offset> where(exec, offsets);
  if (order) upsweep::lfilter(exec, parts[0].b, parts[0].a, from, to, state, upsweep::offsets(where));
  else upsweep::sosfilt(exec, rows, from, to, state, upsweep::offsets(where));
  check(same_bits(to.to_vector(exec), expected), "a filter of segments, " + of);
  check(state.to_vector(exec) == after, "states of a filter of segments, " + of);
}

// ---------------------------------------------------------------- forth and back
//! Of one channel, from the state that is settled on its first sample, in place.
void run_settled(const std::vector<rational>& parts, const std::vector<numbers>& settled, numbers& x) {
  std::vector<numbers> states = settled;
  double first = x[0];
  for (std::size_t k = 0; k < parts.size(); k++) {
    for (double& entry : states[k]) entry *= first;
    numbers own = states[k];
    first = parts[k](first, own.data());
  }
  for (double& sample : x)
    for (std::size_t k = 0; k < parts.size(); k++) sample = parts[k](sample, states[k].data());
}
template <class In, class Out, class Executor, class Call>
void check_both_ways(Executor& exec, const shape& s, const std::vector<rational>& parts, index_t padding,
                     const std::string& what, const Call& call) {
  if (s.length <= padding) return;
  std::vector<In> in;
  for (const float x : items<float>(s.size(), false)) in.push_back(static_cast<In>(x));
  std::vector<numbers> settled;
  for (const rational& p : parts) settled.push_back(upsweep::lfilter_zi(p.b, p.a));
  std::vector<Out> expected(in.size(), Out{7});
  for (index_t c = 0; c < s.channels; c++) {
    const auto x = [&](index_t t) { return static_cast<double>(in[s.place(c, t)]); };
    numbers padded;
    for (index_t t = -padding; t < s.length + padding; t++) {
      const index_t last = s.length - 1;
      padded.push_back(t < 0 ? 2 * x(0) - x(-t) : t > last ? 2 * x(last) - x(2 * last - t) : x(t));
    }
    for (int way = 0; way < 2; way++) {
      run_settled(parts, settled, padded);
      padded = numbers(padded.rbegin(), padded.rend());
    }
    for (index_t t = 0; t < s.length; t++) expected[s.place(c, t)] = sample_of<Out>(padded[at(t + padding)]);
  }
  const upsweep::buffer<In> from(exec, in);
  upsweep::buffer<Out> to(exec, std::vector<Out>(in.size(), Out{7}));
  with_layout(s, [&](const auto& layout) { call(from, to, layout); });
  check(same_bits(to.to_vector(exec), expected), what + ", " + s.name);
}
template <class In, class Out, class Executor>
void check_filtfilt(Executor& exec, const shape& s, index_t count, const std::string& of) {
  std::vector<upsweep::section> rows;  // of one pole or zero at −1 each
  std::vector<rational> parts;
  for (index_t k = 0; k < count; k++) {
    rows.push_back(k % 2 ? upsweep::section{.b1 = 1} : upsweep::section{.a1 = 1});
    parts.push_back(rational_of(rows.back()));
  }
  check_both_ways<In, Out>(
      exec, s, parts, 3 * (count + 1), "sosfiltfilt of " + std::to_string(count) + " sections, " + of,
      [&](const auto& in, auto& out, const auto& layout) { upsweep::sosfiltfilt(exec, rows, in, out, layout); });
  if (count > 8) return;
  const rational by = exact_polynomials(count, 1);
  check_both_ways<In, Out>(exec, s, {by}, 3 * (count + 1), "filtfilt of order " + std::to_string(count) + ", " + of,
                           [&](const auto& in, auto& out, const auto& layout) {
                             upsweep::filtfilt(exec, twice(by.b), twice(by.a), in, out, layout);
                           });
}

template <class In, class Out, class Executor>
void check_signal(Executor& exec, index_t n, const char* name) {
  const std::string of = counted(name, n);
  const bool is_small = n <= 10'000, is_large = n > 1'000'000;
  for (const index_t count : {1, 2, 4, 8, 3, 9, 17}) {
    if ((is_large && count % 2 != 0 && count > 1) || (!is_small && count > 9)) continue;
    check_sections<In, Out>(exec, planes(n, 1, 0), count, 1, of);
    check_sections<In, Out>(exec, planes(n, 3, 5), count, 3, of);
    for (const index_t channels : {2, 3}) check_sections<In, Out>(exec, side_by_side(n, channels), count, 1, of);
    if (is_large) continue;
    check_sections<In, Out>(exec, planes(n, 3, 5), count, 1, of);
    check_sections<In, Out>(exec, planes(n, 800, 0), count, 1, of);
    check_sections<In, Out>(exec, planes(n, 70, 1), count, 70, of);
    for (const index_t channels : {1, 20}) check_sections<In, Out>(exec, side_by_side(n, channels), count, 1, of);
    check_sections<In, Out>(exec, side_by_side(n, 3), count, 3, of);
  }
  for (const index_t order : {1, 2, 3, 4, 7, 11}) {
    if (order > 8 && !is_small) continue;
    check_polynomials<In, Out>(exec, planes(n, 1, 0), order, of);
    for (const index_t channels : {2, 3}) check_polynomials<In, Out>(exec, side_by_side(n, channels), order, of);
  }
#define UPSWEEP_ROW(Offset, name)                                                                           \
  for (const index_t count : {1, 2, 3}) check_segments<In, Out, Offset>(exec, n, count, 0, of + ", " name); \
  check_segments<In, Out, Offset>(exec, n, 1, 3, of + ", " name);
  UPSWEEP_LIBRARY_FILTER_OFFSETS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  for (const index_t count : {1, 2, 3, 8, 9}) {
    check_filtfilt<In, Out>(exec, planes(n, 1, 0), count, of);
    check_filtfilt<In, Out>(exec, planes(n, 3, 5), count, of);
    check_filtfilt<In, Out>(exec, side_by_side(n, 3), count, of);
  }
}

}  // namespace

void check_filters(tested& exec, index_t n) {
#define UPSWEEP_ROW(In, Out, name) check_signal<In, Out>(exec, n, name);
  UPSWEEP_LIBRARY_SIGNALS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
}
