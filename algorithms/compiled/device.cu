// The C interface of the executor, of its memory and of errors.
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include <upsweep/c/device.h>
#include <upsweep/error.hpp>

#include "boundary.hpp"

namespace UPSWEEP_NAMESPACE::compiled {

namespace {
struct kept_error {
  upsweep_error error{};
  std::string text;
};
kept_error& last_error() {
  thread_local kept_error kept;
  return kept;
}
int keep(int status, const char* text, int cuda_code = 0, const char* cuda_name = nullptr) noexcept {
  kept_error& kept = last_error();
  try {
    kept.text = text;
    kept.error.text = kept.text.c_str();
  } catch (...) {
    kept.error.text = "out of memory";
  }
  kept.error.status = status;
  kept.error.cuda_code = cuda_code;
  kept.error.cuda_name = cuda_name;
  return status;
}
}  // namespace

int keep_error() noexcept {
  try {
    throw;
  } catch (const cuda_error& e) {
    return keep(UPSWEEP_CUDA_ERROR, e.what(), e.code(), e.name());
  } catch (const no_device& e) {
    return keep(UPSWEEP_NO_DEVICE, e.what());
  } catch (const not_compiled& e) {
    return keep(UPSWEEP_NOT_COMPILED, e.what());
  } catch (const std::invalid_argument& e) {
    return keep(UPSWEEP_INVALID_ARGUMENT, e.what());
  } catch (const memory_refused&) {
    return keep(UPSWEEP_MEMORY_REFUSED, "the memory functions of the executor gave none");
  } catch (const std::bad_alloc& e) {
    return keep(UPSWEEP_OUT_OF_MEMORY, e.what());
  } catch (const std::exception& e) {
    return keep(UPSWEEP_RUNTIME_ERROR, e.what());
  } catch (...) {
    return keep(UPSWEEP_RUNTIME_ERROR, "unknown");
  }
}

void* given_memory::allocate(std::size_t bytes, CUstream_st* stream) {
  void* const p = functions_.allocate(functions_.context, bytes, stream);
  if (!p) throw memory_refused();
  return p;
}

namespace {
upsweep_device* make_device(const upsweep_device_options* options) {
  if (!options) return new upsweep_device{{}, device()};
  std::shared_ptr<given_memory> given;
  if (options->memory) given = std::make_shared<given_memory>(*options->memory);
  if (options->makes_stream) return new upsweep_device{given, device(given.get())};
  return new upsweep_device{given, device(options->stream, given.get())};
}
}  // namespace

}  // namespace UPSWEEP_NAMESPACE::compiled

using namespace upsweep::compiled;

extern "C" {

int upsweep_c_version(void) { return UPSWEEP_C_VERSION; }
upsweep_error upsweep_last_error(void) { return last_error().error; }

int upsweep_device_available(void) { return upsweep::device::available(); }
int upsweep_device_create(const upsweep_device_options* options, upsweep_device** device) {
  return guarded([&] { result_of(device, "device") = make_device(options); });
}
void upsweep_device_destroy(upsweep_device* device) { delete device; }
int upsweep_device_get_properties(const upsweep_device* device, upsweep_device_properties* properties) {
  return guarded([&] {
    const upsweep::device& executor = executor_of(device);
    result_of(properties, "properties") = {.stream = executor.stream(),
                                           .ordinal = executor.ordinal(),
                                           .multiprocessors = executor.multiprocessors(),
                                           .compute_capability = executor.compute_capability()};
  });
}
int upsweep_device_synchronize(upsweep_device* device) {
  return guarded([&] { executor_of(device).synchronize(); });
}
int upsweep_device_copy(upsweep_device* device, void* to, const void* from, size_t bytes) {
  return guarded([&] { executor_of(device).copy(to, from, bytes); });
}
int upsweep_device_reserve(upsweep_device* device, size_t bytes) {
  return guarded([&] { executor_of(device).reserve(bytes); });
}
int upsweep_device_reserve_scratch(upsweep_device* device, size_t bytes) {
  return guarded([&] { executor_of(device).reserve_scratch(bytes); });
}
int upsweep_device_trim(upsweep_device* device) {
  return guarded([&] { executor_of(device).trim(); });
}
int upsweep_device_scratch(upsweep_device* device, size_t bytes, void** memory) {
  return guarded([&] { result_of(memory, "memory") = executor_of(device).scratch(bytes); });
}
int upsweep_device_check_memory(const upsweep_device* device, const void* memory, const char* name) {
  return guarded([&] { executor_of(device).check_memory(memory, name); });
}
int upsweep_device_result(upsweep_device* device, void** memory) {
  return guarded([&] { result_of(memory, "memory") = executor_of(device).result_memory(); });
}
int upsweep_is_device_memory(const void* memory) {
  return upsweep::device::any_made() && upsweep::gpu::is_device_only(memory);
}

int upsweep_memory_of(const upsweep_device* device, upsweep_memory** memory) {
  return guarded([&] {
    const upsweep::device& executor = executor_of(device);
    result_of(memory, "memory") = new upsweep_memory{device->given, executor.memory()};
  });
}
void upsweep_memory_destroy(upsweep_memory* memory) { delete memory; }
int upsweep_memory_allocate(upsweep_memory* memory, size_t bytes, void** allocated) {
  return guarded([&] {
    upsweep::detail::require(memory != nullptr, "memory", "is a null pointer");
    result_of(allocated, "allocated") = memory->source.allocate(bytes);
  });
}
void upsweep_memory_free(upsweep_memory* memory, void* allocated, size_t bytes) {
  if (memory && allocated) memory->source.deallocate(allocated, bytes);
}

}  // extern "C"
