#include "stage.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "report.hpp"

namespace app {
namespace {

using clock = std::chrono::steady_clock;

clock::duration time_between_lines(bool is_terminal) {
  const char* const asked = std::getenv("UPSWEEP_PROGRESS");
  const double seconds = asked ? std::strtod(asked, nullptr) : 0;
  const double between = std::min(seconds > 0 ? seconds : 10, 1e6);
  return std::chrono::duration_cast<clock::duration>(
      std::chrono::duration<double>(std::max(is_terminal ? between / 10 : between, 1e-3)));
}

//! What is left of a line that must not be longer than the terminal is wide: one that goes on below could not be taken
//! back.
std::string cut_to_terminal(const std::string& line) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return line.substr(0, static_cast<std::size_t>(known ? size.ws_col : 80) - 1);
}

}  // namespace

//! The thread that tells. It begins with the first stage, and ends with the program.
class teller {
 public:
  static teller& only() {
    static teller its;
    return its;
  }
  teller(const teller&) = delete;
  teller& operator=(const teller&) = delete;
  ~teller() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void begin(stage& one) {
    const std::lock_guard lock(mutex_);
    one.next_ = one.began_ + between_;
    stages_.push_back(&one);
    changed_.notify_one();
  }
  void end(const stage& one) {
    const std::lock_guard lock(mutex_);
    std::erase(stages_, &one);
    take_back();
  }
  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    take_back();
    std::fprintf(stderr, "%s\n", line.c_str());
  }

 private:
  teller() {
    // Signals are for the program's own threads. Where nobody reads standard error any more, only a line is lost.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void run() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
      if (stages_.empty()) {
        changed_.wait(lock);
      } else if (stage& now = *stages_.back(); clock::now() < now.next_) {
        changed_.wait_until(lock, clock::time_point(now.next_));  // a copy: the stage may be gone meanwhile
      } else {
        tell(now.text());
        now.next_ = clock::now() + between_;
      }
    }
  }
  void tell(const std::string& text) {
    const std::string line = std::string(program_invocation_short_name) + ": " + text;
    if (is_terminal_) std::fprintf(stderr, "\r%s\33[K", cut_to_terminal(line).c_str());
    else std::fprintf(stderr, "%s\n", line.c_str());
    stands_there_ = is_terminal_;
  }
  void take_back() {
    if (stands_there_) std::fputs("\r\33[K", stderr);
    stands_there_ = false;
  }

  const bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  const clock::duration between_ = time_between_lines(is_terminal_);
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<stage*> stages_;
  bool ends_ = false, stands_there_ = false;
  std::thread thread_;  // the last: it uses all of them
};

stage::stage(std::string what, std::int64_t bytes) : what_(std::move(what)), bytes_(bytes) {
  if (!what_.empty()) teller::only().begin(*this);
}
stage::~stage() {
  if (!what_.empty()) teller::only().end(*this);
}

//! reading numbers.txt ... 1.2 of 3.4 GB, 12 s
std::string stage::text() const {
  const std::int64_t done = done_.load(std::memory_order_relaxed);
  const auto gigabytes = [](std::int64_t n) { return static_cast<double>(n) / 1e9; };
  std::string all = what_ + " ... ";
  if (bytes_ > 0) all += decimal(gigabytes(done), 1, "of ") + decimal(gigabytes(bytes_), 1, "GB, ");
  else if (done > 0) all += decimal(gigabytes(done), 1, "GB, ");
  return all + decimal(std::chrono::duration<double>(clock::now() - began_).count(), 0, "s");
}

void say(const std::string& line) { teller::only().say(line); }

}  // namespace app
