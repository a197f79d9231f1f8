// A file that is there whole or not at all: until commit() the old one stays, and it stays for good if anything fails.
#pragma once
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.hpp"

namespace app {

//! Written next to where it will be, and moved there by commit(). What is no regular file (a pipe, a terminal) is
//! written as it is; "-" is standard output.
class output_file {
 public:
  explicit output_file(const std::string& name) {
    struct stat old {};
    const bool exists = stat(name.c_str(), &old) == 0;
    if (name == "-") {
      file_ = stdout;
    } else if (exists && !S_ISREG(old.st_mode)) {
      file_ = std::fopen(name.c_str(), "wbe");
    } else if (exists) {
      if (access(name.c_str(), W_OK) != 0) throw_system_error();
      open_beside(std::filesystem::canonical(name).string(), old.st_mode & 0777);  // a link stays one
    } else {
      const mode_t mask = umask(0);
      umask(mask);
      open_beside(name, 0666 & ~mask);
    }
    if (!file_) throw_system_error();
  }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file() { remove_unfinished(); }

  void write(std::string_view bytes) {
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
      throw_system_error("write error: ");
  }
  //! For a library that writes by itself, instead of write().
  int descriptor() const { return fileno(file_); }
  //! Must be the last word.
  void commit() {
    if (std::fflush(file_) != 0) throw_system_error("write error: ");
    if (file_ == stdout) return;
    if (std::fclose(std::exchange(file_, nullptr)) != 0) throw_system_error("write error: ");
    if (unfinished_.empty()) return;
    if (std::rename(unfinished_.c_str(), final_.c_str()) != 0) throw_system_error("write error: ");
    unfinished_.clear();
  }

 private:
  void open_beside(const std::string& name, mode_t permissions) {
    final_ = name;
    std::string path = name + ".XXXXXX";
    const int number = mkostemp(path.data(), O_CLOEXEC);
    if (number < 0) return;
    unfinished_ = path;
    file_ = fdopen(number, "wb");
    if (!file_ || fchmod(number, permissions) != 0) {
      const int error = errno;
      remove_unfinished();
      errno = error;
      throw_system_error();
    }
  }
  void remove_unfinished() noexcept {
    if (file_ && file_ != stdout) (void)std::fclose(file_);
    if (!unfinished_.empty()) unlink(unfinished_.c_str());
  }

  std::FILE* file_ = nullptr;
  std::string final_, unfinished_;
};

}  // namespace app
