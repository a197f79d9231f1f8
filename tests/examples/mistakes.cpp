// Mistakes that show at run time. Each is refused before anything is written, with a std::invalid_argument (a GPU that
// is not there: upsweep::no_device) whose text names the argument and says what is wrong with it.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <upsweep/clahe.hpp>
#include <upsweep/compaction.hpp>
#include <upsweep/equalize.hpp>
#include <upsweep/filter_design.hpp>
#include <upsweep/histogram.hpp>
#include <upsweep/iir.hpp>
#include <upsweep/partition.hpp>
#include <upsweep/radix_sort.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/spmv.hpp>

int failures = 0;

//! Does `call` throw an Error whose text has `named`, the argument, and `reason` in it?
template <class Error = std::invalid_argument>
void refused(const std::string& mistake, const std::string& named, const std::string& reason,
             const std::function<void()>& call) {
  std::string text = "nothing";
  try {
    call();
  } catch (const Error& error) {
    text = error.what();
    if (text.find(named) != std::string::npos && text.find(reason) != std::string::npos) return;
  } catch (const std::exception& error) {
    text = std::string("an exception of another type, ") + error.what();
  }
  std::printf("%s: should name %s and say %s; it says: %s\n", mistake.c_str(), named.c_str(), reason.c_str(),
              text.c_str());
  failures++;
}

int main() {
  using upsweep::index_t;
  upsweep::host exec;
  const std::vector<int> in{3, 1, 4, 1, 5}, offsets{0, 1, 2}, columns{0, 1};
  const std::vector<float> samples(960), ones{1, 1};
  std::vector<int> out(5), small(2), both(6), keys{3, 1, 2};
  std::vector<float> filtered(960), x(2), y(2);
  std::vector<index_t> counts(256);
  std::vector<std::uint8_t> picture(64 * 48);
  const auto lowpass = upsweep::butterworth_lowpass(4, 1000, 48000);
  const auto positive = [](int item) { return item > 0; };
  const auto all = [](const auto&) { return true; };

  // Sizes of outputs and of what belongs together
  refused("an output that is too small", "out", "needs 5", [&] { upsweep::inclusive_scan(exec, in, small); });
  refused("room for what is kept alone", "out", "needs 5", [&] { upsweep::copy_if(exec, in, small, positive); });
  refused("an output that is reserved only", "out", "needs 5", [&] {
    std::vector<int> reserved;
    reserved.reserve(5);
    upsweep::inclusive_scan(exec, in, reserved);
  });
  refused("fewer values than keys", "values", "2", [&] { upsweep::radix_sort_by_key(exec, keys, small); });
  refused("fewer flags than items", "flags", "2", [&] { upsweep::copy_flagged(exec, in, small, out); });
  refused("fewer heads than items", "heads", "needs 5",
          [&] { upsweep::inclusive_segmented_scan(exec, in, upsweep::heads(small), out); });
  refused("offsets without the last one", "offsets", "one more than out", [&] {
    upsweep::segmented_reduce(exec, in, std::vector<int>{0, 1, 2, 3, 4}, out);
  });
  refused("columns of different lengths", "column 2 of in", "3",
          [&] { upsweep::copy_if(exec, upsweep::contiguous(in, keys), std::tie(out, both), all); });
  refused("a column that is too small", "column 2 of out", "needs 5",
          [&] { upsweep::copy_if(exec, upsweep::contiguous(in, in), std::tie(out, small), all); });
  refused("the same column twice", "column 1 of out", "overlaps",
          [&] { upsweep::copy_if(exec, upsweep::contiguous(in, in), std::tie(out, out), all); });

  // Memory
  refused("a null range", "in", "null",
          [&] { upsweep::inclusive_scan(exec, std::span<const int>(static_cast<const int*>(nullptr), 5), out); });
  refused("ranges that overlap", "out", "overlaps in",
          [&] { upsweep::inclusive_scan(exec, std::span(both.data(), 5), std::span(both.data() + 1, 5)); });
  refused("two outputs in one range", "selected", "overlaps",
          [&] { upsweep::partition_copy(exec, in, both, both, positive); });
  refused("a product onto its own vector", "y", "overlaps x", [&] {
    upsweep::spmv(exec, upsweep::csr_view{2, 2, offsets, columns, ones}, y, y);
  });

  // Numbers
  refused("a buffer of negative size", "buffer: n", "negative", [&] { upsweep::buffer<int>(exec, -1); });
  refused("a negative number of threads", "threads", "negative", [] { upsweep::host(-1); });
  refused("a negative n", "n is -5", "negative", [&] {
    upsweep::scan(
        exec, -5, upsweep::contiguous(in), [](int item) { return item; }, upsweep::plus<int>{}, upsweep::discard);
  });
  refused("rows that do not divide n", "rows", "no multiple",
          [&] { upsweep::inclusive_scan(exec, in, out, upsweep::plus<int>{}, upsweep::rows(2)); });
  refused("more bits than keys have", "options", "32 bits", [&] { upsweep::radix_sort(exec, keys, {.end_bit = 64}); });
  refused("low and high exchanged", "low", "less than high",
          [&] { upsweep::histogram_even(exec, samples, counts, 1.F, 0.F); });
  refused("as many edges as bins", "edges", "needs 4", [&] {
    std::vector<index_t> bins(3);
    upsweep::histogram_range(exec, samples, bins, std::vector<float>{0, 1, 2});
  });

  // Pictures, signals, matrices
  refused("a pitch below the width", "pitch", "width",
          [&] { upsweep::histogram(exec, upsweep::image(picture, {.width = 64, .height = 48, .pitch = 32}), counts); });
  refused("a picture larger than its range", "in", "needs 307200",
          [&] { upsweep::histogram(exec, upsweep::image(picture, {.width = 640, .height = 480}), counts); });
  refused("no tiles", "tiles", "must be from 1", [&] {
    const auto image = upsweep::image(picture, {.width = 64, .height = 48});
    upsweep::clahe(exec, image, image, {.tiles = {0, 8}});
  });
  refused("a state for one channel of two", "state", "4 entries",
          [&] { upsweep::sosfilt(exec, lowpass, samples, filtered, std::vector<double>(4), upsweep::interleaved{2}); });
  refused("half a frame", "in", "no multiple of the 2 channels", [&] {
    upsweep::sosfilt(exec, lowpass, std::span(samples.data(), 959), filtered, upsweep::no_state,
                     upsweep::interleaved{2});
  });
  refused("rate and cut-off exchanged", "cutoff", "below 500", [] { upsweep::butterworth_lowpass(4, 48000, 1000); });
  refused("a span for a weight", "weight", "at most 1",
          [&] { upsweep::exponential_moving_average(exec, samples, filtered, 20.); });
  refused("x shorter than rows of A", "x", "needs 3", [&] {
    upsweep::spmv(exec, upsweep::csr_view{2, 3, offsets, columns, ones}, x, y);
  });
  refused("a column outside of A", "column 7", "not below 2", [&] {
    const std::vector<int> wide{0, 7};
    upsweep::validate(exec, upsweep::csr_view{2, 2, offsets, wide, ones});
  });

  // Backends
  refused("a backend of another name", "backend", "auto, host or cuda", [] { upsweep::any_executor::named("gpu"); });
  if (upsweep::any_executor::named("auto").is_host())
    refused<upsweep::no_device>("a GPU that is not there", "cuda", "", [] { upsweep::any_executor::named("cuda"); });

  std::printf("%d mistakes that were not refused as they should be\n", failures);
  return failures == 0 ? 0 : 1;
}
