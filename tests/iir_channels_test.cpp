// sosfilt and lfilter of many channels in planes: each alone, in pieces, and on a GPU by tiles of all channels in one
// launch or by a warp each.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <upsweep/iir.hpp>

#include "filter_support.hpp"
#include "support.hpp"

using test::check_near;
using test::check_same_bits;
using test::filter;
using test::guarded;
using test::run_filter;
using test::serial_filter;
using upsweep::filter_block;
using upsweep::index_t;

TEST_CASE("channels in planes: each is filtered alone, and what lies between them stays") {
  const auto check = [](auto& executor, const filter& f, index_t channels, index_t length, index_t pitch,
                        bool in_place) {
    INFO(f.name() << ", " << channels << " channels of " << length << ", pitch " << pitch);
    const index_t extent = (channels - 1) * pitch + length;
    const auto in = test::noise<float>(extent + 9);
    guarded<float> from(executor, in, 1), to(executor, extent + 9, 2);
    std::vector<double> state(oracle::at(f.entries() * channels));
    std::vector<std::vector<double>> starts;
    for (index_t c = 0; c < channels; c++) {
      starts.push_back(test::some_state(f.entries()));
      for (index_t k = 0; k < f.entries(); k++) {
        starts.back()[oracle::at(k)] *= static_cast<double>(c + 1);
        state[f.place(k, c, channels)] = starts.back()[oracle::at(k)];
      }
    }
    guarded<double> kept(executor, state);
    guarded<float>& written = in_place ? from : to;
    const std::vector<float> before = written.items(executor);
    f(executor, std::span<const float>(from.range()), written.range(), kept.range(),
      upsweep::planar{channels, length, pitch});
    const std::vector<float> after = written.items(executor);
    const std::vector<double> states = kept.items(executor);
    for (index_t c = 0; c < channels; c++) {
      INFO("channel " << c);
      serial_filter serial(f, starts[oracle::at(c)]);
      const auto expected = serial(test::part_of(in, c * pitch, length));
      check_near(test::part_of(after, c * pitch, length), expected, 1e-13L);
      std::vector<double> own;
      for (index_t k = 0; k < f.entries(); k++) own.push_back(states[f.place(k, c, channels)]);
      check_near(own, serial.state(), 1e-13L);
      const index_t gap = c + 1 < channels ? pitch - length : 9;
      const auto between = [&](const auto& all) { return test::part_of(all, c * pitch + length, gap); };
      check_same_bits(between(after), between(before));
    }
  };
  for (const filter& f : {test::random_cascade(1), test::random_cascade(3), test::random_cascade(9),
                          test::random_polynomials(4), test::random_polynomials(10)})
    test::on_executors([&](auto& executor) {
      check(executor, f, 1, 5000, 5000, false);
      check(executor, f, 2, 1000, 1003, true);
      check(executor, f, 7, 129, 130, false);
      check(executor, f, 40, 300, 300, true);
      check(executor, f, 3, 10'000, 10'001, false);
      check(executor, f, 64, 1, 1, true);
      check(executor, f, 67, 37, 40, false);
      check(executor, f, 66, 1152, 1155, true);
      check(executor, f, 65, 2500, 2500, false);
      check(executor, f, 800, 37, 40, true);  // a GPU filters so many by a warp each
    });
}

