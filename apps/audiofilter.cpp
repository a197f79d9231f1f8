// audiofilter: recursive filters of the sound in a WAV file. It streams: piece by piece through one cascade of
// sections, whose state goes from a piece to the next where the filter works. With --zero-phase the whole sound is in
// memory, and every channel is filtered forth and back.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <upsweep/buffer.hpp>
#include <upsweep/filtfilt.hpp>
#include <upsweep/iir.hpp>

#include "../oracles/filters.hpp"
#include "common/account.hpp"
#include "common/chirp.hpp"
#include "common/deviation.hpp"
#include "common/filter_options.hpp"
#include "common/filter_plot.hpp"
#include "common/output_files.hpp"
#include "common/program.hpp"
#include "common/report.hpp"
#include "common/spectrogram.hpp"
#include "common/stage.hpp"
#include "common/transfer.hpp"
#include "common/wav.hpp"

namespace {

using upsweep::buffer;
using upsweep::index_t;

struct options {
  app::filter_options filters;
  std::string in, out, plot, spectrogram, samples = "16";
  bool zero_phase = false, check = false, generate = false;
  int channels = 1, rate = 48000;
  double seconds = 5;
  index_t piece = upsweep::filter_block<float>;  // so the bits are those of one piece
};

// ---------------------------------------------------------------- where a sound comes from
struct sound {
  std::string name;
  app::sound_format format;
  std::function<std::int64_t(std::span<float>)> read;
  std::shared_ptr<app::wav_reader> file;  // if it comes from one
};
sound generated(const options& asked) {
  app::sound_format format{asked.channels, asked.rate, std::llround(asked.seconds * asked.rate)};
  format.code = asked.samples == "16" ? SF_FORMAT_PCM_16 : asked.samples == "24" ? SF_FORMAT_PCM_24 : SF_FORMAT_FLOAT;
  format.code |= format.bytes() > 4000000000 ? SF_FORMAT_RF64 : SF_FORMAT_WAV;  // whose sizes have 32 bits
  return {"a chirp in noise", format,
          [source = app::chirp(format)](auto samples) mutable { return source.read(samples); }, nullptr};
}
sound opened(const std::string& name) {
  return app::about(name, [&] {
    auto file = std::make_shared<app::wav_reader>(name);
    const auto read = [file, name](auto samples) { return app::about(name, [&] { return file->read(samples); }); };
    return sound{name, file->format(), read, file};
  });
}

// ---------------------------------------------------------------- what looks on
// Takes the sound before and after the filter, and its own time.
class onlooker {
 public:
  onlooker(const options& asked, const app::sound_format& format) {
    if (!asked.spectrogram.empty()) pictures_.assign(2, app::spectrogram(format.channels, format.frames));
  }
  void look(std::span<const float> before, std::span<const float> after) {
    if (const auto first = std::ranges::find_if_not(before, is_finite); first_ < 0 && first != before.end())
      first_ = looked_at_ + (first - before.begin());
    looked_at_ += std::ssize(before);
    lost_ += std::ranges::count_if(after, [](float sample) { return !is_finite(sample); });
    if (pictures_.empty()) return;
    pictures_[0].add(before);
    pictures_[1].add(after);
  }
  app::picture drawn() {
    for (app::spectrogram& one : pictures_) one.finish();
    return app::side_by_side(pictures_[0], pictures_[1]);
  }
  //! What is wrong with the sound, or nothing. A filter that has met NaN gives nothing else from then on.
  std::string complaint(int channels) const {
    if (first_ < 0 && lost_ == 0) return {};
    std::string text;
    if (first_ >= 0)
      text = "frame " + app::grouped(first_ / channels + 1) + " of channel " + std::to_string(first_ % channels + 1) +
             " is no finite number; ";
    return text + app::grouped(lost_) + (lost_ == 1 ? " sample" : " samples") + " behind the filter are none";
  }
  app::deviation deviation;

 private:
  static bool is_finite(float sample) { return std::isfinite(sample); }
  std::int64_t looked_at_ = 0, first_ = -1, lost_ = 0;  // samples; the first that is not finite; those after the filter
  std::vector<app::spectrogram> pictures_;
};

// ---------------------------------------------------------------- piece by piece
// Filters interleaved frames, and keeps the state for those that follow.
class piece_filter {
 public:
  piece_filter(upsweep::any_executor& exec, const std::vector<upsweep::section>& sections, int channels)
      : exec_(exec),
        sections_(sections),
        channels_(channels),
        state_(exec, std::vector<double>(2 * sections.size() * static_cast<std::size_t>(channels))) {}

