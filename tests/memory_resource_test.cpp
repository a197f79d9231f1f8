// A program's own memory resource: all memory comes from it and goes back, none is taken when it is there already, and
// when it fails nothing is lost or written.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/clahe.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/csr_build.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/filtfilt.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/luma.hpp>
#include <upsweep/quicksort.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

#include "filter_instances.hpp"
#include "matrices.hpp"
#include "memory_support.hpp"
#include "oracle.hpp"
#include "support.hpp"

using test::counting_resource;
using test::exhausted;
using test::on_resources;
using upsweep::buffer;
using upsweep::index_t;

namespace {
// Keys are more than 4 MB: sorts by buckets, sweeps by several threads.
constexpr index_t n = 1'100'003;
using words = std::vector<std::uint32_t>;

struct is_odd {
  UPSWEEP_HD bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

//! The memory of words as images.
template <class T>
auto pixels(buffer<std::uint32_t>& memory, const upsweep::image_layout& layout) {
  return upsweep::image(reinterpret_cast<T*>(memory.data()), layout);
}

// What the calls read and write, in memory of an executor's kind.
class work {
 public:
  template <class Executor>
  explicit work(Executor& executor)
      : items(executor, keys()),
        out(executor, zeros()),
        values(executor, keys()),
        skewed(executor, skewed_keys()),
        samples(executor, noise()),
        filtered(executor, noise()),
        offsets(executor, std::vector<index_t>{0, 5, 1000, 90'000, n - 70'000, n}),
        counts(executor, 256),
        matrix(executor, rows().view()),
        x(executor, std::vector<float>(1000, 1.f)),
        y(executor, rows().rows) {
    reset(executor);
  }
  template <class Executor>
  void reset(Executor& executor) {
    items.copy_from(executor, keys());
    out.copy_from(executor, zeros());
    values.copy_from(executor, keys());
    skewed.copy_from(executor, skewed_keys());
    filtered.copy_from(executor, noise());
    counts.copy_from(executor, std::vector<index_t>(256, -1));
    y.copy_from(executor, std::vector<float>(static_cast<std::size_t>(y.size()), -1.f));
  }
  //! Is everything as reset leaves it?
  template <class Executor>
  bool untouched(Executor& executor) const {
    return items.to_vector(executor) == keys() && out.to_vector(executor) == zeros() &&
           values.to_vector(executor) == keys() && skewed.to_vector(executor) == skewed_keys() &&
           filtered.to_vector(executor) == noise() && counts.to_vector(executor) == std::vector<index_t>(256, -1) &&
           y.to_vector(executor) == std::vector<float>(static_cast<std::size_t>(y.size()), -1.f);
  }

