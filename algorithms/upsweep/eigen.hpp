// Eigen's sparse matrices as ours, without a copy: with this header every call that takes a matrix takes them as they
// are. Eigen is needed by this header alone.
#pragma once

#include <Eigen/SparseCore>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/require.hpp>

namespace UPSWEEP_NAMESPACE {

//! A view of a row-major sparse matrix of Eigen's, or of a Map or Ref of one: host memory, which must stay. Throws
//! std::invalid_argument when the matrix is not compressed. Calls take such a matrix as it is; for a column-major one,
//! which is refused at compile time, there is spmv_transposed of its transpose(). Eigen's vectors are contiguous ranges
//! as they are: pass an Eigen::VectorX<T>, or a Map of one, as x and y, but no expression and no row of a column-major
//! matrix.
//!   Eigen::SparseMatrix<float, Eigen::RowMajor> A; Eigen::VectorXf x, y(A.rows());
//!   upsweep::spmv(exec, A, x, y);   auto on_device = upsweep::csr_matrix(gpu, A);
template <class Matrix>
auto view(const Eigen::SparseCompressedBase<Matrix>& a) {
  using Index = typename Matrix::StorageIndex;
  using Value = std::remove_cv_t<typename Matrix::Scalar>;
  static_assert(Matrix::IsRowMajor,
                "rows are compressed: the matrix must be an Eigen::SparseMatrix<T, Eigen::RowMajor>");
  static_assert(!Matrix::IsVectorAtCompileTime, "the matrix must be no Eigen::SparseVector");
  detail::require(a.isCompressed(), "view", ": the matrix is not compressed, call makeCompressed()");
  const auto nonzeros = static_cast<std::size_t>(a.nonZeros());
  return csr_view<Value, Index, Index>(
      a.rows(), a.cols(), std::span<const Index>(a.outerIndexPtr(), static_cast<std::size_t>(a.rows()) + 1),
      std::span<const Index>(a.innerIndexPtr(), nonzeros), std::span<const Value>(a.valuePtr(), nonzeros));
}

namespace detail {
template <class Matrix>
void is_of_eigen(const Eigen::SparseCompressedBase<Matrix>&);
// A Map, a Ref or a block refers to somebody else's items.
template <class Matrix>
void refers_to_items(const Eigen::MapBase<Matrix, Eigen::ReadOnlyAccessors>&);
template <class Matrix>
  requires requires(const Matrix& matrix) { refers_to_items(matrix); }
inline constexpr bool is_borrowed<Matrix> = true;
}  // namespace detail
template <class A>
  requires requires(const A& a) { detail::is_of_eigen(a); }
struct csr_access<A> {
  static auto view(const A& a) { return upsweep::view(a); }
};

}  // namespace UPSWEEP_NAMESPACE
