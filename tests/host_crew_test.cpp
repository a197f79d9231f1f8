// The threads of a host: numbers of their own, calls from several threads at once and from within one another, after a
// fork, and while other programs have the cores.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <upsweep/host/share_out.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

#include "support.hpp"

using upsweep::index_t;

namespace {
bool scans_right(int threads, index_t n) {
  upsweep::host executor(threads);
  std::vector<std::int64_t> in(static_cast<std::size_t>(n), 1), out(in.size());
  upsweep::inclusive_scan(executor, in, out);
  for (index_t i = 0; i < n; i++)
    if (out[static_cast<std::size_t>(i)] != i + 1) return false;
  return true;
}
}  // namespace

TEST_CASE("threads that share work out have numbers of their own, from 0 on") {
  for (const int threads : {2, 3, 16}) {
    std::vector<std::atomic<int>> inside(static_cast<std::size_t>(threads));
    std::atomic<int> twice{0}, done{0};
    upsweep::detail::share_out(threads, 2000, [&](index_t, int number) {
      if (inside.at(static_cast<std::size_t>(number))++ != 0) twice++;
      done++;
      inside[static_cast<std::size_t>(number)]--;
    });
    CHECK(twice == 0);
    CHECK(done == 2000);
  }
}

TEST_CASE("several threads call at once, each with its executor") {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; caller++)
    callers.emplace_back([&, caller] {
      for (int k = 0; k < 20; k++)
        if (!scans_right(1 + caller, 100'000 + caller)) wrong++;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("work that is shared out may share out work") {
  std::atomic<index_t> sum{0};
  upsweep::detail::share_out(
      3, 50, [&](index_t k) { upsweep::detail::share_out(3, 20, [&](index_t j) { sum += 20 * k + j; }); });
  CHECK(sum == index_t{1000} * 999 / 2);
}

TEST_CASE("a process that was forked works on") {
  REQUIRE(scans_right(4, 300'000));
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(scans_right(4, 300'000) ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("helpers that have nothing to do sleep after a while, and need not be awake to be called") {
  using upsweep::detail::helpers_are_awake;
  for (int k = 0; k < 3; k++) {
    CHECK(scans_right(2, 300'000));
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (helpers_are_awake() && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
    CHECK_FALSE(helpers_are_awake());
  }
}

TEST_CASE("a thread leaves a core and may come back") {
  namespace detail = upsweep::detail;
  cpu_set_t before, after;
  REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
  const int core = detail::this_core();
  detail::leave_core(core);
  CHECK((detail::this_core() != core || CPU_COUNT(&before) == 1));
  REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("rests grow while they come soon one after another, however long the work was kept waiting") {
  using upsweep::detail::core_watch;
  const auto sleep = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  upsweep::detail::growing_rest rest;
  CHECK(rest.next(core_watch::now()) == 1'000'000);
  CHECK(rest.next(core_watch::now()) == 2'000'000);
  const long long began = core_watch::now();
  sleep(40);
  CHECK(rest.next(began) == 4'000'000);
  sleep(40);
  CHECK(rest.next(core_watch::now()) == 1'000'000);
  for (int k = 0; k < 20; k++) rest.next(core_watch::now());
  CHECK(rest.next(core_watch::now()) == 256'000'000);
}

// A team that waits for its last member takes turns of the other threads, of some milliseconds, in most calls. (So does
// one thread alone where it is sanitized: a call lasts half a turn then.)
TEST_CASE("a call does not wait for threads that have no core") {
  std::atomic<bool> stop{false};
  std::vector<std::thread> busy;
  for (unsigned k = 0; k < 2 * std::thread::hardware_concurrency(); k++)
    busy.emplace_back([&] {
      while (!stop) {
      }
    });
  const std::vector<std::int32_t> in(1 << 17, 1);
  const auto median_on = [&](int threads) {
    upsweep::host executor(threads);
    std::vector<double> seconds;
    for (int k = 0; k < 201; k++) {
      const auto began = std::chrono::steady_clock::now();
      CHECK(upsweep::reduce(executor, in) == 1 << 17);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    std::ranges::nth_element(seconds, seconds.begin() + 100);
    return seconds[100];
  };
  const double alone = median_on(1), together = median_on(8);
  // A helper that should go does all the same what it shares out itself.
  int incomplete = 0;
  for (int k = 0; k < 30; k++)
    upsweep::detail::share_out(4, 64, [&](index_t) {
      std::atomic<int> done{0};
      upsweep::detail::run_in_order(1, [&](upsweep::detail::tile_order& order, int) {
        for (index_t tile = order.take_ticket(); tile < 4000; tile = order.take_ticket()) done++;
      });
      if (done != 4000) __atomic_fetch_add(&incomplete, 1, __ATOMIC_RELAXED);
    });
  stop = true;
  for (std::thread& thread : busy) thread.join();
  INFO(alone << " s on one thread, " << together << " s on eight");
  if (test::sanitized) count_skipped("time, sanitized");
  else CHECK(together < alone + 0.002);
  CHECK(incomplete == 0);
}