  static constexpr int calls = 20;
  //! Makes a call, and gives its name.
  template <class Executor>
  const char* call(Executor& executor, int which) {
    const std::vector<upsweep::section> sections(3, {.b0 = 0.5, .b1 = 0.1, .a1 = -0.4});
    switch (which) {
      case 0:
        return upsweep::inclusive_scan(executor, items, out), "inclusive_scan";
      case 1:
        return upsweep::copy_if(executor, items, out, is_odd{}), "copy_if";
      case 2:
        return upsweep::unique_copy(executor, items, items), "unique_copy in place";
      case 3:
        return upsweep::radix_sort(executor, items), "radix_sort in place";
      case 4:
        return upsweep::radix_sort(executor, items, out), "radix_sort";
#if !UPSWEEP_HAS_CUDA  // whose sorts and filters take memory by the same two functions, and are long to compile
      case 5:
        return upsweep::radix_sort_by_key(executor, items, values), "radix_sort_by_key";
      case 6:
        return upsweep::segmented_radix_sort(executor, items, offsets), "segmented_radix_sort";
#endif
      case 7:
        return upsweep::radix_sort(executor, skewed), "radix_sort of skewed keys in place";
      case 8:
        return upsweep::radix_sort(executor, skewed, out), "radix_sort of skewed keys";
      case 9:
        return upsweep::quicksort(executor, items), "quicksort";
      case 10:
        return upsweep::spmv(executor, matrix.view(), x, y), "spmv";
#if !UPSWEEP_HAS_CUDA
      case 11:
        return upsweep::sosfilt(executor, sections, samples, filtered, upsweep::no_state, upsweep::interleaved{7}),
               "sosfilt";
      case 12:
        return upsweep::sosfiltfilt(executor, sections, samples, filtered), "sosfiltfilt";
#endif
      case 13: {
        const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(items.data()),
                                                  static_cast<std::size_t>(n));
        return upsweep::histogram(executor, bytes, counts), "histogram";
      }
#if !UPSWEEP_HAS_CUDA  // whose images take memory by the same two functions
      case 14:
        return upsweep::equalize_histogram(executor, pixels<std::uint8_t>(items, one), pixels<std::uint8_t>(out, one)),
               "equalize_histogram";
      case 15:
        return upsweep::equalize_histogram(executor, pixels<std::uint16_t>(items, some),
                                           pixels<std::uint16_t>(out, some)),
               "equalize_histogram of a batch";
      case 16:
        return upsweep::match_histogram(executor, pixels<std::uint16_t>(items, some),
                                        pixels<std::uint16_t>(values, some), pixels<std::uint16_t>(out, some)),
               "match_histogram of a batch";
      case 17:
        return upsweep::clahe(executor, pixels<std::uint8_t>(items, one), pixels<std::uint8_t>(out, one)), "clahe";
      case 18:
        return upsweep::clahe(executor, pixels<std::uint16_t>(items, some), pixels<std::uint16_t>(out, some)),
               "clahe of a batch";
      case 19:
        return upsweep::equalize_luma(executor, pixels<std::uint8_t>(items, some), pixels<std::uint8_t>(out, some)),
               "equalize_luma of a batch";
#endif
      default:
        return "";
    }
  }

  buffer<std::uint32_t> items, out, values, skewed;
  buffer<float> samples, filtered;
  buffer<index_t> offsets, counts;
  upsweep::csr_matrix<float> matrix;
  buffer<float> x, y;

 private:
#if !UPSWEEP_HAS_CUDA  // where images are tried
  static constexpr upsweep::image_layout one{.width = 900, .height = 1600},
      some{.width = 300, .height = 100, .count = n > 1'200'000 ? 9 : 4};  // more than threads
#endif

