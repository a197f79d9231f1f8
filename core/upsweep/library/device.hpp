// The GPU executor of a plain C++ compiler's code: a handle on that of upsweep::cuda, the compiled library. It needs no
// CUDA header. What it does is said where it is done: cuda/device.hpp.
#pragma once
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <upsweep/atomic.hpp>
#include <upsweep/c/device.h>
#include <upsweep/config.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/memory.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE {

namespace gpu {
//! Is p memory that only a GPU reaches?
inline bool is_device_only(const void* p) { return upsweep_is_device_memory(p) != 0; }
}  // namespace gpu

//! The GPU backend, as in what nvcc compiles: the same members, errors and results. The calls that it takes are those
//! that are compiled into the library.
class device {
 public:
  device() : device({.stream = nullptr, .memory = nullptr, .makes_stream = 1}, nullptr) {}
  explicit device(memory_resource* resource)
      : device({.stream = nullptr, .memory = nullptr, .makes_stream = 1}, resource) {}
  explicit device(CUstream_st* stream, memory_resource* resource = nullptr)
      : device({.stream = stream, .memory = nullptr, .makes_stream = 0}, resource) {}
  explicit device(std::nullptr_t) : device({.stream = nullptr, .memory = nullptr, .makes_stream = 0}, nullptr) {}
  device(device&&) noexcept = default;
  device& operator=(device&&) noexcept = default;

  static bool available() noexcept { return upsweep_device_available() != 0; }
  static bool any_made() noexcept { return made().get(); }

  CUstream_st* stream() const noexcept { return properties_.stream; }
  int ordinal() const noexcept { return properties_.ordinal; }
  int multiprocessors() const noexcept { return properties_.multiprocessors; }
  int compute_capability() const noexcept { return properties_.compute_capability; }
  void synchronize() { library::check(upsweep_device_synchronize(handle())); }

  detail::memory_source memory() const { return {memory_.get(), stream(), memory_}; }
  void copy(void* to, const void* from, std::size_t bytes) {
    library::check(upsweep_device_copy(handle(), to, from, bytes));
  }
  void check_memory(const void* p, const char* name) const {
    library::check(upsweep_device_check_memory(handle(), p, name));
  }
  template <class R, class F>
  R returned(F&& launch) {
    static_assert(sizeof(R) <= 1024, "a result this large must go to device memory");
    void* result = nullptr;
    library::check(upsweep_device_result(handle(), &result));
    launch(static_cast<R*>(result));
    synchronize();
    return *static_cast<const R*>(result);
  }

  void reserve(std::size_t bytes) { library::check(upsweep_device_reserve(handle(), bytes)); }
  void trim() { library::check(upsweep_device_trim(handle())); }
  void reserve_scratch(std::size_t bytes) { library::check(upsweep_device_reserve_scratch(handle(), bytes)); }
  std::byte* scratch(std::size_t bytes) {
    void* p = nullptr;
    library::check(upsweep_device_scratch(handle(), bytes, &p));
    return static_cast<std::byte*>(p);
  }
  //! What the C interface calls it.
  upsweep_device* handle() const noexcept { return handle_.get(); }

 private:
  device(upsweep_device_options options, memory_resource* resource) {
    if (upsweep_c_version() != UPSWEEP_C_VERSION)
      throw std::runtime_error("device: libupsweep_cuda has version " + std::to_string(upsweep_c_version()) +
                               " of its interface, this program was compiled for version " +
                               std::to_string(UPSWEEP_C_VERSION));
    const upsweep_memory_functions functions = library::functions_of(resource);
    if (resource) options.memory = &functions;
    upsweep_device* made_now = nullptr;
    library::check(upsweep_device_create(&options, &made_now));
    handle_.reset(made_now);
    library::check(upsweep_device_get_properties(made_now, &properties_));
    memory_ = detail::share_of<library::device_memory>(new library::device_memory(made_now));
    made().set(true);
  }
  static detail::atomic<bool>& made() noexcept {
    static detail::atomic<bool> flag{false};
    return flag;
  }
  struct destroy {
    void operator()(upsweep_device* device) const noexcept { upsweep_device_destroy(device); }
  };

  std::unique_ptr<upsweep_device, destroy> handle_;
  detail::share_of<library::device_memory> memory_;
  upsweep_device_properties properties_{};
};

}  // namespace UPSWEEP_NAMESPACE
