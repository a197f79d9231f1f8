// The serial oracle of polynomials: Horner's rule in long double, and how far off a computed value may be. It shares no
// code with the library.
#pragma once
#include <cmath>
#include <cstddef>
#include <span>

namespace oracle {

struct polynomial_value {
  long double value = 0;
  long double magnitude = 0;  // Σ |c[i]·x^i|
  long double weighted = 0;   // Σ i·|c[i]·x^i|
};

template <class T>
polynomial_value horner(std::span<const T> coefficients, T x) {
  polynomial_value y;
  const long double at = x, size = std::fabs(at);
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    const long double c = coefficients[i];
    // What is there moves up by a power: i·m of each term becomes (i + 1)·m·|x|.
    y.weighted = (y.weighted + y.magnitude) * size;
    y.magnitude = y.magnitude * size + std::fabs(c);
    y.value = y.value * at + c;
  }
  return y;
}

//! How far off, in units of half the last place of 1, a value is that was computed in any order: term i is multiplied
//! by x at most i times, or by powers that were, and each time something is added to it; `joins` is how many stretches
//! of terms are put together behind one another, each by a product and a sum more.
inline long double roundings_of(const polynomial_value& y, int joins) {
  return 2 * y.weighted + (2 * joins + 1) * y.magnitude;
}

}  // namespace oracle