  // Made when they are needed first: the program is started for each test, and few of them are here.
  static const words& keys() {
    static const words made = test::random_integers<std::uint32_t>(n);
    return made;
  }
  static const words& zeros() {
    static const words made(oracle::at(n));
    return made;
  }
  // Most keys share their highest digit: a bucket for all threads.
  static const words& skewed_keys() {
    static const words made = [] {
      words keys = test::random_integers<std::uint32_t>(n, 0, 1);
      for (std::size_t i = 0; i < keys.size(); i++)
        if (i % 16) keys[i] &= 0xFFFFF;
      return keys;
    }();
    return made;
  }
  static const std::vector<float>& noise() {
    static const std::vector<float> made = test::random_vector<float>(n / 7 * 7);
    return made;
  }
  static const test::matrix<float>& rows() {
    static const test::matrix<float> made = [] {
      std::vector<index_t> lengths(30'000, 7);
      lengths[500] = 40'000;
      return test::rows_of<float>(lengths, 1000);
    }();
    return made;
  }
};

//! Which call an executor begins with that makes some of them: sanitized ones make every other, the next executor those
//! between.
int first_of_some() {
  static int turn = 0;
  return test::takes_fewer_cases() ? turn++ % 2 : 0;
}
}  // namespace

TEST_CASE("all memory comes from the executor's resource, and goes back") {
  on_resources([](counting_resource& memory, const auto& make) {
    {
      auto executor = make();
      work all(executor);
      const std::size_t of_buffers = memory.bytes();
      CHECK(of_buffers >= 5 * sizeof(std::uint32_t) * n);
      for (int which = first_of_some(); which < work::calls; which += test::sanitized_step(2))
        all.call(executor, which);
      executor.synchronize();
      CHECK(memory.bytes() >= of_buffers + sizeof(std::uint32_t) * n);  // a sort takes as much again
    }
    CHECK(memory.bytes() == 0);
    CHECK(memory.taken() > 10);
  });
}

TEST_CASE("an executor that has made its calls once takes no more memory for them") {
  on_resources([](counting_resource& memory, const auto& make) {
    auto executor = make();
    work all(executor);
    const int first = first_of_some();
    int warm = 0;
    for (int round = 0; round < 2; round++) {
      for (int which = first; which < work::calls; which += test::sanitized_step(2)) {
        all.reset(executor);
        const int before = memory.taken();
        const std::string name = all.call(executor, which);
        INFO(name << " in round " << round);
        if (round > 0) CHECK(memory.taken() == before);
      }
      if (round == 0) warm = memory.taken();
    }
    CHECK(memory.taken() == warm);

    test::other_work busy(executor);
    for (int which = first; which < work::calls; which += test::sanitized_step(4)) {
      all.reset(executor);
      busy.more();
      const std::string name = all.call(executor, which);
      INFO(name << " beside other work");
      CHECK(memory.taken() == warm);
    }
    executor.synchronize();
  });
}

TEST_CASE("trim gives back what was kept for the next calls, which take it anew") {
  on_resources([](counting_resource& memory, const auto& make) {
    auto executor = make();
    work all(executor);
    const std::size_t of_buffers = memory.bytes();
    const int first = first_of_some();
    for (int round = 0; round < 2; round++) {
      for (int which = first; which < work::calls; which += test::sanitized_step(2)) all.call(executor, which);
      static_cast<void>(executor.scratch(1000));
      CHECK(memory.bytes() > of_buffers);
      executor.trim();
      CHECK(memory.bytes() == of_buffers);
    }
    upsweep::any_executor chosen(std::move(executor));
    all.reset(chosen);
    all.call(chosen, 3);
    CHECK(memory.bytes() > of_buffers);
    chosen.trim();
    CHECK(memory.bytes() == of_buffers);
    const auto sorted = all.items.to_vector(chosen);
    CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  });
}

TEST_CASE("each call of images, and a plan, asks the executor's resource") {
  test::on_hosts([](auto& reader) {
    work all(reader);
    for (int which = 13; which < work::calls; which++) {
      counting_resource memory(upsweep::default_host_memory(), 64);
      upsweep::host executor(reader.threads(), &memory);
      const std::string name = all.call(executor, which);
      INFO(name);
      CHECK(memory.taken() > 0);
      CHECK(memory.wrong() == 0);
    }
    counting_resource memory(upsweep::default_host_memory(), 64);
    upsweep::host executor(reader.threads(), &memory);
    const upsweep::spmv_plan plan(executor, all.matrix);
    CHECK(memory.bytes() > 0);
    upsweep::spmv(executor, plan, all.x, all.y);
  });
}

TEST_CASE("what a resource throws reaches the caller, nothing is written or lost, and the executor works on") {
  on_resources([](counting_resource& memory, const auto& make) {
    std::remove_cvref_t<decltype(make())> reader;  // takes nothing of the resource
    work all(reader);
    for (int which = first_of_some(); which < work::calls; which += test::sanitized_step(2)) {
      all.reset(reader);
      bool failed = true;
      for (int call = 1; failed; call++) {
        REQUIRE(call < 50);
        auto executor = make();
        memory.fail_at(call);
        failed = false;
        try {
          all.call(executor, which);
        } catch (const exhausted&) {
          failed = true;
        }
        memory.fail_at(0);
        executor.synchronize();
        if (!failed) continue;
        INFO("call " << which << ", allocation " << call << " fails");
        CHECK(all.untouched(reader));
        if (call > 3 / test::sanitized_step(3)) continue;
        all.call(executor, which);
        executor.synchronize();
        all.reset(reader);
      }
      CHECK(memory.blocks() == 0);
    }
  });
}

TEST_CASE("a sort by a resource that failed before sorts") {
  on_resources([](counting_resource& memory, const auto& make) {
    auto executor = make();
    const auto keys = test::random_integers<std::uint32_t>(n);
    buffer<std::uint32_t> items(executor, keys);
    memory.fail_at(1);
    CHECK_THROWS_AS(upsweep::radix_sort(executor, items), exhausted);
    test::check_equal(items.to_vector(executor), keys);
    upsweep::radix_sort(executor, items);
    test::check_equal(items.to_vector(executor), oracle::stable_sort(keys, oracle::is_less{}));
  });
}
