// Whole files in and out of memory. Errors are std::runtime_error with the system's words; the caller knows the file's
// name.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <upsweep/buffer.hpp>

#include "stage.hpp"

namespace app {

[[noreturn]] inline void throw_system_error(const std::string& before = {}) {
  throw std::runtime_error(before + std::generic_category().message(errno));
}

//! The bytes of a file, or of several, in host memory, to be taken one or eight at a time. Zeros follow the last byte
//! for at least 8 bytes.
class file_bytes {
 public:
  file_bytes() { make_room(1); }
  explicit file_bytes(const std::string& name) : file_bytes() { read(name); }

  //! Adds a file's bytes, or standard input's when its name is "-".
  void read(const std::string& name) {
    const descriptor file{name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat about {};
    if (file.number < 0 || fstat(file.number, &about) != 0) throw_system_error();
    const bool has_size = S_ISREG(about.st_mode);
    make_room(has_size ? about.st_size + 1 : std::int64_t{1} << 20);
    const bool is_typed = isatty(file.number) != 0;  // then there is somebody who knows, and whom lines disturb
    stage reading(is_typed ? "" : "reading " + name, has_size ? about.st_size : 0);
    const std::int64_t before = size_;
    for (;;) {
      const ssize_t got =
          ::read(file.number, data() + size_, static_cast<std::size_t>(std::min(capacity_ - size_, piece)));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw_system_error();
      if (got == 0) break;
      size_ += got;
      make_room(1);
      reading.at(size_ - before);
    }
    std::memset(data() + size_, 0, padding);
  }

  char* data() noexcept { return reinterpret_cast<char*>(memory_.data()); }
  const char* data() const noexcept { return reinterpret_cast<const char*>(memory_.data()); }
  std::int64_t size() const noexcept { return size_; }
  std::string_view view() const noexcept { return {data(), static_cast<std::size_t>(size_)}; }
  //! The bytes in words of eight, zeros behind the last byte; one more word may be read.
  const std::uint64_t* words() const noexcept { return memory_.data(); }
  std::int64_t word_count() const noexcept { return (size_ + 7) / 8; }

  void append(char byte) {
    make_room(1);
    data()[size_++] = byte;
    std::memset(data() + size_, 0, padding);
  }

 private:
  struct descriptor {
    int number;
    explicit descriptor(int n) : number(n) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() {
      if (number > STDIN_FILENO) close(number);
    }
  };
  static constexpr std::int64_t piece = std::int64_t{1} << 28;  // a read() moves at most 2 GiB at once
  static constexpr std::int64_t padding = 16;

  void make_room(std::int64_t more) {
    if (size_ + more <= capacity_) return;
    const std::int64_t bytes = std::max(size_ + more, size_ > 0 ? 2 * capacity_ : 0);
    upsweep::host host(1);
    upsweep::buffer<std::uint64_t> larger(host, (bytes + padding + 7) / 8);
    if (size_ > 0) std::memcpy(larger.data(), data(), static_cast<std::size_t>(size_));
    memory_ = std::move(larger);
    capacity_ = bytes;
    std::memset(data() + size_, 0, padding);
  }

  upsweep::buffer<std::uint64_t> memory_;
  std::int64_t size_ = 0, capacity_ = 0;
};

//! Writes to standard output.
inline void write_out(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) throw_system_error("write error: ");
}
//! Must be the last word to standard output: what could not be written is an error.
inline void flush_out() {
  if (std::fflush(stdout) != 0) throw_system_error("write error: ");
}

}  // namespace app