TEST_CASE("channels of many tiles each, and many channels of many warps' shares, on a GPU") {
  test::on_device([](auto& executor) {
    for (const filter& f : {test::random_cascade(1), test::random_cascade(3), test::random_cascade(8)}) {
      for (const auto& shape : {std::pair<index_t, index_t>{3, 350'003}, {20, 40'961}, {780, 3001}}) {
        const index_t channels = shape.first, length = shape.second;
        INFO(f.name() << ", " << channels << " channels of " << length);
        const auto in = test::noise<float>(channels * length);
        const auto start = test::some_state(f.entries() * channels);
        const auto y = run_filter<float>(executor, f, in, start, upsweep::planar{channels});
        for (index_t c = 0; c < channels; c += channels < 100 ? 1 : 97) {
          INFO("channel " << c);
          const auto own = [&](const auto& all) { return test::part_of(all, c * length, length); };
          std::vector<double> own_start, own_state;
          for (index_t k = 0; k < f.entries(); k++) {
            own_start.push_back(start[f.place(k, c, channels)]);
            own_state.push_back(y.state[f.place(k, c, channels)]);
          }
          serial_filter serial(f, own_start);
          check_near(own(y.y), serial(own(in)), 1e-13L);
          check_near(own_state, serial.state(), 1e-13L);
          if (channels == 780) continue;  // few channels get the bits of as many calls
          const auto alone = run_filter<float>(executor, f, own(in), own_start);
          check_same_bits(own(y.y), alone.y);
          check_same_bits(own_state, alone.state);
        }
      }
    }
  });
}

TEST_CASE("pieces of many channels, of whole blocks, give the bits of the whole") {
  const auto check = [](auto& executor, auto sample, const filter& f, index_t length, index_t piece, index_t channels) {
    using T = decltype(sample);
    INFO(f.name() << ", " << channels << " channels of " << length << " in pieces of " << piece);
    const auto in = test::noise<T>(channels * length);
    const auto start = test::some_state(f.entries() * channels);
    const auto whole = run_filter<T>(executor, f, in, start, upsweep::planar{channels});
    guarded<T> from(executor, in);
    guarded<double> state(executor, start);
    for (index_t first = 0; first < length; first += piece) {
      const auto size = oracle::at(channels * length - first);
      const std::span<T> rest(from.data() + first, size);
      f(executor, std::span<const T>(rest), rest, state.range(),
        upsweep::planar{channels, std::min(piece, length - first), length});
    }
    check_same_bits(from.items(executor), whole.y);
    check_same_bits(state.items(executor), whole.state);
  };
  for (const filter& f : {test::random_cascade(1), test::random_cascade(9), test::random_polynomials(8)}) {
    test::on_host(3, [&](auto& host) {
      check(host, float{}, f, 1000, 128, 65);
      check(host, double{}, f, 128 * 11, 384, 65);
    });
    test::on_device([&](auto& on_device) {
      check(on_device, float{}, f, filter_block<float> + 1000, filter_block<float>, 5);
      check(on_device, double{}, f, 2 * filter_block<double>, filter_block<double>, 7);
      // A channel that is long enough goes alone: the whole does, its pieces do not.
      check(on_device, float{}, f, 2 * filter_block<float>, filter_block<float>, 2);
      // Many channels are joined by warps' shares, of which a block has so many and more.
      check(on_device, float{}, f, 25'000, 32 * 360, 800);
      check(on_device, double{}, f, 5000, 32 * 72, 800);
    });
  }
}

TEST_CASE("planar gives length and pitch from the range and from one another") {
  upsweep::host executor;
  const filter f = test::random_cascade(1);
  const auto in = test::noise<float>(60);
  const auto run = [&](const upsweep::planar& layout, index_t out_size) {
    std::vector<float> out(oracle::at(out_size), 99.f);
    upsweep::sosfilt(executor, f.sections, in, out, upsweep::no_state, layout);
    return out;
  };
  const auto thirds = run({.channels = 3, .length = 20, .pitch = 20}, 60);
  check_same_bits(run({.channels = 3}, 60), thirds);
  check_same_bits(run({.channels = 3, .length = 20}, 60), thirds);
  check_same_bits(run({.channels = 3, .pitch = 20}, 60), thirds);
  const auto first = run({.length = 20}, 60);
  for (std::size_t i = 0; i < 60; i++) CHECK(first[i] == (i < 20 ? thirds[i] : 99.f));
  // Nothing is filtered and nothing changed.
  std::vector<float> none;
  std::vector<double> state{1, 2};
  upsweep::sosfilt(executor, f.sections, none, none, state);
  CHECK(state == std::vector<double>{1, 2});
}
