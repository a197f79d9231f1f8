// cuSPARSE's product of a matrix and a vector, to compare with: for programs and benchmarks that have a device.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <cusparse.h>

#include <upsweep/buffer.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/executor.hpp>

namespace app {

inline void check_cusparse(cusparseStatus_t status, const char* call, const char* file, int line) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(cusparseGetErrorName(status)) + " (" + cusparseGetErrorString(status) +
                           ") from " + call + " at " + file + ":" + std::to_string(line));
}
#define APP_CUSPARSE_CHECK(call) ::app::check_cusparse((call), #call, __FILE__, __LINE__)

// What its calls create, destroyed when it is no longer needed.
template <auto Destroy>
struct cusparse_destroyer {
  template <class Object>
  void operator()(Object* object) const {
    static_cast<void>(Destroy(object));
  }
};
template <class Handle, auto Destroy>
using cusparse_owner = std::unique_ptr<std::remove_pointer_t<Handle>, cusparse_destroyer<Destroy>>;

//! y = A·x by one of its algorithms. All that can be done before the first product is done here.
template <class T>
class cusparse_product {
 public:
  cusparse_product(upsweep::device& executor, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y,
                   cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT)
      : algorithm_(algorithm) {
    cusparseHandle_t handle = nullptr;
    APP_CUSPARSE_CHECK(cusparseCreate(&handle));
    handle_.reset(handle);
    APP_CUSPARSE_CHECK(cusparseSetStream(handle, executor.stream()));
    cusparseConstSpMatDescr_t matrix = nullptr;
    APP_CUSPARSE_CHECK(cusparseCreateConstCsr(&matrix, a.rows, a.columns, a.nonzeros(), a.offsets.data(),
                                              a.column_indices.data(), a.values.data(), CUSPARSE_INDEX_32I,
                                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    matrix_.reset(matrix);
    cusparseConstDnVecDescr_t from = nullptr;
    APP_CUSPARSE_CHECK(cusparseCreateConstDnVec(&from, a.columns, x.data(), type));
    from_.reset(from);
    cusparseDnVecDescr_t to = nullptr;
    APP_CUSPARSE_CHECK(cusparseCreateDnVec(&to, a.rows, y.data(), type));
    to_.reset(to);
    std::size_t bytes = 0;
    APP_CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to,
                                               type, algorithm, &bytes));
    memory_ = upsweep::buffer<std::byte>(executor, static_cast<upsweep::index_t>(bytes));
  }
  void operator()() {
    APP_CUSPARSE_CHECK(cusparseSpMV(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_.get(), from_.get(),
                                    &zero, to_.get(), type, algorithm_, memory_.data()));
  }
  //! Looks at the matrix once, for all later products.
  void preprocess() {
    APP_CUSPARSE_CHECK(cusparseSpMV_preprocess(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_.get(),
                                               from_.get(), &zero, to_.get(), type, algorithm_, memory_.data()));
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr T one = 1, zero = 0;

  cusparseSpMVAlg_t algorithm_;
  cusparse_owner<cusparseHandle_t, cusparseDestroy> handle_;
  cusparse_owner<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix_;
  cusparse_owner<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> from_;
  cusparse_owner<cusparseDnVecDescr_t, cusparseDestroyDnVec> to_;
  upsweep::buffer<std::byte> memory_;
};

}  // namespace app
