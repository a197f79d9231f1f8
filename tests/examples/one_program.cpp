// One program for GPU and CPU: a histogram and the running sum of it. Its argument is "host", "cuda" or "auto" (when it
// is left out), and it says which it took. "cuda" where there is none ends with an error in words.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/scan.hpp>

int main(int argc, char** argv) {
  try {
    auto exec = upsweep::any_executor::named(argc > 1 ? argv[1] : "auto");
    std::mt19937 random(8);
    std::vector<std::uint8_t> levels(1'000'000);
    for (auto& level : levels) level = static_cast<std::uint8_t>(random() % 100 + random() % 100);

    const upsweep::buffer<std::uint8_t> in(exec, levels);
    upsweep::buffer<upsweep::index_t> counts(exec, 256), sums(exec, 256);
    upsweep::histogram(exec, in, counts);
    upsweep::inclusive_scan(exec, counts, sums);

    std::vector<upsweep::index_t> expected(256);
    for (auto level : levels) expected[level]++;
    bool right = counts.to_vector(exec) == expected;
    for (int i = 1; i < 256; i++) expected[i] += expected[i - 1];
    right = right && sums.to_vector(exec) == expected;
    std::printf("backend %s: half of them are %s 99: %s\n", exec.name(), expected[99] > 500'000 ? "up to" : "above",
                right ? "right" : "wrong");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
