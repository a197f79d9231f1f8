#include "eigen_reference.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace app {

template <class T>
void eigen_multiply(const host_rows<T>& matrix, std::span<const T> x, std::span<T> y) {
  using rows = Eigen::SparseMatrix<T, Eigen::RowMajor>;
  const Eigen::Map<const rows> by(matrix.rows, matrix.columns, static_cast<Eigen::Index>(matrix.values.size()),
                                  matrix.offsets.data(), matrix.column_indices.data(), matrix.values.data());
  const Eigen::Map<const Eigen::VectorX<T>> from(x.data(), matrix.columns);
  Eigen::Map<Eigen::VectorX<T>> to(y.data(), matrix.rows);
  to.noalias() = by * from;
}
template void eigen_multiply(const host_rows<float>&, std::span<const float>, std::span<float>);
template void eigen_multiply(const host_rows<double>&, std::span<const double>, std::span<double>);

std::vector<double> eigen_pagerank(const triplets& edges, double damping, int iterations) {
  const auto count = edges.row_indices.size();
  const auto n = static_cast<Eigen::Index>(edges.rows);
  Eigen::VectorXd degrees = Eigen::VectorXd::Zero(n);
  for (const std::int32_t from : edges.row_indices) degrees[from]++;
  std::vector<Eigen::Triplet<double>> shares;
  shares.reserve(count);
  for (std::size_t e = 0; e < count; e++)
    shares.emplace_back(edges.column_indices[e], edges.row_indices[e], 1 / degrees[edges.row_indices[e]]);
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(n, n);
  matrix.setFromTriplets(shares.begin(), shares.end());

  const Eigen::VectorXd dangling = (degrees.array() == 0).cast<double>();
  Eigen::VectorXd ranks = Eigen::VectorXd::Constant(n, 1 / static_cast<double>(n)), next(n);
  for (int i = 0; i < iterations; i++) {
    next.noalias() = matrix * ranks;
    const double everywhere = (1 - damping + damping * dangling.dot(ranks)) / static_cast<double>(n);
    ranks = (damping * next.array() + everywhere).matrix();
  }
  return {ranks.begin(), ranks.end()};
}

std::string eigen_name() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + ", " +
         std::to_string(Eigen::nbThreads()) + (Eigen::nbThreads() == 1 ? " thread" : " threads");
}

}  // namespace app
