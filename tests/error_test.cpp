#include <stdexcept>
#include <string>
#include <type_traits>

#include <upsweep/error.hpp>

#include "support.hpp"

TEST_CASE("a CUDA error tells its name, what it means, the call and where it stands") {
  const upsweep::cuda_error error(2, "cudaErrorMemoryAllocation", "out of memory", "cudaMalloc(&p, bytes)",
                                  "engine.hpp", 42);
  const std::string text = error.what();
  CHECK(error.code() == 2);
  CHECK(std::string(error.name()) == "cudaErrorMemoryAllocation");
  for (const char* part : {"cudaErrorMemoryAllocation", "out of memory", "cudaMalloc(&p, bytes)", "engine.hpp:42"})
    CHECK(test::contains(text, part));
}

TEST_CASE("the library's exceptions are standard ones") {
  STATIC_REQUIRE(std::is_base_of_v<std::runtime_error, upsweep::cuda_error>);
  STATIC_REQUIRE(std::is_base_of_v<std::runtime_error, upsweep::no_device>);
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<upsweep::no_device>);
  STATIC_REQUIRE_FALSE(std::is_base_of_v<upsweep::cuda_error, upsweep::no_device>);
  CHECK(test::message_of<std::runtime_error>([] { throw upsweep::no_device("looked for a GPU"); }) ==
        "looked for a GPU");
}
