// The CPU's side of the harness: memory, the clock, the plain copy.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <upsweep/executor.hpp>

#include "contender.hpp"
#include "data.hpp"
#include "workplace.hpp"

namespace bench {

//! Threads that keep all cores busy, as other programs do.
class other_programs {
 public:
  other_programs() {
    for (unsigned k = 0; k < std::thread::hardware_concurrency(); k++)
      spinning_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) work_.fetch_xor(1, std::memory_order_relaxed);
      });
  }
  other_programs(const other_programs&) = delete;
  ~other_programs() {
    stop_ = true;
    for (auto& thread : spinning_) thread.join();
  }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<unsigned> work_ = 0;
  std::vector<std::thread> spinning_;
};

//! Where one row runs. `mode` is one_thread, all_threads, or busy: all threads while other programs use all cores.
class bed : public workplace<upsweep::host, upsweep::host_memory_resource> {
 public:
  static constexpr const char* side = "host";
  static constexpr int shift = -2;  // log2 of how many items its large rows have less than a GPU's
  static constexpr int calls_for_bits = 20;
  static constexpr int sweep_to = 26;  // log2 of the largest size of a sweep
  static std::vector<std::string> large_modes() { return {"all_threads", "one_thread"}; }
  static std::vector<std::string> sweep_modes() { return large_modes(); }
  static int rounds(const std::string& group) { return group == "sizes" || group == "small" ? 21 : 15; }

  explicit bed(const std::string& mode)
      : workplace([&](upsweep::memory_resource* from) { return upsweep::host(mode == "one_thread" ? 1 : 0, from); }),
        others_(mode == "busy" ? std::make_unique<other_programs>() : nullptr) {}

  //! Items f(i).
  template <class T, class F>
  void fill(std::span<T> items, F f) {
    const auto n = static_cast<index_t>(items.size());
#pragma omp parallel for
    for (index_t i = 0; i < n; i++) items[static_cast<std::size_t>(i)] = f(i);
  }
  //! n items f(i).
  template <class T, class F>
  std::span<T> filled(index_t n, F f) {
    const std::span<T> items = scratch<T>(n, off_by_one ? 1 : 0);
    fill(items, f);
    return items;
  }
  //! Overwrites all outputs, so that what is not written shows.
  void poison() {
    for (const auto output : outputs())
      copy_on_all_threads(output.size(),
                          [&](std::size_t from, std::size_t bytes) { std::memset(output.data() + from, 0xa5, bytes); });
  }
  //! The index of the first item that differs by more than tolerance(i), `n` when there is none. Results that are not
  //! numbers differ.
  template <class T, class U, class Tolerance>
  index_t first_difference(const T* a, const U* b, index_t n, const Tolerance& tolerance) {
    index_t first = n;
#pragma omp parallel for reduction(min : first)
    for (index_t i = 0; i < n; i++)
      if (i < first && !close(a[i], b[i], tolerance(i))) first = i;
    return first;
  }
  //! A number that all bytes of all outputs go into.
  std::uint64_t hash_of_outputs() {
    std::uint64_t hash = 0;
    for (const auto output : outputs()) {
      const auto n = static_cast<index_t>(output.size());
#pragma omp parallel for reduction(+ : hash)
      for (index_t i = 0; i < n; i += 8) hash += random_bits(word_at(output, i), i);
    }
    return hash;
  }
  //! While this lives, other work competes with ours.
  auto competition() const { return std::make_unique<other_programs>(); }
  //! Kernels, copies and fills that a call enqueues, where that can be counted.
  int launches(const std::function<void()>&) { return -1; }
  template <class T>
  T read(const T* item) {
    return *item;
  }

  //! The plain copy that reads and writes `bytes` in all, on as many threads as the row.
  contender copy(double bytes) {
    const auto half = static_cast<index_t>(bytes / 2);
    const auto from = filled<std::uint8_t>(half, uniform<std::uint8_t>{0});
    const auto to = filled<std::uint8_t>(half, constant<std::uint8_t>{});  // touched: its pages are there
    return {"memcpy", [=, this] {
              copy_on_all_threads(from.size(), [&](std::size_t first, std::size_t length) {
                std::memcpy(to.data() + first, from.data() + first, length);
              });
            }};
  }

  //! One sample: seconds a call. Work that is short is repeated for a millisecond, so that all contenders find their
  //! data in the caches: by 0.1 ms one of 60 us ran once, from cold ones, and one of 31 us three times. And it has
  //! run before, up to four times in 20 ms: after another contender had the caches, the first two calls of a big_add of
  //! 2^18 limbs took 436 and 383 us, all others 200; but GMP's, which came after a peer of the same output, took 204
  //! from the first on. (An Intel Xeon, 2026-11-26.)
  double seconds(const contender& c) {
    double& took = took_[&c];
    if (took == 0) {
      took = time(c, 1);
      if (took < long_call) took = time(c, 1);
    }
    const auto calls = static_cast<int>(std::clamp(1e-3 / took, 1.0, 1000.0));
    const int before = std::min(static_cast<int>(2e-2 / took), std::max(calls, 4));
    if (before > 0) time(c, before);
    // The threads of the last variant still spin in wait for work: let them go to sleep. (OpenMP's do after this time
    // by GOMP_SPINCOUNT as bench/run sets it; by themselves they spin for some 16 ms.)
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return time(c, calls);
  }

  static void describe(const std::function<void(const char*, const std::string&)>& say) {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
      if (line.starts_with("model name")) {
        say("device", line.substr(line.find(':') + 2));
        break;
      }
    say("threads", std::to_string(upsweep::host().threads()));
#if defined(__GLIBCXX__) && defined(_GLIBCXX_RELEASE)
    say("peer_version", "libstdc++ " + std::to_string(_GLIBCXX_RELEASE));
#endif
  }

 private:
  template <class F>
  void copy_on_all_threads(std::size_t bytes, const F& piece) const {
    // Waking a thread pays from some 256 KiB on.
    const auto parts = std::clamp(bytes >> 18, std::size_t{1}, static_cast<std::size_t>(exec.threads()));
    if (parts == 1) return piece(std::size_t{0}, bytes);
    const std::size_t length = (bytes / parts + 63) / 64 * 64;
#pragma omp parallel for num_threads(static_cast<int>(parts))
    for (std::size_t k = 0; k < parts; k++)
      if (const std::size_t from = std::min(k * length, bytes); from < bytes)
        piece(from, std::min(length, bytes - from));
  }
  static double time(const contender& c, int calls) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; k++) {
      c.call();
      asm volatile("" ::: "memory");  // what it wrote is wanted
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
  }

  std::map<const contender*, double> took_;  // seconds a call
  std::unique_ptr<other_programs> others_;
};

}  // namespace bench
