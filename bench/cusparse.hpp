// cuSPARSE's product of the same matrix, as a peer. For nvcc, where CMake finds cuSPARSE (UPSWEEP_WITH_CUSPARSE).
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "cusparse_product.hpp"
#include "harness.hpp"

namespace bench {

//! Both algorithms that it has for such matrices as they come, and the default one after its preprocess, which slows
//! the other one down.
template <class T>
std::vector<contender> cusparse_products(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
  const auto product = [&](cusparseSpMVAlg_t algorithm) {
    return std::make_shared<cusparse_product<T>>(b.exec, a, x, y, algorithm);
  };
  product(CUSPARSE_SPMV_CSR_ALG1)->preprocess();  // the first one loads its kernels
  const auto prepared = product(CUSPARSE_SPMV_CSR_ALG1);
  b.exec.synchronize();
  const auto start = std::chrono::steady_clock::now();
  prepared->preprocess();
  b.exec.synchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
