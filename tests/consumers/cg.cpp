// The method of conjugate gradients with upsweep's sparse products, on a GPU or on the host, against Eigen's own.
//   cg [auto|cuda|host] [FILE.mtx]   a symmetric positive definite matrix; without a file that of Poisson's equation
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <unsupported/Eigen/SparseExtra>

#include <upsweep/buffer.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/eigen.hpp>
#include <upsweep/spmv.hpp>

namespace {
using sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using numbers = upsweep::buffer<double>;

sparse read_matrix(const std::string& file) {
  int symmetry = 0;
  bool is_complex = false, is_dense = false;
  sparse a;
  if (!Eigen::getMarketHeader(file, symmetry, is_complex, is_dense) || is_complex || is_dense ||
      !Eigen::loadMarket(a, file))
    throw std::runtime_error("cannot read " + file);
  if (symmetry == 0) return a;
  sparse whole = a.selfadjointView<Eigen::Lower>();  // a file has one half
  return whole;
}
//! −Δ on side × side points, by differences to the four neighbours.
sparse poisson_matrix(int side) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < side * side; i++) {
    entries.emplace_back(i, i, 4.0);
    if (i % side > 0) entries.emplace_back(i, i - 1, -1.0);
    if (i % side < side - 1) entries.emplace_back(i, i + 1, -1.0);
    if (i >= side) entries.emplace_back(i, i - side, -1.0);
    if (i < side * (side - 1)) entries.emplace_back(i, i + side, -1.0);
  }
  sparse a(side * side, side * side);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

//! Sums and inner products of vectors, which are sparse products too: by the unit matrix, and by a matrix of one row.
//! So vectors stay where the executor works.
class vector_space {
 public:
  vector_space(upsweep::any_executor& exec, int n) : exec_(exec), n_(n), sum_(exec, 1) {
    std::vector<int> positions(static_cast<std::size_t>(n) + 1);
    std::iota(positions.begin(), positions.end(), 0);
    offsets_ = upsweep::buffer<int>(exec, positions);
    positions.pop_back();
    columns_ = upsweep::buffer<int>(exec, positions);
    row_ = upsweep::buffer<int>(exec, std::vector{0, n});
    ones_ = numbers(exec, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  }
  //! y = alpha·x + beta·y
  void add(double alpha, const numbers& x, double beta, numbers& y) {
    upsweep::spmv(exec_, upsweep::csr_view(n_, n_, offsets_, columns_, ones_), x, y, alpha, beta);
  }
  double dot(const numbers& x, const numbers& y) {
    upsweep::spmv(exec_, upsweep::csr_view(1, n_, row_, columns_, x), y, sum_);
    return sum_.to_vector(exec_).front();
  }

 private:
  upsweep::any_executor& exec_;
  int n_;
  upsweep::buffer<int> offsets_, columns_, row_;
  numbers ones_, sum_;
};

struct solution {
  Eigen::VectorXd x;
  int iterations = 0;
};
//! Until ‖b − A·x‖ is at most tolerance·‖b‖.
solution conjugate_gradients(upsweep::any_executor& exec, const sparse& matrix, const Eigen::VectorXd& b,
                             double tolerance) {
  const upsweep::csr_matrix a(exec, matrix);
  const upsweep::spmv_plan plan(exec, a);
  vector_space space(exec, static_cast<int>(b.size()));
  solution result{.x = Eigen::VectorXd::Zero(b.size())};
  numbers x(exec, result.x), residual(exec, b), direction(exec, b), image(exec, b.size());
  double square = space.dot(residual, residual);
  const double enough = tolerance * tolerance * square;
  for (; square > enough && result.iterations < 10 * b.size(); result.iterations++) {
    upsweep::spmv(exec, plan, direction, image);
    const double step = square / space.dot(direction, image);
    space.add(step, direction, 1, x);
    space.add(-step, image, 1, residual);
    const double next = space.dot(residual, residual);
    space.add(1, residual, next / square, direction);
    square = next;
  }
  x.copy_to(exec, result.x);
  return result;
}
solution by_eigen(const sparse& a, const Eigen::VectorXd& b, double tolerance) {
  Eigen::ConjugateGradient<sparse, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> solver(a);
  solver.setTolerance(tolerance);
  solver.setMaxIterations(10 * b.size());
  solution result;
  result.x = solver.solve(b);
  result.iterations = static_cast<int>(solver.iterations());
  return result;
}
}  // namespace

int main(int count, char** arguments) try {
  upsweep::any_executor exec = upsweep::any_executor::named(count > 1 ? arguments[1] : "auto");
  const sparse a = count > 2 ? read_matrix(arguments[2]) : poisson_matrix(300);
  Eigen::VectorXd b(a.rows());
  for (Eigen::Index i = 0; i < b.size(); i++) b[i] = std::sin(static_cast<double>(i));
  constexpr double tolerance = 1e-10;
  const solution ours = conjugate_gradients(exec, a, b, tolerance), expected = by_eigen(a, b, tolerance);

  const double residual = (b - a * ours.x).norm() / b.norm();
  const double difference = (ours.x - expected.x).norm() / expected.x.norm();
  const bool right = residual <= 10 * tolerance && difference <= 1e-5 &&
                     std::abs(ours.iterations - expected.iterations) <= 1 + expected.iterations / 10;
  std::printf("%s: %d unknowns, %d iterations, Eigen's %d; residual %.1e, apart from Eigen's solution %.1e\n",
              exec.is_host() ? "on the host" : "on a GPU", static_cast<int>(b.size()), ours.iterations,
              expected.iterations, residual, difference);
  std::printf("cg: %s\n", right ? "right" : "WRONG");
  return !right;
} catch (const std::exception& e) {
  std::fprintf(stderr, "cg: %s\n", e.what());
  return 1;
}
