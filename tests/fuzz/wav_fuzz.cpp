// WAV files, read in pieces; what was read is written again, with its notes, and read back.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "apps/common/wav.hpp"
#include "fuzz.hpp"

namespace {

std::vector<float> samples_of(app::wav_reader& reader) {
  const app::sound_format& format = reader.format();
  std::vector<float> all, piece(static_cast<std::size_t>(format.channels) * 100);
  for (std::int64_t done = 0; done < format.frames;) {
    const std::int64_t got = reader.read(piece);
    all.insert(all.end(), piece.begin(), piece.begin() + got * format.channels);
    done += got;
  }
  return all;
}
bool is_same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void read_and_write(const std::string& name) {
  app::wav_reader reader(name);
  const app::sound_format& format = reader.format();
  fuzz::check(format.channels > 0 && format.rate > 0 && format.frames >= 0, "a sound");
  const std::vector<float> samples = samples_of(reader);
  for (const float sample : samples) fuzz::check(format.is_float() || (-1 <= sample && sample < 1), "full scale is 1");

  const app::output_file out(fuzz::unwritten());
  app::wav_writer writer(out, format);
  writer.take_notes(reader.handle());
  writer.write(samples);
  writer.finish();
  fuzz::check(writer.clipped() == 0, "what a file holds needs no clipping");
  app::wav_reader again(fuzz::name_of(out.descriptor()));
  fuzz::check(again.format().text() == format.text(), "the format is kept");
  fuzz::check(std::ranges::equal(samples_of(again), samples, is_same), "the samples are kept");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::reads([&] { read_and_write(fuzz::file_of(data, size)); });
  return 0;
}
