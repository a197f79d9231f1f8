// A filter of its own for each channel: against the serial oracle, and the bits of as many calls; errors.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <upsweep/filter_design.hpp>
#include <upsweep/iir.hpp>

#include "filter_support.hpp"
#include "support.hpp"
#include "vector_widths.hpp"

using test::check_near;
using test::check_same_bits;
using test::filter;
using test::guarded;
using test::serial_filter;
using upsweep::index_t;
using upsweep::section;

namespace {
//! Filters of as many sections, no two alike.
std::vector<filter> some_bank(index_t channels, int sections) {
  test::generator random(static_cast<std::uint64_t>(100 * channels + sections));
  std::vector<filter> bank(oracle::at(channels));
  for (filter& f : bank)
    for (int s = 0; s < sections; s++) f.sections.push_back(test::random_section(random, 0.97, s % 3 == 1));
  return bank;
}

//! `same_bits`: as as many calls give. (Not where a host filters many channels side by side, or a GPU computes powers
//! for each.)
template <class T, class Executor, class Layout>
void check_bank(Executor& executor, int sections, index_t length, const Layout& layout, bool same_bits = true) {
  constexpr bool is_interleaved = std::is_same_v<Layout, upsweep::interleaved>;
  const index_t channels = layout.channels;
  INFO(channels << (is_interleaved ? " interleaved" : "") << " channels of " << length << ", " << sections
                << " sections");
  const std::vector<filter> bank = some_bank(channels, sections);
  std::vector<section> rows;
  for (const filter& f : bank) rows.insert(rows.end(), f.sections.begin(), f.sections.end());
  const auto in = test::noise<T>(channels * length);
  const auto start = test::some_state(2 * sections * channels);
  guarded<T> from(executor, in, 1), to(executor, channels * length, 2);
  guarded<double> kept(executor, start);
  upsweep::sosfilt(executor, upsweep::per_channel(rows), std::span<const T>(from.range()), to.range(), kept.range(),
                   layout);
  const auto y = to.items(executor);
  const auto state = kept.items(executor);
  check_same_bits(from.items(executor), in);
  for (index_t c = 0; c < channels; c++) {
    INFO("channel " << c);
    const filter& f = bank[oracle::at(c)];
    const auto channel_of = [&](const std::vector<T>& all) {
      std::vector<T> own;
      for (index_t t = 0; t < length; t++)
        own.push_back(all[oracle::at(is_interleaved ? t * channels + c : c * length + t)]);
      return own;
    };
    const auto state_of = [&](const std::vector<double>& all) {
      std::vector<double> own;
      for (index_t k = 0; k < f.entries(); k++) own.push_back(all[f.place(k, c, channels)]);
      return own;
    };
    const auto alone = test::run_filter<T>(executor, f, channel_of(in), state_of(start));
    if (same_bits) {
      check_same_bits(channel_of(y), alone.y);
      check_same_bits(state_of(state), alone.state);
    }
    serial_filter serial(f, state_of(start));
    check_near(channel_of(y), serial(channel_of(in)), 1e-13L);
    check_near(state_of(state), serial.state(), 1e-13L);
  }
}
}  // namespace