  void operator()(std::span<const float> in, std::span<float> out, app::seconds& spent) {
    app::stopwatch watch;
    const upsweep::interleaved layout{channels_};
    if (exec_.is_host()) {
      upsweep::sosfilt(exec_, sections_, in, out, state_, layout);
      spent.work += watch.lap();
      return;
    }
    if (there_.size() < std::ssize(in)) there_ = buffer<float>(exec_, std::ssize(in));
    const std::span<float> piece(there_.data(), in.size());
    exec_.copy(piece.data(), in.data(), in.size_bytes());
    spent.to_device += watch.lap();
    upsweep::sosfilt(exec_, sections_, std::span<const float>(piece), piece, state_, layout);
    exec_.synchronize();
    spent.work += watch.lap();
    exec_.copy(out.data(), piece.data(), out.size_bytes());
    spent.from_device += watch.lap();
  }

 private:
  upsweep::any_executor& exec_;
  const std::vector<upsweep::section>& sections_;
  index_t channels_;
  buffer<double> state_;
  buffer<float> there_;  // on a device
};

using sink = std::function<void(std::span<const float>)>;

void filter_stream(upsweep::any_executor& exec, const sound& from, const std::vector<upsweep::section>& sections,
                   const options& asked, onlooker& looks, const sink& write, app::seconds& spent) {
  const auto channels = static_cast<std::size_t>(from.format.channels);
  const auto most = static_cast<std::size_t>(std::min(asked.piece, from.format.frames)) * channels;
  std::vector<float> before(most), after(most);
  piece_filter filter(exec, sections, from.format.channels);
  std::vector<oracle::serial_filter<>> serial(asked.check ? channels : 0, oracle::serial_filter<>(sections));
  app::stage filtering("filtering " + from.name, from.format.bytes());
  for (std::int64_t done = 0; done < from.format.frames;) {
    app::stopwatch watch;
    const std::int64_t frames = from.read(before);
    spent.read += watch.lap();
    const std::span<const float> in(before.data(), static_cast<std::size_t>(frames) * channels);
    const std::span<float> out(after.data(), in.size());
    filter(in, out, spent);
    watch.lap();
    for (std::size_t i = 0; i < in.size() && asked.check; i++)
      looks.deviation.add(in[i], out[i], serial[i % channels](in[i]));
    spent.verify += watch.lap();
    looks.look(in, out);
    watch.lap();
    write(out);
    spent.write += watch.lap();
    done += frames;
    filtering.at(done * from.format.bytes() / from.format.frames);
  }
}

// ---------------------------------------------------------------- forth and back
void filter_channel(upsweep::any_executor& exec, const std::vector<upsweep::section>& sections,
                    std::vector<double>& channel, app::seconds& spent) {
  app::stopwatch watch;
  buffer<double> copy;
  if (!exec.is_host()) copy = buffer<double>(exec, channel);
  const std::span<double> samples(exec.is_host() ? channel.data() : copy.data(), channel.size());
  spent.to_device += watch.lap();
  upsweep::sosfiltfilt(exec, sections, std::span<const double>(samples), samples);
  exec.synchronize();
  spent.work += watch.lap();
  if (!exec.is_host()) copy.copy_to(exec, channel);
  spent.from_device += watch.lap();
}

void filter_whole(upsweep::any_executor& exec, const sound& from, const std::vector<upsweep::section>& sections,
                  const options& asked, onlooker& looks, const sink& write, app::seconds& spent) {
  const auto channels = static_cast<std::size_t>(from.format.channels);
  std::vector<float> before(static_cast<std::size_t>(from.format.samples()));
  app::stage filtering("filtering " + from.name, from.format.bytes());
  app::stopwatch watch;
  from.read(before);
  spent.read += watch.lap();
  std::vector<float> after(before.size());
  for (std::size_t c = 0; c < channels; c++) {
    std::vector<double> channel(before.size() / channels);
    for (std::size_t t = 0; t < channel.size(); t++) channel[t] = static_cast<double>(before[t * channels + c]);
    watch.lap();
    std::vector<long double> expected;
    if (asked.check && std::ssize(channel) > oracle::padding_of(sections)) {
      const app::stage verifying("verifying channel " + std::to_string(c + 1));
      expected = oracle::forth_and_back(oracle::serial_filter<>(sections), oracle::padding_of(sections),
                                        std::span<const double>(channel));
    }
    spent.verify += watch.lap();
    app::about(from.name, [&] { filter_channel(exec, sections, channel, spent); });
    for (std::size_t t = 0; t < channel.size(); t++) after[t * channels + c] = static_cast<float>(channel[t]);
    watch.lap();
    for (std::size_t t = 0; t < expected.size(); t++)
      looks.deviation.add(before[t * channels + c], after[t * channels + c], expected[t]);
    spent.verify += watch.lap();
    filtering.at(from.format.bytes() * static_cast<std::int64_t>(c + 1) / from.format.channels);
  }
  looks.look(before, after);
  watch.lap();
  write(after);
  spent.write += watch.lap();
}

// ---------------------------------------------------------------- all of it
std::string plotted(const options& asked, const std::vector<upsweep::section>& sections, int rate) {
  using way = app::filter_plot::way;
  const double lowest = std::min(10., std::pow(10., std::floor(std::log10(asked.filters.lowest_frequency() / 3))));
  const app::filter_plot plot(sections, rate, lowest, asked.zero_phase ? way::forth_and_back : way::once);
  return plot.svg(asked.filters.text() + (asked.zero_phase ? " --zero-phase" : "") + " at " + app::grouped(rate) +
                  " Hz");
}

void tell(const sound& from, const std::vector<upsweep::section>& sections, const options& asked,
          const upsweep::any_executor& exec, const app::seconds& spent) {
  const std::int64_t samples = from.format.samples();
  std::fprintf(stderr, "audiofilter: %s: %s\n", from.name.c_str(), from.format.text().c_str());
  std::fprintf(stderr, "audiofilter: %s%s: %zu %s; %s\n", asked.filters.text().c_str(),
               asked.zero_phase ? " --zero-phase" : "", sections.size(), sections.size() == 1 ? "section" : "sections",
               app::account(spent, 8 * samples, exec, samples, "samples").c_str());
  const double all = spent.read + spent.to_device + spent.work + spent.from_device + spent.write;
  std::fprintf(stderr, "audiofilter: %s of sound in %s: %s times as fast as it plays\n",
               app::duration(from.format.seconds()).c_str(), app::duration(all).c_str(),
               app::grouped(all > 0 ? std::llround(from.format.seconds() / all) : 0).c_str());
}

int filter_sound(upsweep::any_executor& exec, const options& asked) {
  const sound from = asked.in.empty() ? generated(asked) : opened(asked.in);
  if (asked.in.empty())
    std::fprintf(stderr, "audiofilter: there is no INPUT: a chirp in noise instead, the same each time\n");
  std::vector<upsweep::section> sections = asked.filters.design(from.format.rate);
  if (sections.empty()) sections.emplace_back();  // passes everything
  app::output_files files;
  if (!asked.plot.empty()) files.open(asked.plot).write(plotted(asked, sections, from.format.rate));
  app::output_file* const spectrogram = asked.spectrogram.empty() ? nullptr : &files.open(asked.spectrogram);
  std::optional<app::wav_writer> out;
  if (!asked.out.empty()) {
    const app::output_file& file = files.open(asked.out);
    app::about(asked.out, [&] {
      out.emplace(file, from.format);
      if (from.file) out->take_notes(from.file->handle());
    });
  }

  app::seconds spent;
  onlooker looks(asked, from.format);
  const auto write = [&](std::span<const float> samples) {
    if (out) app::about(asked.out, [&] { out->write(samples); });
  };
  (asked.zero_phase ? filter_whole : filter_stream)(exec, from, sections, asked, looks, write, spent);
  if (!out) spent.write = 0;
  const std::string verdict = asked.check ? looks.deviation.verdict() : "";
  if (spectrogram) spectrogram->write(looks.drawn().png());
  if (out) app::about(asked.out, [&] { out->finish(); });
  files.commit();

  tell(from, sections, asked, exec, spent);
  if (out && out->clipped() > 0)
    std::fprintf(stderr, "audiofilter: %s samples were beyond full scale, and are clipped\n",
                 app::grouped(out->clipped()).c_str());
  if (const std::string complaint = looks.complaint(from.format.channels); !complaint.empty())
    std::fprintf(stderr, "audiofilter: %s\n", complaint.c_str());
  if (asked.check)
    std::fprintf(stderr, "audiofilter: verified against a serial filter in long double: %s (%s)\n", verdict.c_str(),
                 app::duration(spent.verify).c_str());
  if (!asked.plot.empty()) std::fprintf(stderr, "audiofilter: %s shows the frequency response\n", asked.plot.c_str());
  if (spectrogram)
    std::fprintf(stderr, "audiofilter: %s shows the sound before and after, %s wide, 0 to %s Hz high\n",
                 asked.spectrogram.c_str(), app::duration(from.format.seconds()).c_str(),
                 app::grouped(from.format.rate / 2).c_str());
  return 0;
}

// Usage that only all options together tell to be wrong.
void check_usage(options& asked) {
  if (asked.generate) {
    if (!asked.out.empty()) throw app::usage_error("--generate", "takes no INPUT, so there is one file at most");
    asked.out = std::exchange(asked.in, "");
  } else if (asked.filters.empty()) {
    throw app::usage_error("there is no filter, give one, --lowpass 1000 say");
  }
  if (asked.filters.empty() && !asked.plot.empty()) throw app::usage_error("--plot", "needs a filter");
  app::check_files(
      {{"INPUT", asked.in}},
      {{"--plot", asked.plot}, {"--spectrogram", asked.spectrogram}, {"OUTPUT", asked.out, false, "INPUT"}});
}

constexpr const char* footer = R"(EXAMPLES
  audiofilter --lowpass 1000 in.wav out.wav             keep what is below 1 kHz
  audiofilter --notch 50 --notch 100 in.wav out.wav     remove hum and its first harmonic
  audiofilter --bandpass 300:3.4k --order 8 in.wav out.wav          as on the telephone
  audiofilter --low-shelf 200:6 --peak 3k:-4:2 in.wav out.wav       more bass, less of 3 kHz
  audiofilter --highpass 80 --zero-phase --check in.wav out.wav     no delay of any frequency
  audiofilter --bandstop 900:1.1k --plot filter.svg --spectrogram both.png      a made sound

INPUT is a WAV file of 8, 16 or 24 bits or float, of any number of channels and any sample rate;
OUTPUT has the same format. Without OUTPUT nothing is written, and the other answers are given.
Without INPUT the sound is a tone that rises through all frequencies, in noise, and the program says
so; with --generate the one file that is named is OUTPUT.

Filters work one behind another, in the order in which they are given. F, G and Q are numbers; 3.4k is
3400. At F a Butterworth filter (--lowpass, --highpass, --bandpass, --bandstop) passes 0.71, -3 dB, and
at twice or half of it --order times 6 dB less. The sound before the file is taken to be silence. It is
filtered in pieces of --piece frames, so a file of any length needs little memory; multiples of what it
is by default give the same bits as one piece, others the same to rounding. --zero-phase filters
forth and back, each filter twice: no frequency is delayed, and all of the sound is in memory.
A sample that leaves full scale is clipped, and the program says so; float files have no full scale.

--check compares every sample with a serial filter's in long double. --plot draws gain and phase;
--spectrogram draws which frequencies the sound has in the course of time, on the left before and on
the right after the filter: bright is loud, dark 100 dB less.

Files are written whole or not at all: when something fails an old one stays. OUTPUT may be INPUT.
Times are on standard error.)";

}  // namespace

