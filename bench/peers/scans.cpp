// Scans and recurrences.
#include <numeric>
#include <stdexcept>

#include "standard.hpp"

namespace bench::peers {

bool has_parallel() {
#if defined(__cpp_lib_execution) && __has_include(<tbb/tbb.h>)
  return true;
#else
  return false;
#endif
}

template <class T>
void inclusive_sum(way w, input<T> in, output<T> out) {
  by(w, [&](auto... policy) {
    return std::inclusive_scan(policy..., in.begin(), in.end(), out.begin(), upsweep::plus<T>{});
  });
}
template <class T>
void exclusive_sum(way w, input<T> in, output<T> out) {
  by(w, [&](auto... policy) {
    return std::exclusive_scan(policy..., in.begin(), in.end(), out.begin(), T{}, upsweep::plus<T>{});
  });
}
template <class M>
void inclusive_scan(way w, input<typename M::value_type> in, output<typename M::value_type> out) {
  by(w, [&](auto... policy) { return std::inclusive_scan(policy..., in.begin(), in.end(), out.begin(), M{}); });
}
template void inclusive_sum(way, input<std::uint8_t>, output<std::uint8_t>);
template void inclusive_sum(way, input<std::int16_t>, output<std::int16_t>);
template void inclusive_sum(way, input<std::int32_t>, output<std::int32_t>);
template void inclusive_sum(way, input<std::int64_t>, output<std::int64_t>);
template void inclusive_sum(way, input<float>, output<float>);
template void inclusive_sum(way, input<double>, output<double>);
template void exclusive_sum(way, input<std::uint8_t>, output<std::uint8_t>);
template void exclusive_sum(way, input<std::int16_t>, output<std::int16_t>);
template void exclusive_sum(way, input<std::int32_t>, output<std::int32_t>);
template void exclusive_sum(way, input<std::int64_t>, output<std::int64_t>);
template void exclusive_sum(way, input<float>, output<float>);
template void exclusive_sum(way, input<double>, output<double>);
template void inclusive_scan<upsweep::affine<float>>(way, input<upsweep::affine<float>::value_type>,
                                                     output<upsweep::affine<float>::value_type>);
template void inclusive_scan<upsweep::matrix<float, 2>>(way, input<upsweep::matrix<float, 2>::value_type>,
                                                        output<upsweep::matrix<float, 2>::value_type>);

void reversed_sum(input<int> in, output<int> out) {
  std::inclusive_scan(in.rbegin(), in.rend(), out.rbegin(), upsweep::plus<int>{});
}
void sum_of_rows(input<int> in, output<int> out, std::size_t row_length) {
  for (std::size_t row = 0; row < in.size(); row += row_length) {
    const auto items = in.subspan(row, row_length);
    std::inclusive_scan(items.begin(), items.end(), out.subspan(row).begin(), upsweep::plus<int>{});
  }
}

// A choice of two values, no jump.
template <class T>
void sum_by_key(input<int> keys, input<T> in, output<T> out) {
  T sum{};
  int last = keys.empty() ? 0 : keys[0];
  for (std::size_t i = 0; i < in.size(); i++) {
    out[i] = sum = upsweep::plus<T>{}(keys[i] == last ? sum : T{}, in[i]);
    last = keys[i];
  }
}
template void sum_by_key(input<int>, input<int>, output<int>);
template void sum_by_key(input<int>, input<double>, output<double>);

void sum_by_heads(input<std::uint8_t> heads, input<int> in, output<int> out) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < in.size(); i++) {
    sum = (heads[i] ? 0u : sum) + static_cast<unsigned>(in[i]);
    out[i] = static_cast<int>(sum);
  }
}

void recurrence(input<float> a, input<float> b, output<float> x, std::size_t row_length) {
  for (std::size_t row = 0; row < x.size(); row += row_length) {
    const std::size_t end = row + row_length < x.size() ? row + row_length : x.size();
    float before = 0;
    for (std::size_t i = row; i < end; i++) x[i] = before = a[i] * before + b[i];
  }
}
void recurrence_of_order_2(input<float> a1, input<float> a2, input<float> b, output<float> x) {
  float last = 0, previous = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    const float next = a1[i] * last + (a2[i] * previous + b[i]);
    previous = last;
    x[i] = last = next;
  }
}

namespace {
// Coefficients and states are in registers: the number of sections is known to the compiler.
template <std::size_t Sections>
void filter(input<upsweep::section> sections, input<float> in, output<float> out) {
  float b0[Sections], b1[Sections], b2[Sections], a1[Sections], a2[Sections], s1[Sections] = {}, s2[Sections] = {};
  for (std::size_t k = 0; k < Sections; k++) {
    b0[k] = static_cast<float>(sections[k].b0);
    b1[k] = static_cast<float>(sections[k].b1);
    b2[k] = static_cast<float>(sections[k].b2);
    a1[k] = static_cast<float>(sections[k].a1);
    a2[k] = static_cast<float>(sections[k].a2);
  }
  for (std::size_t i = 0; i < in.size(); i++) {
    float x = in[i];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < Sections; k++) {
      const float y = b0[k] * x + s1[k];
      s1[k] = b1[k] * x - a1[k] * y + s2[k];
      s2[k] = b2[k] * x - a2[k] * y;
      x = y;
    }
    out[i] = x;
  }
}
}  // namespace
void cascade(input<upsweep::section> sections, input<float> in, output<float> out) {
  switch (sections.size()) {
    case 1:
      return filter<1>(sections, in, out);
    case 2:
      return filter<2>(sections, in, out);
    case 4:
      return filter<4>(sections, in, out);
    case 8:
      return filter<8>(sections, in, out);
    default:
      throw std::invalid_argument("sections: 1, 2, 4 or 8");
  }
}

// The states of all channels next to one another: channels are the lanes of a vector.
void filter_interleaved(const upsweep::section& s, input<float> in, output<float> out, std::size_t channels) {
  const auto b0 = static_cast<float>(s.b0), b1 = static_cast<float>(s.b1), b2 = static_cast<float>(s.b2);
  const auto a1 = static_cast<float>(s.a1), a2 = static_cast<float>(s.a2);
  std::vector<float> states(2 * channels);
  float* const s1 = states.data();
  float* const s2 = s1 + channels;
  for (std::size_t first = 0; first < in.size(); first += channels) {
    const float* const x = in.data() + first;
    float* const y = out.data() + first;
#ifndef __clang__
#pragma GCC ivdep
#endif
    for (std::size_t c = 0; c < channels; c++) {
      const float sample = x[c], filtered = b0 * sample + s1[c];
      s1[c] = b1 * sample - a1 * filtered + s2[c];
      s2[c] = b2 * sample - a2 * filtered;
      y[c] = filtered;
    }
  }
}

}  // namespace bench::peers