TEST_CASE("a filter of its own for each channel gives the bits of as many calls") {
  test::on_executors([](auto& executor) {
    for (const int sections : {1, 3, 9}) {
      check_bank<float>(executor, sections, 1, upsweep::planar{5});
      check_bank<float>(executor, sections, 4099, upsweep::planar{3});
      constexpr bool on_host = std::is_same_v<std::remove_cvref_t<decltype(executor)>, upsweep::host>;
      check_bank<float>(executor, sections, 200, upsweep::planar{70}, false);
      check_bank<float>(executor, sections, 100, upsweep::interleaved{70}, on_host);
      check_bank<double>(executor, sections, 30'011, upsweep::planar{2});
      check_bank<float>(executor, sections, 2050, upsweep::interleaved{3});
    }
  });
}

TEST_CASE("many channels with filters of their own, some of very low frequencies, on a GPU") {
  test::on_device([](auto& executor) {
    for (const int sections : {1, 2, 4, 8}) {
      check_bank<float>(executor, sections, 3500, upsweep::planar{66}, false);
      check_bank<double>(executor, sections, 2100, upsweep::planar{65}, false);
      const index_t channels = 64, length = 20'000;
      const auto in = test::noise<float>(channels * length);
      std::vector<section> rows;
      std::vector<filter> bank;
      for (index_t c = 0; c < channels; c++) {
        bank.push_back(
            {upsweep::butterworth_lowpass(2 * sections, 0.4 * std::pow(0.9, static_cast<double>(c)), 1.), {}, {}});
        rows.insert(rows.end(), bank.back().sections.begin(), bank.back().sections.end());
      }
      guarded<float> from(executor, in), to(executor, channels * length);
      upsweep::sosfilt(executor, upsweep::per_channel(rows), std::span<const float>(from.range()), to.range(),
                       upsweep::no_state, upsweep::planar{channels});
      const auto y = to.items(executor);
      for (index_t c = 0; c < channels; c++) {
        INFO("channel " << c << " of " << sections << " sections");
        const auto own = [&](const auto& all) { return test::part_of(all, c * length, length); };
        const auto expected = serial_filter(bank[oracle::at(c)])(own(in));
        check_near(own(y), expected, 1e-9L);
      }
    }
  });
}

TEST_CASE("many channels with filters of their own: int16, in place, in pieces of whole blocks") {
  const index_t channels = 66, length = 32 * 360 + 500, piece = 32 * 360;  // whole shares of a GPU's warp
  for (const int sections : {1, 3}) {
    INFO(sections << " sections");
    std::vector<section> rows;
    const std::vector<filter> bank = some_bank(channels, sections);
    for (const filter& f : bank) rows.insert(rows.end(), f.sections.begin(), f.sections.end());
    const upsweep::per_channel filters(rows);
    constexpr double loudest = 2000;
    const auto in = test::generate(channels * length, [](test::generator& random) {
      return static_cast<std::int16_t>(2 * loudest * random.unit() - loudest);
    });
    const std::vector<float> same(in.begin(), in.end());
    const auto start = test::some_state(2 * sections * channels);
    const auto own = [&](const auto& all, index_t c) { return test::part_of(all, c * length, length); };
    std::vector<oracle::reals> right;
    std::vector<double> errors;
    for (index_t c = 0; c < channels; c++) {
      const filter& f = bank[oracle::at(c)];
      std::vector<double> before;
      for (index_t k = 0; k < f.entries(); k++) before.push_back(start[f.place(k, c, channels)]);
      right.push_back(serial_filter(f, before)(own(in, c)));
      errors.push_back(test::error_of(f, loudest, 1));
    }
    test::on_executors([&](auto& executor) {
      guarded<std::int16_t> integers(executor, in, 1), turned(executor, channels * length);
      guarded<float> floats(executor, channels * length, 3), both(executor, same, 2);
      guarded<double> state(executor, start), of_integers(executor, start), of_pieces(executor, start);
      const upsweep::planar planes{channels, length, length};
      const std::span<const std::int16_t> source(integers.range());
      upsweep::sosfilt(executor, filters, source, floats.range(), state.range(), planes);
      upsweep::sosfilt(executor, filters, source, turned.range(), of_integers.range(), planes);
      const auto y = floats.items(executor);
      const auto rounded = turned.items(executor);
      check_same_bits(of_integers.items(executor), state.items(executor));
      // Floats in place, in pieces.
      for (index_t first = 0; first < length; first += piece) {
        const std::span<float> rest(both.data() + first, oracle::at(channels * length - first));
        upsweep::sosfilt(executor, filters, std::span<const float>(rest), rest, of_pieces.range(),
                         upsweep::planar{channels, std::min(piece, length - first), length});
      }
      const auto pieces = both.items(executor);
      for (index_t c = 0; c < channels; c++) {
        INFO("channel " << c);
        test::check_within(own(y, c), right[oracle::at(c)], errors[oracle::at(c)]);
        test::check_within(own(rounded, c), right[oracle::at(c)], errors[oracle::at(c)]);
        test::check_within(own(pieces, c), right[oracle::at(c)], errors[oracle::at(c)]);
      }
      guarded<float> whole(executor, same);
      guarded<double> of_whole(executor, start);
      upsweep::sosfilt(executor, filters, std::span<const float>(whole.range()), whole.range(), of_whole.range(),
                       planes);
      check_same_bits(pieces, whole.items(executor));
      check_same_bits(of_pieces.items(executor), of_whole.items(executor));
    });
  }
}

TEST_CASE("channels side by side on a host give what each gives with other neighbours, threads and vectors") {
  const index_t most = 35, length = 3 * 128 + 77, first_piece = 256;
  for (const int sections : {1, 2, 4, 7, 11}) {
    const std::vector<filter> bank = some_bank(most, sections);
    std::vector<section> rows;
    for (const filter& f : bank) rows.insert(rows.end(), f.sections.begin(), f.sections.end());
    const auto in = test::noise<double>(most * length);
    // The channels from number `first` on.
    const auto filtered = [&](index_t first, index_t channels, int threads, bool in_pieces) {
      upsweep::host executor(threads);
      std::vector<double> out(oracle::at(channels * length)), state(oracle::at(2 * sections * channels));
      const auto own = test::part_of(rows, first * sections, channels * sections);
      const upsweep::per_channel filters(own);
      const auto piece = [&](index_t from, index_t count) {
        upsweep::sosfilt(executor, filters, std::span(in).subspan(oracle::at(first * length + from)),
                         std::span(out).subspan(oracle::at(from)), state, upsweep::planar{channels, count, length});
      };
      if (in_pieces) piece(0, first_piece), piece(first_piece, length - first_piece);
      else piece(0, length);
      return out;
    };
    const auto all = filtered(0, most, 1, false);
    for (index_t c = 0; c < most; c++) {
      INFO("channel " << c << " of " << sections << " sections");
      check_near(test::part_of(all, c * length, length),
                 serial_filter(bank[oracle::at(c)])(test::part_of(in, c * length, length)), 1e-13L);
    }
    test::with_any_vectors([&] {
      check_same_bits(filtered(0, most, 1, true), all);
      check_same_bits(filtered(0, most, 3, false), all);
      for (const index_t first : {1, 3, 8, 19})
        check_same_bits(filtered(first, most - first, 2, false),
                        test::part_of(all, first * length, (most - first) * length));
    });
  }
}

TEST_CASE("short signals of many channels by one filter give the bits of each alone") {
  const index_t most = 100;
  for (const int sections : {1, 3, 8})
    for (const index_t length : {1, 50, 127}) {
      const filter f = test::random_cascade(sections);
      const auto in = test::noise<float>(most * length);
      upsweep::host executor(3);
      std::vector<float> all(in.size()), alone(in.size());
      for (const index_t channels : {2, 3, 8, 9, 21, 100}) {
        INFO(channels << " channels of " << length << ", " << sections << " sections");
        upsweep::sosfilt(executor, f.sections, in, all, upsweep::no_state, upsweep::planar{channels, length});
        for (index_t c = 0; c < channels; c++) {
          const auto own = [&](auto& of_all) {
            return std::span(of_all).subspan(oracle::at(c * length), oracle::at(length));
          };
          upsweep::sosfilt(executor, f.sections, own(in), own(alone));
        }
        check_same_bits(test::part_of(all, 0, channels * length), test::part_of(alone, 0, channels * length));
      }
    }
}

TEST_CASE("a filter gives the same bits whichever filters have come between") {
  upsweep::host executor(1);
  const auto in = test::noise<float>(15 * 300);
  std::vector<std::vector<float>> first;
  for (const bool again : {false, true})
    for (index_t k = 0; k < 20; k++) {
      const filter f = some_bank(20, 2)[oracle::at(k)];
      std::vector<float> out(300);
      upsweep::sosfilt(executor, f.sections, std::span(in).first(300), out);
      if (again) check_same_bits(out, first[oracle::at(k)]);
      else first.push_back(out);
    }
  // The most whose powers one call takes.
  check_bank<float>(executor, 2, 300, upsweep::planar{15});
}

TEST_CASE("one channel's own filter is the filter") {
  upsweep::host executor;
  const filter f = test::random_cascade(2);
  const auto in = test::noise<float>(1000);
  std::vector<float> own(in.size()), same(in.size());
  upsweep::sosfilt(executor, upsweep::per_channel(f.sections), in, own);
  upsweep::sosfilt(executor, f.sections, in, same);
  check_same_bits(own, same);
  // Rows of six numbers are sections, too.
  std::vector<double> rows;
  for (const section& s : f.sections) rows.insert(rows.end(), {s.b0, s.b1, s.b2, s.a0, s.a1, s.a2});
  upsweep::sosfilt(executor, upsweep::per_channel(rows), in, same);
  check_same_bits(own, same);
}

TEST_CASE("filters that cannot be shared out among the channels are refused by name") {
  upsweep::host executor;
  const auto in = test::noise<float>(60);
  std::vector<float> out(60, -7);
  std::vector<double> state(12, -7);
  const auto refuses = [&](const std::string& part, std::size_t sections, index_t channels, std::size_t entries) {
    const std::vector<section> rows(sections);
    test::check_refused(
        [&] {
          upsweep::sosfilt(executor, upsweep::per_channel(rows), in, out, std::span(state).first(entries),
                           upsweep::planar{.channels = channels});
        },
        part, "");
    CHECK(out == std::vector<float>(60, -7));
    CHECK(state == std::vector<double>(12, -7));
  };
  refuses("sections are 4, which is no multiple of the 3 channels", 4, 3, 6);
  refuses("sections are 1, which is no multiple of the 2 channels", 1, 2, 4);
  refuses("sections is empty", 0, 2, 0);
  refuses("channels is 0, must be at least 1", 2, 0, 2);
  refuses("state has 6 entries, needs 12: 4 for each of 3 channels", 6, 3, 6);
}
