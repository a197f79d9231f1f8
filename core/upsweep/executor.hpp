// Where work runs. An executor is passed first; it is move-only and serves one thread at a time.
//   host{threads}       threads of the CPU, by default as many as OpenMP has (one when OpenMP is missing)
//   device{stream}      an NVIDIA GPU; only in translation units that nvcc compiles (cuda/device.hpp), or that link the
//                       compiled library, upsweep::cuda (library/device.hpp)
//   any_executor        one of them, chosen at run time
// A second argument, &resource, is where it and its buffers get their memory (memory.hpp).
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <upsweep/config.hpp>
#include <upsweep/error.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/require.hpp>
#if UPSWEEP_HAS_CUDA
#include <upsweep/cuda/device.hpp>
#elif UPSWEEP_HAS_LIBRARY
#include <upsweep/library/device.hpp>
#endif

namespace UPSWEEP_NAMESPACE {

#if !UPSWEEP_HAS_DEVICE
//! The GPU backend has no code in what a plain C++ compiler compiles alone: this says so.
class device {
 public:
  template <class... Arguments>
  explicit device(Arguments&&...) {
    static_assert(sizeof...(Arguments) > 1000,
                  "upsweep: device needs nvcc: compile this file as CUDA (a .cu file, or the property LANGUAGE CUDA of "
                  "the source in CMake), or link upsweep::cuda, the compiled library. A plain C++ compiler alone has "
                  "upsweep::host");
  }
  static bool available() noexcept { return false; }
};
#endif

//! The CPU backend. Every call has finished when it returns. It keeps the memory that its calls work in for the next
//! ones, until trim(): as much as the largest took, which for some calls is as much as their input.
class host {
 public:
  //! `threads` = 0 takes what OpenMP would take (OMP_NUM_THREADS, else all cores). Throws std::invalid_argument when
  //! negative. Memory comes from `resource`, which must outlive the executor and its buffers; null: operator new.
  explicit host(int threads = 0, memory_resource* resource = nullptr) : threads_(threads), lender_(resource) {
    detail::require(threads >= 0, "host", ": threads is ", threads, ", must not be negative");
    if (threads == 0) threads_ = default_threads();
  }
  host(host&&) = default;
  host& operator=(host&&) = default;

  int threads() const noexcept { return threads_; }
  void synchronize() {}

  //! Where buffers get their memory, and the engine that of its calls.
  detail::memory_source memory() const { return {&lender_.resource()}; }
  detail::host_memory& lender() { return lender_; }
  void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes) std::memcpy(to, from, bytes);
  }

  //! Throws std::invalid_argument that names the range when its memory is a GPU's.
  void check_memory([[maybe_unused]] const void* p, [[maybe_unused]] const char* name) const {
#if UPSWEEP_HAS_DEVICE
    detail::require(!device::any_made() || !gpu::is_device_only(p), name, "is device memory, but the executor is host");
#endif
  }
  //! At least `bytes` of memory, not initialized, aligned to 64: what the sweeps of a call hand to one another. The
  //! next call of scratch() gives the same memory again, or frees it to make a larger one.
  std::byte* scratch(std::size_t bytes) { return lender_.scratch(bytes); }
  //! Gives the memory back that is kept for the next calls, which take it anew. Not during a call.
  void trim() { lender_.trim(); }
  //! What `launch(R*)` writes to its argument.
  template <class R, class F>
  R returned(F&& launch) {
    alignas(R) unsigned char memory[sizeof(R)] = {};
    R* result = reinterpret_cast<R*>(memory);
    launch(result);
    return *result;
  }

 private:
  static int default_threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
  }
  int threads_;
  detail::host_memory lender_;
};

