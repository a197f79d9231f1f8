// Device memory by the C interface: the library's for buffers here, and a program's own resource for the library.
#pragma once
#include <cstddef>
#include <exception>

#include <upsweep/c/device.h>
#include <upsweep/config.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE::library {

//! What a device's buffers get their memory from, which they share with it.
class device_memory final : public detail::shared_resource {
 public:
  explicit device_memory(const upsweep_device* device) { check(upsweep_memory_of(device, &memory_)); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() override { upsweep_memory_destroy(memory_); }

  void* allocate(std::size_t bytes, CUstream_st*) override {
    void* p = nullptr;
    check(upsweep_memory_allocate(memory_, bytes, &p));
    return p;
  }
  void deallocate(void* p, std::size_t bytes, CUstream_st*) noexcept override {
    upsweep_memory_free(memory_, p, bytes);
  }

 private:
  upsweep_memory* memory_ = nullptr;
};

//! A program's resource as the C interface takes it. What it throws waits for the call to come back (errors.hpp).
inline upsweep_memory_functions functions_of(memory_resource* resource) {
  return {.context = resource,
          .allocate = [](void* context, std::size_t bytes, CUstream_st* stream) noexcept -> void* {
            try {
              return static_cast<memory_resource*>(context)->allocate(bytes, stream);
            } catch (...) {
              thrown_by_resource() = std::current_exception();
              return nullptr;
            }
          },
          .deallocate =
              [](void* context, void* p, std::size_t bytes, CUstream_st* stream) noexcept {
                static_cast<memory_resource*>(context)->deallocate(p, bytes, stream);
              }};
}

}  // namespace UPSWEEP_NAMESPACE::library
