// A thread and its core: which one that is, whether other programs have had it meanwhile, and how long to leave it to
// them then.
#pragma once
#if __has_include(<pthread.h>) && __has_include(<sched.h>)
#define UPSWEEP_HAS_CREW 1
#include <pthread.h>
#include <sched.h>
#include <time.h>
#else
#define UPSWEEP_HAS_CREW 0
#endif

#include <upsweep/config.hpp>

#if UPSWEEP_HAS_CREW
namespace UPSWEEP_NAMESPACE::detail {

//! The core on which this thread is, where that is told.
inline constexpr int no_core = -1;
inline int this_core() {
#ifdef __linux__
  return sched_getcpu();
#else
  return no_core;
#endif
}
//! Goes to another core, if this thread may. (A system leaves a thread that wakes where it was, be that its caller's
//! core: a sort of 2^20 words of 8 bytes took two threads on one of two cores 9.2 ms, call after call, one thread 7.4,
//! and two on both 4.9. A Xeon, virtual, Linux 6, 2026-11-25.)
inline void leave_core([[maybe_unused]] int core) {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<unsigned>(core), &others);
  if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof(others), &others) == 0)
    sched_setaffinity(0, sizeof(allowed), &allowed);
#endif
}

//! How much of its time a thread has had a core.
class core_watch {
 public:
  void start() {
    began_ = now();
    worked_ = now(CLOCK_THREAD_CPUTIME_ID);
  }
  //! Have other programs had it for a third of the time since, and longer than a system's own threads take it now and
  //! then? (Those took it from one call in two of 20 ms, mostly for some 30 us: an EPYC with nothing else to do,
  //! 2026-11-23. Whoever went for each of these left two threads the speed of one.)
  bool was_taken() const {
    const long long passed = now() - began_, worked = now(CLOCK_THREAD_CPUTIME_ID) - worked_;
    return passed - worked > 1'000'000 && passed - worked > passed / 3;
  }

  long long began() const { return began_; }
  static long long now(clockid_t clock = CLOCK_MONOTONIC) {  // nanoseconds
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * 1'000'000'000ll + time.tv_nsec;
  }

 private:
  long long began_ = 0, worked_ = 0;
};

//! How long to leave others the cores after each time that they took one: longer where those come soon one after
//! another. (Two busy loops on two cores.)
class growing_rest {
 public:
  //! In nanoseconds, after work that began then. (How long it took says nothing: it was kept waiting. When that counted
  //! as peace, small calls never rested longer than the shortest time, and each second one took several times as long.)
  long long next(long long began) {
    const bool soon = began - last_ < 8 * rest_;
    rest_ = !soon ? shortest : 2 * rest_ < longest ? 2 * rest_ : longest;
    last_ = core_watch::now();
    return rest_;
  }

 private:
  static constexpr long long shortest = 1'000'000, longest = 256'000'000;
  long long rest_ = shortest, last_ = -16 * shortest;
};

}  // namespace UPSWEEP_NAMESPACE::detail
#endif
