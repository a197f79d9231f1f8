// What a call of the C interface says went wrong, thrown as what the library threw.
#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include <upsweep/c/device.h>
#include <upsweep/config.hpp>
#include <upsweep/error.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! What this thread's memory resource threw under a call of the library's, through which nothing can be thrown.
inline std::exception_ptr& thrown_by_resource() {
  thread_local std::exception_ptr thrown;
  return thrown;
}

[[noreturn, gnu::noinline]] inline void throw_last_error() {
  const upsweep_error error = upsweep_last_error();
  switch (error.status) {
    case UPSWEEP_INVALID_ARGUMENT:
    case UPSWEEP_NOT_COMPILED:
      throw std::invalid_argument(error.text);
    case UPSWEEP_NO_DEVICE:
      throw no_device(error.text);
    case UPSWEEP_CUDA_ERROR:
      throw cuda_error(error.cuda_code, error.cuda_name, error.text);
    case UPSWEEP_OUT_OF_MEMORY:
      throw std::bad_alloc();
    case UPSWEEP_MEMORY_REFUSED:
      if (const std::exception_ptr thrown = std::exchange(thrown_by_resource(), nullptr))
        std::rethrow_exception(thrown);
      throw std::bad_alloc();
    default:
      throw std::runtime_error(error.text);
  }
}
inline void check(int status) {
  if (status != UPSWEEP_OK) [[unlikely]]
    throw_last_error();
}

}  // namespace UPSWEEP_NAMESPACE::library
