#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/reduce.hpp>

#include "support.hpp"

using upsweep::any_executor;

namespace {
// An environment variable for the time of a test.
class environment {
 public:
  environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before, was_set_ = true;
    set(value);
  }
  ~environment() { set(was_set_ ? before_.c_str() : nullptr); }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

 private:
  void set(const char* value) { value ? setenv(name_, value, 1) : unsetenv(name_); }
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};
}  // namespace

TEST_CASE("a host has the threads that it was given, or those of OpenMP") {
  CHECK(upsweep::host(3).threads() == 3);
  CHECK(upsweep::host(1).threads() == 1);
  CHECK(upsweep::host().threads() >= 1);
  CHECK(test::contains(test::message_of<std::invalid_argument>([] { upsweep::host(-1); }), "threads is -1"));
}

TEST_CASE("executors move, and are not copied") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<upsweep::host>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<any_executor>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<upsweep::host>);
  upsweep::host one(5);
  const upsweep::host two(std::move(one));
  CHECK(two.threads() == 5);
}

TEST_CASE("a host's scratch memory is reused, grows, and moves with it") {
  upsweep::host one(2);
  std::byte* first = one.scratch(100);
  REQUIRE(first != nullptr);
  CHECK(one.scratch(8) == first);
  std::byte* larger = one.scratch(100'000);
  std::memset(larger, 1, 100'000);
  any_executor two(std::move(one));
  CHECK(two.scratch(50'000) == larger);
}

TEST_CASE("an executor is chosen by name") {
  CHECK(any_executor::named("host").is_host());
  CHECK(std::string(any_executor::named("host").name()) == "host");
  CHECK(any_executor::named("auto").is_host() == !test::has_device());
  for (const char* wrong : {"", "gpu", "Host", "cuda "}) {
    const std::string text = test::message_of<std::invalid_argument>([&] { any_executor::named(wrong); });
    CHECK(test::contains(text, std::string("backend is \"").append(wrong).append("\"")));
    CHECK(test::contains(text, "auto, host or cuda"));
  }
}

TEST_CASE("asking for a GPU where there is none says what was looked for") {
  if (test::has_device()) {
    CHECK(std::string(any_executor::named("cuda").name()) == "cuda");
  } else {
    const std::string text = test::message_of<upsweep::no_device>([] { any_executor::named("cuda"); });
    CHECK_FALSE(test::starts_with(text, "("));
    CHECK((test::contains(text, "CUDA") || test::contains(text, "device")));
#if UPSWEEP_HAS_CUDA
    CHECK_FALSE(test::starts_with(test::message_of<upsweep::no_device>([] { upsweep::device(); }), "("));
#endif
  }
}

TEST_CASE("UPSWEEP_BACKEND names the executor") {
  {
    const environment backend("UPSWEEP_BACKEND", "host");
    CHECK(any_executor::from_environment().is_host());
  }
  for (const char* same : {"auto", "", static_cast<const char*>(nullptr)}) {
    const environment backend("UPSWEEP_BACKEND", same);
    CHECK(any_executor::from_environment().is_host() == !test::has_device());
  }
  {
    const environment backend("UPSWEEP_BACKEND", "opencl");
    CHECK(test::contains(test::message_of<std::invalid_argument>([] { any_executor::from_environment(); }),
                         "\"opencl\""));
  }
  {
    const environment backend("UPSWEEP_BACKEND", "cuda");
    if (test::has_device()) {
      CHECK_FALSE(any_executor::from_environment().is_host());
    } else {
      CHECK_THROWS_AS(any_executor::from_environment(), upsweep::no_device);
    }
  }
}

TEST_CASE("calls take an executor chosen at run time as they take the others") {
  const std::vector<int> items = {5, -2, 9, 1};
  for (const char* backend : {"host", "auto"}) {
    any_executor executor = any_executor::named(backend);
    const upsweep::buffer<int> in(executor, items);
    upsweep::buffer<int> largest(executor, 1);
    CHECK(upsweep::reduce(executor, in, upsweep::maximum<int>{}) == 9);
    upsweep::reduce(executor, in, upsweep::maximum<int>{}, largest.data());
    executor.synchronize();
    CHECK(largest.to_vector(executor) == std::vector{9});

    const std::span<const int> null(static_cast<const int*>(nullptr), 3);
    CHECK(test::starts_with(
        test::message_of<std::invalid_argument>([&] { upsweep::reduce(executor, null, upsweep::maximum<int>{}); }),
        "in is a null pointer"));
  }
}

TEST_CASE("an executor made at run time keeps its number of threads") {
  any_executor executor(upsweep::host(7));
  const int threads = executor.visit([](auto& chosen) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(chosen)>, upsweep::host>) {
      return chosen.threads();
    } else {
      return 0;
    }
  });
  CHECK(threads == 7);
}
