// Products of a sparse matrix: Eigen's, or a serial loop where there is no Eigen.
#if __has_include(<Eigen/SparseCore>)
#include <Eigen/SparseCore>
#endif

#include "peers.hpp"

namespace bench::peers {

#if __has_include(<Eigen/SparseCore>)
std::string name_of_product() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION);
}
template <class T>
void product(const upsweep::csr_view<T>& a, input<T> x, output<T> y, int threads) {
  using matrix = Eigen::SparseMatrix<T, Eigen::RowMajor>;
  const Eigen::Map<const matrix> by(a.rows, a.columns, a.nonzeros(), a.offsets.data(), a.column_indices.data(),
                                    a.values.data());
  const Eigen::Map<const Eigen::VectorX<T>> from(x.data(), a.columns);
  Eigen::Map<Eigen::VectorX<T>> to(y.data(), a.rows);
  Eigen::setNbThreads(threads);
  to.noalias() = by * from;
}
#else
std::string name_of_product() { return "a serial loop"; }
template <class T>
void product(const upsweep::csr_view<T>& a, input<T> x, output<T> y, int) {
  for (std::size_t r = 0; r < y.size(); r++) {
    T sum{};
    for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); k++)
      sum += a.values[k] * x[static_cast<std::size_t>(a.column_indices[k])];
    y[r] = sum;
  }
}
#endif
template void product(const upsweep::csr_view<float>&, input<float>, output<float>, int);
template void product(const upsweep::csr_view<double>&, input<double>, output<double>, int);

}  // namespace bench::peers
