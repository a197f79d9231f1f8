// What the tests of sparse products share: whose bits are the same, and how near to the oracle a sum must be.
#pragma once
#include <complex>
#include <type_traits>
#include <vector>

#include <upsweep/spmv.hpp>

#include "../oracles/products.hpp"
#include "matrices.hpp"
#include "oracle.hpp"
#include "support.hpp"

namespace test {

//! All hosts give the same bits, and all devices: kept for each kind of executor.
template <class T>
class same_bits_for_each_kind {
 public:
  template <class Executor>
  void check(const Executor&, const std::vector<T>& items) {
    auto& first = std::is_same_v<Executor, upsweep::host> ? of_hosts_ : of_devices_;
    if (first.empty()) first = items;
    check_same_bits(items, first);
  }
  const std::vector<T>& of_hosts() const { return of_hosts_; }

 private:
  std::vector<T> of_hosts_, of_devices_;
};

template <class T>
struct wide {
  using type = std::conditional_t<std::is_integral_v<T>,
                                  std::make_unsigned_t<std::conditional_t<std::is_integral_v<T>, T, int>>, long double>;
};
template <class T>
struct wide<std::complex<T>> {
  using type = std::complex<long double>;
};
template <class T>
using wide_t = typename wide<T>::type;
template <class T>
struct real_part {
  using type = T;
};
template <class T>
struct real_part<std::complex<T>> {
  using type = T;
};

//! Of a row's sum, and a little for alpha and beta; complex products round twice in each part.
template <class S>
long double bound(index_t length, long double magnitude) {
  constexpr int parts = std::is_floating_point_v<S> ? 1 : 2;
  return oracle::bound_of_sum<typename real_part<S>::type>(parts * (length + 3), magnitude);
}

template <class S, class Matrix, class Wide>
void check_close(const std::vector<S>& y, const Matrix& a, const std::vector<oracle::row_sum<Wide>>& expected,
                 index_t width = 1, index_t column = 0) {
  using std::abs;
  index_t wrong = 0, first = -1;
  for (index_t r = 0; r < a.rows; r++) {
    const auto& e = expected[oracle::at(r)];
    const S item = y[oracle::at(r * width + column)];
    bool right = false;
    if constexpr (std::is_integral_v<S>) {
      right = item == static_cast<S>(e.sum);
    } else {
      right = abs(static_cast<Wide>(item) - e.sum) <= bound<S>(a.length(r), e.magnitude);
    }
    if (!right && wrong++ == 0) first = r;
  }
  INFO(wrong << " wrong rows, the first is " << first);
  REQUIRE(wrong == 0);
}

}  // namespace test
