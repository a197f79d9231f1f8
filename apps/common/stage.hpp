// What a program is at, told while that takes long.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace app {

//! From its making to its end a program is at this. When that takes ten seconds, standard error gets a line, "sort:
//! verifying ... 10 s", and another one about every ten seconds. On a terminal it is one line that changes every second
//! and goes away in the end. UPSWEEP_PROGRESS has other seconds than ten. Of stages within one another the innermost
//! tells.
class stage {
 public:
  //! `bytes`: how many there are, if at() tells how many are done. No name: nothing is told.
  explicit stage(std::string what, std::int64_t bytes = 0);
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;
  ~stage();

  void at(std::int64_t bytes) { done_.store(bytes, std::memory_order_relaxed); }

 private:
  friend class teller;
  using clock = std::chrono::steady_clock;
  std::string text() const;

  std::string what_;
  std::int64_t bytes_;
  std::atomic<std::int64_t> done_ = 0;
  clock::time_point began_ = clock::now(), next_ = began_;  // when it tells again
};

//! Writes a line to standard error while there may be a stage.
void say(const std::string& line);

}  // namespace app
