// Scans, reductions, sorts and compaction on a GPU, by a plain C++ compiler.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>

namespace {
int wrong = 0;
void check(bool right, const char* what) {
  if (!right) std::printf("WRONG: %s\n", what);
  wrong += !right;
}

//! What a call throws says this, and has this type.
template <class Error, class Call>
void check_throws(const std::string& text, const Call& call) {
  try {
    call();
    check(false, ("no error: " + text).c_str());
  } catch (const Error& e) {
    check(e.what() == text, (text + ", not: " + e.what()).c_str());
  } catch (const std::exception& e) {
    check(false, (std::string("an error of another type: ") + e.what()).c_str());
  }
}

std::vector<std::int32_t> some_integers(std::int64_t n) {
  std::vector<std::int32_t> x(static_cast<std::size_t>(n));
  std::uint32_t state = 1;
  for (std::int32_t& item : x) item = static_cast<std::int32_t>(state = state * 1664525 + 1013904223);
  return x;
}

struct results {
  std::vector<std::int32_t> sums, rows, sorted, small;
  std::vector<std::int64_t> sorted_values;
  std::int32_t largest;
  friend bool operator==(const results&, const results&) = default;
};
//! The same lines for a host and for a GPU.
template <class Executor>
results run(Executor& exec, const std::vector<std::int32_t>& in) {
  const upsweep::buffer<std::int32_t> x(exec, in);
  upsweep::buffer<std::int32_t> sums(exec, x.size()), rows(exec, x.size()), sorted(exec, x.size());
  std::vector<std::int64_t> positions(in.size());
  for (std::size_t i = 0; i < positions.size(); i++) positions[i] = static_cast<std::int64_t>(i);
  upsweep::buffer<std::int64_t> values(exec, positions);
  upsweep::inclusive_scan(exec, x, sums);
  upsweep::exclusive_scan(exec, x, rows, upsweep::minimum<std::int32_t>{}, 17, upsweep::reversed_rows(10));
  upsweep::radix_sort(exec, x, sorted, {.order = upsweep::sort_order::descending});
  const std::int32_t largest = upsweep::reduce(exec, x, upsweep::maximum<std::int32_t>{});
  upsweep::buffer<std::int32_t> keys(exec, in);
  upsweep::radix_sort_by_key(exec, keys, values, {.begin_bit = 4, .end_bit = 19});
  upsweep::buffer<std::int32_t> kept(exec, x.size());
  const auto kept_count = upsweep::copy_if(exec, x, kept, upsweep::less_than(std::int32_t{-1'000'000'000}));
  std::vector<std::int32_t> small = kept.to_vector(exec);
  small.resize(static_cast<std::size_t>(kept_count));
  return {.sums = sums.to_vector(exec),
          .rows = rows.to_vector(exec),
          .sorted = sorted.to_vector(exec),
          .small = small,
          .sorted_values = values.to_vector(exec),
          .largest = largest};
}

//! Memory that throws, and says so where the program called.
struct no_memory : upsweep::memory_resource {
  void* allocate(std::size_t, CUstream_st*) override { throw std::length_error("none of mine"); }
  void deallocate(void*, std::size_t, CUstream_st*) noexcept override {}
};

void check_errors_of_gpu() {
  upsweep::device exec;
  std::vector<float> on_host(100);
  upsweep::buffer<float> x(exec, on_host), y(exec, 50);
  check_throws<std::invalid_argument>("in is host memory, but the executor is device",
                                      [&] { upsweep::inclusive_scan(exec, on_host, x); });
  check_throws<std::invalid_argument>("out has 50 items, needs 100", [&] { upsweep::inclusive_scan(exec, x, y); });
  check_throws<std::invalid_argument>("rows: length is 0, must be positive", [&] {
    upsweep::inclusive_scan(exec, x, x, upsweep::plus<float>{}, upsweep::rows(0));
  });
  upsweep::host host;
  check_throws<std::invalid_argument>("in is device memory, but the executor is host",
                                      [&] { upsweep::inclusive_scan(host, x, on_host); });
  no_memory none;
  upsweep::device poor(&none);
  check_throws<std::length_error>("none of mine", [&] { upsweep::buffer<float> z(poor, 10); });
}
}  // namespace

int main() try {
  const std::vector<std::int32_t> in = some_integers(1'000'010);
  upsweep::any_executor any = upsweep::any_executor::named("auto");
  upsweep::host host;
  check(run(any, in) == run(host, in), "the results are not those of the host");
  if (upsweep::device::available()) {
    upsweep::device gpu, moved(std::move(gpu));
    check(run(moved, in) == run(host, in), "nor those of a device");
    check_errors_of_gpu();
    std::printf("on a GPU, sm_%d\n", moved.compute_capability());
  } else {
    std::string text;  // which says why
    try {
      upsweep::device exec;
    } catch (const upsweep::no_device& e) {
      text = e.what();
    }
    check(text.starts_with("device: no CUDA device was found: "), "no_device does not say so");
    check_throws<upsweep::no_device>(text, [] { upsweep::any_executor::named("cuda"); });
    check(any.is_host(), "auto is no host");
    std::printf("on the host: %s\n", text.c_str());
  }
  std::printf("plain: %s\n", wrong ? "WRONG" : "right");
  return wrong != 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "plain: %s\n", e.what());
  return 1;
}
