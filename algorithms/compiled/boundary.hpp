// What every function of the C interface does at the boundary: no exception leaves, and what one says stays for
// upsweep_last_error.
#pragma once
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include <upsweep/c/scan.h>
#include <upsweep/config.hpp>
#include <upsweep/cuda/device.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE::compiled {

//! A program's memory by the functions that it gave.
class given_memory final : public memory_resource {
 public:
  explicit given_memory(const upsweep_memory_functions& functions) : functions_(functions) {}
  void* allocate(std::size_t bytes, CUstream_st* stream) override;
  void deallocate(void* p, std::size_t bytes, CUstream_st* stream) noexcept override {
    functions_.deallocate(functions_.context, p, bytes, stream);
  }

 private:
  upsweep_memory_functions functions_;
};

//! Types or operations that are not in the table.
struct not_compiled : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
//! The functions that a program gave for memory had none.
struct memory_refused : std::bad_alloc {};

//! Keeps what the exception that is being handled says, and returns its status.
int keep_error() noexcept;

//! call(), and UPSWEEP_OK, or what it threw.
template <class Call>
int guarded(const Call& call) noexcept {
  try {
    call();
    return UPSWEEP_OK;
  } catch (...) {
    return keep_error();
  }
}

}  // namespace UPSWEEP_NAMESPACE::compiled

struct upsweep_device {
  std::shared_ptr<upsweep::compiled::given_memory> given;  // outlives the executor
  upsweep::device executor;
};
struct upsweep_memory {
  std::shared_ptr<upsweep::compiled::given_memory> given;
  upsweep::detail::memory_source source;
};

namespace UPSWEEP_NAMESPACE::compiled {
//! The executor of a handle; std::invalid_argument without one.
inline device& executor_of(upsweep_device* handle) {
  detail::require(handle != nullptr, "device", "is a null pointer");
  return handle->executor;
}
inline const device& executor_of(const upsweep_device* handle) {
  detail::require(handle != nullptr, "device", "is a null pointer");
  return handle->executor;
}
//! What a function writes through its last argument.
template <class T>
T& result_of(T* result, const char* name) {
  detail::require(result != nullptr, name, "is a null pointer");
  return *result;
}
}  // namespace UPSWEEP_NAMESPACE::compiled
