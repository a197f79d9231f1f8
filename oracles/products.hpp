// The serial oracle of sparse products: a row of a·x, one non-zero after another, and how far a sum that rounds may be
// from it. It takes the matrices of the library, or any with such members, and none of its code.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace oracle {

//! What a row of a product is, exactly as far as `Wide` goes, and the sum of the magnitudes that it is made of.
template <class Wide, class Real = long double>
struct row_sum {
  Wide sum{};
  Real magnitude = 0;
};
//! All rows of a·x, of column `column` of an x of so many.
template <class Wide, class Real = long double, class Matrix, class X>
std::vector<row_sum<Wide, Real>> spmv(const Matrix& a, const X& x, std::ptrdiff_t width = 1,
                                      std::ptrdiff_t column = 0) {
  using std::abs;  // of floats; complex numbers bring their own
  const auto at = [](std::ptrdiff_t i) { return static_cast<std::size_t>(i); };
  std::vector<row_sum<Wide, Real>> y(at(a.rows));
  for (std::size_t r = 0; r < y.size(); r++)
    for (std::size_t k = at(a.offsets[r]); k < at(a.offsets[r + 1]); k++) {
      const Wide product =
          static_cast<Wide>(a.values[k]) * static_cast<Wide>(x[at(a.column_indices[k] * width + column)]);
      y[r].sum += product;
      if constexpr (!std::is_integral_v<Wide>) y[r].magnitude += abs(product);
    }
  return y;
}

//! How far `count` products in T, summed in any order, may be from their exact sum: γ·Σ|a·x| (Higham 2002, §3.1), and
//! what is lost below the smallest number.
template <class T, class Real>
Real bound_of_sum(std::int64_t count, Real magnitude) {
  const Real roundings = static_cast<Real>(count), part = roundings * std::numeric_limits<T>::epsilon() / 2;
  const Real gamma = part < 1 ? part / (1 - part) : std::numeric_limits<Real>::infinity();
  return (magnitude > 0 ? gamma * magnitude : 0) + roundings * std::numeric_limits<T>::denorm_min();
}

}  // namespace oracle
