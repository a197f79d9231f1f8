// A program's own device functions. Where nvcc compiles the whole program they are templates of an executor. Where the
// C++ compiler does, and the library has all other calls, nvcc compiles them alone, in apps/NAME.cu: overloads that
// take a stream in the place of an executor, since an executor is of the compiler's own kind.
#pragma once
#include <upsweep/executor.hpp>

namespace app {

struct device_stream {
  CUstream_st* stream;
};

//! What a program's own functions take for an executor: itself, or the stream of a device of the library's.
template <class Executor>
Executor& own_code(Executor& executor) {
  return executor;
}
#if UPSWEEP_HAS_LIBRARY
inline device_stream own_code(upsweep::device& executor) { return {executor.stream()}; }
#endif
//! f(that) of the executor that was chosen.
template <class F>
decltype(auto) with_own_code(upsweep::any_executor& executor, const F& f) {
  return executor.visit([&](auto& chosen) -> decltype(auto) { return f(own_code(chosen)); });
}

#if UPSWEEP_HAS_CUDA
//! nvcc's executor on a stream, in a program of one executor. It is kept for the next call, since making one takes
//! longer than short calls do, and is never destroyed, since its stream may be gone by then. (The first call makes it,
//! also where that is timed.)
inline upsweep::device& device_on(const device_stream& there) {
  static upsweep::device* kept = nullptr;
  if (!kept || kept->stream() != there.stream) kept = new upsweep::device(there.stream);
  return *kept;
}
#endif

}  // namespace app
