// Solves A x = b by conjugate gradients, where A is the Laplacian of a grid of 64 x 64 points with zeros around it.
// A step is a product with A, two dot products (scans whose results are discarded) and three updates of vectors.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>
#include <upsweep/transform.hpp>

using pair_of_doubles = upsweep::tuple<double, double>;
struct product {
  UPSWEEP_HD double operator()(const pair_of_doubles& p) const { return upsweep::get<0>(p) * upsweep::get<1>(p); }
};
struct sum_with {  // x + factor*y
  double factor;
  UPSWEEP_HD double operator()(const pair_of_doubles& p) const {
    return upsweep::get<0>(p) + factor * upsweep::get<1>(p);
  }
};
using vector = upsweep::buffer<double>;

// Thrust: inner_product(x, y), without a functor of ours; here reduce takes one range, so that a product is a lift.
double dot(upsweep::any_executor& exec, const vector& x, const vector& y) {
  return upsweep::scan(exec, x.size(), upsweep::contiguous(x, y), product{}, upsweep::plus<double>{}, upsweep::discard);
}
void add(upsweep::any_executor& exec, const vector& x, double factor, const vector& y, vector& sum) {
  upsweep::transform(exec, upsweep::contiguous(x, y), sum, sum_with{factor});
}

int main() {
  const int side = 64, n = side * side;
  std::vector<int> rows{0}, columns;
  std::vector<double> values;
  const auto neighbour = [&](int row, int column, double value) {
    if (row < 0 || row >= side || column < 0 || column >= side) return;
    columns.push_back(row * side + column);
    values.push_back(value);
  };
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      neighbour(i - 1, j, -1);
      neighbour(i, j - 1, -1);
      neighbour(i, j, 4);
      neighbour(i, j + 1, -1);
      neighbour(i + 1, j, -1);
      rows.push_back(static_cast<int>(columns.size()));
    }
  }
  std::vector<double> solution(n), right_side(n);
  for (int i = 0; i < n; i++) solution[i] = std::sin(i);
  for (int i = 0; i < n; i++)
    for (int k = rows[i]; k < rows[i + 1]; k++) right_side[i] += values[k] * solution[columns[k]];

  auto exec = upsweep::any_executor::named("auto");
  const upsweep::buffer<int> offsets(exec, rows), column_indices(exec, columns);
  const vector nonzeros(exec, values);
  const upsweep::csr_view A{n, n, offsets, column_indices, nonzeros};
  vector x(exec, std::vector<double>(n)), residual(exec, right_side), direction(exec, right_side), image(exec, n);
  double squared = dot(exec, residual, residual);
  int steps = 0;
  for (; steps < 1000 && squared > 1e-24; steps++) {
    upsweep::spmv(exec, A, direction, image);
    const double length = squared / dot(exec, direction, image);
    add(exec, x, length, direction, x);
    add(exec, residual, -length, image, residual);
    const double before = squared;
    squared = dot(exec, residual, residual);
    add(exec, residual, squared / before, direction, direction);
  }
  double error = 0;
  for (int i = 0; const double found : x.to_vector(exec)) error = std::max(error, std::abs(found - solution[i++]));
  std::printf("%d steps, largest error %.1e\n", steps, error);
  return error < 1e-9 ? 0 : 1;
}
