#include "output_files.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "stage.hpp"

namespace app {
namespace {

// ---------------------------------------------------------------- what a signal leaves behind: nothing
std::array<std::atomic<const char*>, 8> unfinished_names{};  // more files than a program writes
static_assert(std::atomic<const char*>::is_always_lock_free);

//! The handler is gone when it is called, so the signal does what it would have done when it is raised again.
extern "C" void remove_unfinished(int signal) {
  for (const auto& name : unfinished_names)
    if (const char* path = name.load()) unlink(path);
  (void)raise(signal);
}
void handle_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = remove_unfinished;
    action.sa_flags = SA_RESETHAND;
    sigaction(signal, &action, nullptr);
  }
}
void exchange_name(const char* old, const char* name) {
  for (auto& place : unfinished_names)
    if (const char* expected = old; place.compare_exchange_strong(expected, name)) return;
}
void discard(const char* unfinished) {
  unlink(unfinished);
  exchange_name(unfinished, nullptr);
}

}  // namespace

std::filesystem::path place_of(const std::string& name) {
  std::filesystem::path path = name;
  std::error_code wrong;
  for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path, wrong)); links++) {
    if (links == 40) throw std::runtime_error(name + ": " + std::generic_category().message(ELOOP));
    path = path.parent_path() / std::filesystem::read_symlink(path);
  }
  return path;
}

// ---------------------------------------------------------------- one file
output_file::output_file(const std::string& name) : name_(name) {
  struct stat old {};
  const bool exists = stat(name.c_str(), &old) == 0;
  if (name == "-") {
    file_ = stdout;
  } else if (exists && !S_ISREG(old.st_mode)) {
    file_ = std::fopen(name.c_str(), "wbe");
  } else if (exists) {
    if (access(name.c_str(), W_OK) != 0) fail("");
    open_beside(old.st_mode & 0777);
  } else if (errno != ENOENT) {  // a name that is too long, say
    fail("");
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    open_beside(0666 & ~mask);
  }
  if (!file_) fail("");
}

output_file::~output_file() {
  if (file_ && file_ != stdout) (void)std::fclose(file_);
  if (!is_beside()) return;
  discard(unfinished_.c_str());
}

//! A name of its own, not one that is longer than the file's: that may be as long as a name can be.
void output_file::open_beside(mode_t permissions) {
  std::string path = place_of(name_).replace_filename("upsweep.XXXXXX").string();
  handle_signals();
  const int number = mkostemp(path.data(), O_CLOEXEC);
  if (number < 0) fail("");
  unfinished_ = std::move(path);
  exchange_name(nullptr, unfinished_.c_str());
  if (fchmod(number, permissions) == 0) file_ = fdopen(number, "wb");
  if (file_) return;
  const int error = errno;  // the destructor is not called
  close(number);
  discard(unfinished_.c_str());
  errno = error;
  fail("");
}

void output_file::write(std::string_view bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write error: ");
}

void output_file::finish() {
  const stage writing(is_beside() ? "writing " + name_ : "");
  if (std::fflush(file_) != 0) fail("write error: ");
  if (file_ != stdout && std::fclose(std::exchange(file_, nullptr)) != 0) fail("write error: ");
}

void output_file::put_in_place() {
  if (std::rename(unfinished_.c_str(), place_of(name_).c_str()) != 0) fail("write error: ");
  exchange_name(unfinished_.c_str(), nullptr);
  unfinished_.clear();
}

void output_file::fail(const std::string& before) const {
  throw std::runtime_error(name_ + ": " + before + std::generic_category().message(errno));
}

// ---------------------------------------------------------------- all of them
void output_files::commit() {
  // What has been written to a pipe cannot be taken back, so that comes last.
  for (const bool beside : {true, false})
    for (output_file& file : files_)
      if (file.is_beside() == beside) file.finish();
  for (output_file& file : files_)
    if (file.is_beside()) file.put_in_place();
}

}  // namespace app
