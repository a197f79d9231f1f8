// What the fuzz targets share. A target takes any bytes: they are read, or refused in the way that the reader
// documents; what was read must be as it says. Anything else is a crash, and libFuzzer keeps the bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "apps/common/file.hpp"
#include "apps/common/output_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  // each target defines it

namespace fuzz {

inline void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::abort();
}

//! Calls f(), which reads; false when it refuses to. Too little memory is no refusal: a reader is to know before it
//! asks for more than a file of this size can fill.
template <class F>
bool reads(F&& f) {
  try {
    f();
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
inline std::string name_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

//! The name of a file that holds the bytes till the next call. It is in memory.
inline std::string file_of(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = memfd_create("input", MFD_CLOEXEC);
  check(descriptor >= 0 && ftruncate(descriptor, 0) == 0, "there is a file");
  check(pwrite(descriptor, data, size, 0) == static_cast<ssize_t>(size), "it is written");
  return name_of(descriptor);
}

//! For a file that is written beside this name, and never gets it.
inline std::string unwritten() { return std::filesystem::temp_directory_path() / "fuzz"; }
//! The bytes that write(out) writes.
template <class F>
app::file_bytes written(F&& write) {
  app::output_file out(unwritten());
  write(out);
  check(std::fflush(nullptr) == 0, "the output is written");
  return app::file_bytes(name_of(out.descriptor()));
}

}  // namespace fuzz
