// Scans by the access patterns timed on a GPU, beside warp shuffles and the library's scan: for programs that nvcc
// compiles.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <upsweep/buffer.hpp>
#include <upsweep/classic/pattern_scan.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/transform.hpp>

#include "contenders.hpp"
#include "log_log_plot.hpp"
#include "report.hpp"
#include "stage.hpp"

namespace app {

//! The time between two places of a stream, as the GPU tells it.
class event_pair {
 public:
  explicit event_pair(cudaStream_t stream) : stream_(stream) {
    UPSWEEP_CUDA_CHECK(cudaEventCreate(&begin_));
    UPSWEEP_CUDA_CHECK(cudaEventCreate(&end_));
  }
  event_pair(const event_pair&) = delete;
  event_pair& operator=(const event_pair&) = delete;
  ~event_pair() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
  }
  template <class F>
  double seconds(const F& f) {
    UPSWEEP_CUDA_CHECK(cudaEventRecord(begin_, stream_));
    f();
    UPSWEEP_CUDA_CHECK(cudaEventRecord(end_, stream_));
    UPSWEEP_CUDA_CHECK(cudaEventSynchronize(end_));
    float milliseconds = 0;
    UPSWEEP_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

namespace detail {
struct small_number {
  UPSWEEP_HD std::int32_t operator()(upsweep::index_t i) const {
    return static_cast<std::int32_t>(i * 2654435761 >> 16 & 1023);
  }
};
struct differs {
  UPSWEEP_HD upsweep::index_t operator()(std::int32_t a, std::int32_t b) const { return a != b; }
};
}  // namespace detail

//! Times scans of int32 of all patterns, in turns: a sample is ten calls, or one of many items, the result is the
//! median of 21 samples, of 5 where they take long. Every contender's result is compared with the library's before.
class pattern_race {
 public:
  using item = std::int32_t;
  explicit pattern_race(upsweep::device& executor)
      : executor_(executor),
        most_block_(
            upsweep::classic::largest_block<upsweep::classic::right_sums<upsweep::classic::padding>, item>(executor)),
        in_(executor, std::max(most_items, block_count * most_block_)),
        out_(executor, in_.size()),
        expected_(executor, in_.size()) {
    upsweep::transform(executor, upsweep::indices(), in_, detail::small_number{});
  }

  //! 10,752 blocks, each scanned on its own, over the items of a block; up to what the GPU's shared memory holds.
  log_log_panel blocks() {
    log_log_panel panel{"measured: 10,752 blocks, one scan each", "items of a block", "microseconds", {}};
    for (upsweep::index_t block = 32; block <= most_block_; block *= 2) {
      const auto in = first(in_, block * block_count), out = first(out_, block * block_count);
      field_.clear();
      add("upsweep", [=, this] { upsweep::exclusive_scan(executor_, in, out, m_, upsweep::rows(block)); });
      add_patterns([=, this]<class Pattern>(named<Pattern>) {
        upsweep::classic::scan_blocks<Pattern>(executor_, in, out, block, m_);
      });
      measure(panel, block, block * block_count);
    }
    return panel;
  }
  //! Arrays of 2^10 items and more: blocks of 2,048, and the blocks' totals likewise.
  log_log_panel arrays() {
    log_log_panel panel{"measured: an array, by blocks of 2,048 and their sums", "items", "microseconds", {}};
    for (upsweep::index_t n = 1024; n <= most_items; n *= 2) {
      const auto in = first(in_, n), out = first(out_, n);
      field_.clear();
      add("upsweep", [=, this] { upsweep::exclusive_scan(executor_, in, out, m_); });
      add_patterns([=, this]<class Pattern>(named<Pattern>) {
        upsweep::classic::scan_by_blocks<Pattern>(executor_, in, out, 2048, m_);
      });
      measure(panel, n, n);
    }
    return panel;
  }

 private:
  static constexpr upsweep::index_t block_count = 10752, most_items = upsweep::index_t{1} << 28;
  template <class Pattern>
  struct named {};

  static std::span<item> first(upsweep::buffer<item>& items, upsweep::index_t n) {
    return {items.data(), static_cast<std::size_t>(n)};
  }
  void add(const char* name, std::function<void()> call) { field_.push_back({name, std::move(call)}); }
  template <class Scan>
  void add_patterns(const Scan& scan) {
    namespace classic = upsweep::classic;
    add("CM", [=] { scan(named<classic::connection_machine>{}); });
    add("NoPadding", [=] { scan(named<classic::right_sums<classic::no_padding>>{}); });
    add("Padding", [=] { scan(named<classic::right_sums<classic::padding>>{}); });
    add("LeftRight", [=] { scan(named<classic::left_right>{}); });
    add("warp shuffles", [=] { scan(named<classic::warp_shuffles>{}); });
  }
  //! Of all contenders: the library's result, which comes first, is what the others' must be.
  void measure(log_log_panel& panel, upsweep::index_t at, upsweep::index_t n) {
    constexpr int rounds = 21, least_rounds = 5;
    const int calls = n < (1 << 22) ? 10 : 1;  // of which the clock's ticks and a launch are a small part
    const std::string what = grouped(n) + " items, at " + grouped(at);
    for (contender& c : field_) {
      const stage checking("checking " + c.name + ": " + what);
      c.call();
      if (&c == &field_.front())
        executor_.copy(expected_.data(), out_.data(), static_cast<std::size_t>(n) * sizeof(item));
      else if (const auto wrong = differences(n); wrong != 0)
        throw std::runtime_error(c.name + ", n = " + grouped(at) + ": " + grouped(wrong) +
                                 " prefixes are not the library's");
    }
    const stage timing("timing all: " + what);
    event_pair clock(executor_.stream());
    stopwatch watch;
    double took = 0;
    for (int round = 0; round < rounds && (round < least_rounds || took < 0.5); round++) {
      for (contender& c : field_)
        c.samples.push_back(clock.seconds([&] {
          for (int k = 0; k < calls; k++) c.call();
        }) / calls);
      took += watch.lap();
    }
    for (contender& c : field_) {
      auto found = std::ranges::find(panel.curves, c.name, &curve::name);
      if (found == panel.curves.end()) found = panel.curves.insert(found, {c.name, {}});
      found->points.emplace_back(static_cast<double>(at), 1e6 * median(c.samples));
    }
  }
  upsweep::index_t differences(upsweep::index_t n) {
    return upsweep::scan(executor_, n, upsweep::contiguous(first(out_, n), first(expected_, n)), detail::differs{},
                         upsweep::plus<upsweep::index_t>{}, upsweep::discard);
  }

  upsweep::device& executor_;
  upsweep::index_t most_block_;
  upsweep::plus<item> m_;
  upsweep::buffer<item> in_, out_, expected_;
  std::vector<contender> field_;
};

inline std::vector<log_log_panel> measured_panels(upsweep::device& executor) {
  pattern_race race(executor);
  return {race.blocks(), race.arrays()};
}

}  // namespace app
