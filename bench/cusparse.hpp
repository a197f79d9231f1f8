// cuSPARSE's product of the same matrix, as a peer. For nvcc, where CMake finds cuSPARSE (UPSWEEP_WITH_CUSPARSE).
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "../apps/common/cusparse_product.hpp"
#include "harness.hpp"

namespace bench {

//! Both algorithms that it has for such matrices as they come, and after their preprocess.
template <class T>
std::vector<contender> cusparse_products(bed& b, const upsweep::csr_view<T>& a, std::span<const T> x, std::span<T> y) {
  const auto product = [&](cusparseSpMVAlg_t algorithm) {
    return std::make_shared<app::cusparse_product<T>>(b.exec, a, x, y, algorithm);
  };
  const auto call = [](const auto& p) { return [p] { (*p)(); }; };
  const auto prepared = [&](const char* name, cusparseSpMVAlg_t algorithm) {
    product(algorithm)->preprocess();  // the first one loads its kernels
    const auto p = product(algorithm);
    b.exec.synchronize();
    const auto start = std::chrono::steady_clock::now();
    p->preprocess();
    b.exec.synchronize();
    return contender{name, call(p), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  };
  return {{"cuSPARSE ALG1", call(product(CUSPARSE_SPMV_CSR_ALG1))},
          {"cuSPARSE ALG2", call(product(CUSPARSE_SPMV_CSR_ALG2))},
          prepared("cuSPARSE ALG1 prep.", CUSPARSE_SPMV_CSR_ALG1),
          prepared("cuSPARSE ALG2 prep.", CUSPARSE_SPMV_CSR_ALG2)};
}

// Its version, for the JSON's context.
inline const bool cusparse_described = [] {
  std::string version;
  for (const auto part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int number = 0;
    APP_CUSPARSE_CHECK(cusparseGetProperty(part, &number));
    version += (version.empty() ? "" : ".") + std::to_string(number);
  }
  benchmark::AddCustomContext("cusparse", version);
  return true;
}();

}  // namespace bench
