// cuSPARSE's product of the same matrix, as a peer. For nvcc, where CMake finds cuSPARSE (UPSWEEP_BENCH_CUSPARSE).
#pragma once
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <cusparse.h>

#include <upsweep/csr.hpp>

#include "harness.hpp"

namespace bench {

inline void check_cusparse(cusparseStatus_t status, const char* call, const char* file, int line) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(cusparseGetErrorName(status)) + " (" + cusparseGetErrorString(status) +
                           ") from " + call + " at " + file + ":" + std::to_string(line));
}
#define BENCH_CUSPARSE_CHECK(call) ::bench::check_cusparse((call), #call, __FILE__, __LINE__)

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
  cusparse_product(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y,
                   cusparseSpMVAlg_t algorithm)
      : algorithm_(algorithm) {
    cusparseHandle_t handle = nullptr;
    BENCH_CUSPARSE_CHECK(cusparseCreate(&handle));
    handle_.reset(handle);
    BENCH_CUSPARSE_CHECK(cusparseSetStream(handle, b.exec.stream()));
    cusparseConstSpMatDescr_t matrix = nullptr;
    BENCH_CUSPARSE_CHECK(cusparseCreateConstCsr(&matrix, a.rows, a.columns, a.nonzeros(), a.offsets.data(),
                                                a.column_indices.data(), a.values.data(), CUSPARSE_INDEX_32I,
                                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    matrix_.reset(matrix);
    cusparseConstDnVecDescr_t from = nullptr;
    BENCH_CUSPARSE_CHECK(cusparseCreateConstDnVec(&from, a.columns, x.data(), type));
    from_.reset(from);
    cusparseDnVecDescr_t to = nullptr;
    BENCH_CUSPARSE_CHECK(cusparseCreateDnVec(&to, a.rows, y.data(), type));
    to_.reset(to);
    std::size_t bytes = 0;
    BENCH_CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero,
                                                 to, type, algorithm, &bytes));
    buffer_ = b.scratch<std::byte>(static_cast<index_t>(bytes)).data();
  }
  void operator()() const {
    BENCH_CUSPARSE_CHECK(cusparseSpMV(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_.get(), from_.get(),
                                      &zero, to_.get(), type, algorithm_, buffer_));
  }
  //! Looks at the matrix once, for all later products. Returns the seconds that it took.
  double preprocess(bed& b) const {
    b.exec.synchronize();
    const auto start = std::chrono::steady_clock::now();
    BENCH_CUSPARSE_CHECK(cusparseSpMV_preprocess(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_.get(),
                                                 from_.get(), &zero, to_.get(), type, algorithm_, buffer_));
    b.exec.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr T one = 1, zero = 0;

  cusparseSpMVAlg_t algorithm_;
  cusparse_owner<cusparseHandle_t, cusparseDestroy> handle_;
  cusparse_owner<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix_;
  cusparse_owner<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> from_;
  cusparse_owner<cusparseDnVecDescr_t, cusparseDestroyDnVec> to_;
  std::byte* buffer_;
};

//! Both algorithms that it has for such matrices as they come, and the default one after its preprocess, which slows
//! the other one down.
template <class T>
std::vector<contender> cusparse_products(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
  const auto product = [&](cusparseSpMVAlg_t algorithm) {
    return std::make_shared<const cusparse_product<T>>(b, a, x, y, algorithm);
  };
  product(CUSPARSE_SPMV_CSR_ALG1)->preprocess(b);  // the first one loads its kernels
  const auto prepared = product(CUSPARSE_SPMV_CSR_ALG1);
  const double seconds = prepared->preprocess(b);
  const auto call = [](const auto& p) { return [p] { (*p)(); }; };
  return {{"cuSPARSE ALG1", call(product(CUSPARSE_SPMV_CSR_ALG1))},
          {"cuSPARSE ALG2", call(product(CUSPARSE_SPMV_CSR_ALG2))},
          {"cuSPARSE ALG1 prep.", call(prepared), seconds}};
}

// Its version, for the JSON's context.
inline const bool cusparse_described = [] {
  std::string version;
  for (const auto part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int number = 0;
    BENCH_CUSPARSE_CHECK(cusparseGetProperty(part, &number));
    version += (version.empty() ? "" : ".") + std::to_string(number);
  }
  benchmark::AddCustomContext("cusparse", version);
  return true;
}();

}  // namespace bench