//! An executor chosen at run time. Calls take it as they take the others.
class any_executor {
 public:
  any_executor(host&& executor) : host_(std::move(executor)) {}
#if UPSWEEP_HAS_DEVICE
  any_executor(device&& executor) : host_(1), device_(std::move(executor)) {}
#endif
  //! Wrong arguments, for which this says what the right ones are.
  template <class First, class... Rest>
    requires(sizeof...(Rest) > 0 || !std::is_same_v<std::remove_cvref_t<First>, any_executor>)
  explicit any_executor(const First&, const Rest&...) {
    static_assert(std::is_void_v<First>,
                  "upsweep: an any_executor is any_executor::named(\"auto\"), or an executor that "
                  "is given to it: any_executor(host(4)), any_executor(std::move(executor))");
  }

  //! "host", "cuda", or "auto" (a GPU when there is one that the program has code for). Throws no_device when "cuda"
  //! cannot be had, std::invalid_argument otherwise.
  static any_executor named(std::string_view backend) {
    if (backend == "host") return host();
    detail::require(backend == "auto" || backend == "cuda", "backend", "is \"", backend,
                    "\", must be auto, host or cuda");
#if UPSWEEP_HAS_DEVICE
    if (backend == "cuda") return device();
    if (device::available()) {
      try {
        return device();
      } catch (const no_device&) {  // of which the program has no code for
      }
    }
#else
    if (backend == "cuda") throw no_device("backend \"cuda\": this program was compiled without CUDA");
#endif
    return host();
  }
  //! As the environment variable UPSWEEP_BACKEND names it; "auto" when it is not set.
  static any_executor from_environment() {
    const char* backend = std::getenv("UPSWEEP_BACKEND");
    return named(backend && *backend ? backend : "auto");
  }

  //! Calls f with the executor that was chosen.
  template <class F>
  decltype(auto) visit(F&& f) {
#if UPSWEEP_HAS_DEVICE
    if (device_) return f(*device_);
#endif
    return f(host_);
  }
  template <class F>
  decltype(auto) visit(F&& f) const {
#if UPSWEEP_HAS_DEVICE
    if (device_) return f(*device_);
#endif
    return f(host_);
  }
  bool is_host() const noexcept {
#if UPSWEEP_HAS_DEVICE
    return !device_;
#else
    return true;
#endif
  }
  const char* name() const noexcept { return is_host() ? "host" : "cuda"; }

  void synchronize() {
    visit([](auto& e) { e.synchronize(); });
  }
  detail::memory_source memory() const {
    return visit([](const auto& e) { return e.memory(); });
  }
  void copy(void* to, const void* from, std::size_t bytes) {
    visit([&](auto& e) { e.copy(to, from, bytes); });
  }
  void check_memory(const void* p, const char* name) const {
    visit([&](const auto& e) { e.check_memory(p, name); });
  }
  std::byte* scratch(std::size_t bytes) {
    return visit([&](auto& e) { return e.scratch(bytes); });
  }
  void trim() {
    visit([](auto& e) { e.trim(); });
  }
  template <class R, class F>
  R returned(F&& launch) {
    return visit([&](auto& e) { return e.template returned<R>(launch); });
  }

 private:
  host host_;  // does nothing where a device was chosen
#if UPSWEEP_HAS_DEVICE
  std::optional<device> device_;
#endif
};

//! What a call takes first, as a variable or as a temporary: an executor that is not const.
template <class E>
concept executor =
    !std::is_const_v<std::remove_reference_t<E>> && (std::is_same_v<std::remove_reference_t<E>, host> ||
#if UPSWEEP_HAS_DEVICE
                                                     std::is_same_v<std::remove_reference_t<E>, device> ||
#endif
                                                     std::is_same_v<std::remove_reference_t<E>, any_executor>);

namespace detail {
//! run(executor), with the backend that an executor is, or was chosen to be.
template <class Executor, class Run>
decltype(auto) run_on_backend(Executor& executor, const Run& run) {
  if constexpr (std::is_same_v<Executor, any_executor>) {
    return executor.visit(run);
  } else {
    return run(executor);
  }
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
