#include <cstdint>
#include <type_traits>

#include <upsweep/config.hpp>

#include "catch.hpp"

// The header is included alone, in front of everything else of the library.
namespace {
struct twice {
  UPSWEEP_HD int operator()(int x) const { return 2 * x; }
};
}  // namespace

TEST_CASE("indices are signed and have 64 bits") {
  STATIC_REQUIRE(std::is_same_v<upsweep::index_t, std::int64_t>);
  STATIC_REQUIRE(upsweep::index_t{1} << 32 > 0);
}

TEST_CASE("the macros say what compiles this file") {
#ifdef __CUDACC__
  CHECK(UPSWEEP_HAS_CUDA == 1);
#else
  CHECK(UPSWEEP_HAS_CUDA == 0);
#endif
  CHECK(UPSWEEP_VERSION_MAJOR * 10000 + UPSWEEP_VERSION_MINOR * 100 + UPSWEEP_VERSION_PATCH > 0);
  CHECK(twice{}(21) == 42);
}
