// A scan and a compaction in somebody else's project, compiled by a plain C++ compiler.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <upsweep/compaction.hpp>
#include <upsweep/config.hpp>
#include <upsweep/scan.hpp>

int main() {
  constexpr std::int64_t n = 1'000'003;
  std::vector<std::int64_t> in(n), sums(n), odd(n);
  for (std::int64_t i = 0; i < n; ++i) in[i] = i;

  upsweep::host exec;
  upsweep::inclusive_scan(exec, in, sums);
  const std::int64_t kept = upsweep::copy_if(exec, in, odd, [](std::int64_t x) { return x % 2 != 0; });

  std::int64_t wrong = kept != n / 2;
  for (std::int64_t i = 0; i < n; ++i) wrong += sums[i] != i * (i + 1) / 2;
  for (std::int64_t i = 0; i < kept; ++i) wrong += odd[i] != 2 * i + 1;
#ifdef _OPENMP
  const char* threads = "OpenMP";
#else
  const char* threads = "one thread";
#endif
  std::printf("upsweep %d.%d.%d, %s: %s\n", UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR, UPSWEEP_VERSION_PATCH,
              threads, wrong == 0 ? "right" : "WRONG");
  return wrong != 0;
}
