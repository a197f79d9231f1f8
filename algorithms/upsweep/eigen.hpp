// Eigen's sparse matrices as ours, without a copy. Eigen is needed by this header alone.
#pragma once
#include <stdexcept>

#include <Eigen/SparseCore>

#include <upsweep/config.hpp>
#include <upsweep/csr.hpp>

namespace upsweep::inline UPSWEEP_ABI {

//! A view of a row-major sparse matrix of Eigen's, or of a Map or Ref of one: host memory, which must stay. Throws
//! std::invalid_argument when the matrix is not compressed. Eigen's vectors are contiguous ranges as they are: pass an
//! Eigen::VectorX<T>, or a Map of one, as x and y, but no expression and no row of a column-major matrix.
//!   Eigen::SparseMatrix<float, Eigen::RowMajor> A; Eigen::VectorXf x, y(A.rows());
//!   upsweep::spmv(exec, upsweep::view(A), x, y);
template <class Matrix>
auto view(const Eigen::SparseCompressedBase<Matrix>& a) {
  using Index = typename Matrix::StorageIndex;
  using Value = std::remove_cv_t<typename Matrix::Scalar>;
  static_assert(Matrix::IsRowMajor,
                "rows are compressed: the matrix must be an Eigen::SparseMatrix<T, Eigen::RowMajor>");
  if (!a.isCompressed()) throw std::invalid_argument("view: the matrix is not compressed, call makeCompressed()");
  const auto nonzeros = static_cast<std::size_t>(a.nonZeros());
  return csr_view<Value, Index, Index>(
      a.rows(), a.cols(), std::span<const Index>(a.outerIndexPtr(), static_cast<std::size_t>(a.rows()) + 1),
      std::span<const Index>(a.innerIndexPtr(), nonzeros), std::span<const Value>(a.valuePtr(), nonzeros));
}

}  // namespace upsweep::inline UPSWEEP_ABI