int main(int argc, char** argv) {
  app::command_line cli("Filters the sound in a WAV file.", "audiofilter");
  cli.footer(footer);
  options asked;
  std::string backend;
  asked.filters.add_to(cli);
  cli.add_flag("--zero-phase", asked.zero_phase, "Filter forth and back").group("Filters, one behind another");
  cli.add_flag("--check", asked.check, "Compare with a serial filter; a difference is an error");
  cli.add_file("--plot", asked.plot, "An SVG file: draw the frequency response");
  cli.add_file("--spectrogram", asked.spectrogram, "A PNG file: draw the sound before and after");
  cli.add_option("--piece", asked.piece, "Frames that are filtered at once")
      .shows_default()
      .range(index_t{1}, index_t{1} << 30);
  app::add_backend(cli, backend);
  const std::string made = "Instead of INPUT";
  app::option generate = cli.add_flag("--generate", asked.generate, "Make a chirp in noise").group(made);
  const auto of_made = [&](const char* name, auto& value, const char* help) {
    return cli.add_option(name, value, help).shows_default().needs(generate).group(made);
  };
  of_made("--seconds", asked.seconds, "Its length").range(0., 86400.);
  of_made("--channels", asked.channels, "Its channels").range(1, 1024);
  of_made("--rate", asked.rate, "Its sample rate, Hz").range(1000, 1000000);
  of_made("--samples", asked.samples, "16, 24 (bits) or float").one_of({"16", "24", "float"});
  cli.add_file("INPUT", asked.in, "A WAV file");
  cli.add_file("OUTPUT", asked.out, "A WAV file");
  const auto body = [&] {
    check_usage(asked);
    auto exec = app::executor_of(backend);
    return filter_sound(exec, asked);
  };
  return app::run(cli, argc, argv, body);
}
