// Filters of the GPU alone: captured in graphs, through many tiles, and along 2^28 samples.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/filtfilt.hpp>
#include <upsweep/iir.hpp>

#include "cuda_support.hpp"
#include "filter_support.hpp"
#include "support.hpp"

using test::filter;
using test::guarded;
using upsweep::buffer;
using upsweep::index_t;

namespace {
struct hash_noise {
  UPSWEEP_HD float operator()(index_t i) const {
    auto z = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<float>(static_cast<std::int32_t>(z >> 40) - (1 << 23)) * 0x1p-23f;
  }
};
}  // namespace

TEST_CASE("a captured sosfilt with its state, replayed, equals as many calls") {
  if (test::without_device()) return;
  for (const int sections : {1, 4, 9})
    for (const index_t n : {1000, 100'003, 4'000'037}) {
      const filter f = test::random_cascade(sections);
      INFO(f.name() << ", n = " << n);
      const test::stream stream;
      upsweep::device executor(stream), other;
      executor.reserve(32 << 20);
      executor.reserve_scratch(oracle::at(n) * sizeof(double));
      const auto start = test::some_state(f.entries());
      guarded<float> from(executor, n), to(executor, n), direct_from(other, n), direct(other, n);
      guarded<double> state(executor, start), direct_state(other, start);
      test::graph captured(stream);
      f(executor, std::span<const float>(from.range()), to.range(), state.range());
      captured.finish();
      CHECK(to.untouched_from(executor));  // captured, not run
      test::check_same_bits(state.items(executor), start);
      for (std::uint64_t replay = 0; replay < 3; replay++) {
        const auto in = test::noise<float>(n, replay);
        executor.copy(from.data(), in.data(), in.size() * sizeof(float));
        other.copy(direct_from.data(), in.data(), in.size() * sizeof(float));
        captured.replay();
        f(other, std::span<const float>(direct_from.range()), direct.range(), direct_state.range());
        executor.synchronize();
        test::check_same_bits(to.items(executor), direct.items(other));
        test::check_same_bits(state.items(executor), direct_state.items(other));
      }
    }
}

namespace {
//! Through the pipeline of a device, wherever memory begins, from a state, both ways.
template <class In, class Out>
void check_many_tiles(const filter& f, index_t n) {
  INFO(f.name() << ", " << sizeof(In) << " bytes in, " << sizeof(Out) << " bytes out, n = " << n);
  std::vector<double> numbers = test::noise<double>(n);
  if (std::is_integral_v<In>)
    for (double& x : numbers) x = std::round(3e4 * x);
  const std::vector<In> in(numbers.begin(), numbers.end());
  const auto start = test::some_state(f.entries());
  upsweep::device device;
  test::serial_filter serial(f, start);
  const auto expected = serial(numbers);
  for (const index_t shift : {0, 1, 3}) {
    const auto whole = test::run_filter<Out>(device, f, in, start, {}, shift);
    test::check_near(whole.y, expected, 1e-12L);
    test::check_near(whole.state, serial.state(), 1e-12L);
  }
  const oracle::serial_filter<> filter_of_oracle{std::span<const upsweep::section>(f.sections)};
  const auto both_ways = oracle::forth_and_back<double>(filter_of_oracle, oracle::padding_of(f.sections), numbers);
  guarded<In> from(device, in, 1);
  guarded<Out> to(device, n, 2);
  upsweep::sosfiltfilt(device, f.sections, from.range(), to.range());
  test::check_near(to.items(device), both_ways, 1e-11L);
}
}  // namespace

TEST_CASE("cascades through many tiles equal a serial filter") {
  if (test::without_device()) return;
  for (const int sections : {1, 2, 4, 7}) {
    const filter f = test::random_cascade(sections);
    check_many_tiles<float, float>(f, 3'000'017);
    check_many_tiles<double, double>(f, 1'234'567);
    check_many_tiles<std::int16_t, float>(f, 3'000'017);
  }
}

TEST_CASE("2^28 samples on the device equal a serial filter's, from the first to the last") {
  if (test::without_device()) return;
  if (test::without_memory_of(3)) return;
  constexpr index_t n = (index_t{1} << 28) + 12'345, chunk = index_t{1} << 22;
  const auto sections = upsweep::butterworth_lowpass(2, 1e-3, 1.);
  upsweep::device executor;
  buffer<float> in(executor, n), out(executor, n), in_pieces(executor, n);
  buffer<double> state(executor, std::vector<double>(2));
  test::fill(executor.stream(), in.data(), n, hash_noise{});
  upsweep::sosfilt(executor, sections, in, out, state);

  const filter f{sections, {}, {}};
  REQUIRE(sections.size() == 1);
  const double error = test::error_of(f, 1);
  test::serial_filter serial(f);
  std::vector<float> x(oracle::at(chunk)), from_device(oracle::at(chunk));
  for (index_t first = 0; first < n; first += chunk) {
    INFO("from sample " << first << " on");
    const std::size_t count = oracle::at(std::min(chunk, n - first));
    x.resize(count);
    from_device.resize(count);
    for (std::size_t k = 0; k < count; k++) x[k] = hash_noise{}(first + static_cast<index_t>(k));
    executor.copy(from_device.data(), out.data() + first, count * sizeof(float));
    test::check_within(from_device, serial(x), error);
  }
  // An entry of the state is what outputs to come are short of, but for a product with the output before.
  const auto behind = state.to_vector(executor);
  test::check_within(behind, serial.state(), (1 + std::abs(sections[0].a1)) * error);

  // In a few pieces of whole blocks: the same bits.
  state.copy_from(executor, std::vector<double>(2));
  constexpr index_t piece = 60 * upsweep::filter_block<float>;
  for (index_t first = 0; first < n; first += piece) {
    const std::size_t count = oracle::at(std::min(piece, n - first));
    upsweep::sosfilt(executor, sections, std::span<const float>(in.data() + first, count),
                     std::span(in_pieces.data() + first, count), state);
  }
  test::check_on_device(executor, in_pieces.data(), n, test::items_of<float>{out.data()});
  test::check_same_bits(state.to_vector(executor), behind);
}
