// WAV files by way of libsndfile: frames of interleaved float samples, in pieces. All that a file holds of 8, 16 and 24
// bits or of float is a float, exactly; full scale is 1.
#pragma once
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sndfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.hpp"
#include "output_files.hpp"
#include "report.hpp"

namespace app {

struct sound_format {
  int channels = 1, rate = 48000;
  std::int64_t frames = 0;
  int code = SF_FORMAT_WAV | SF_FORMAT_PCM_16;  // libsndfile's

  int bits() const {
    switch (code & SF_FORMAT_SUBMASK) {
      case SF_FORMAT_PCM_U8:
        return 8;
      case SF_FORMAT_PCM_16:
        return 16;
      case SF_FORMAT_PCM_24:
        return 24;
      default:
        return 32;
    }
  }
  bool is_float() const { return (code & SF_FORMAT_SUBMASK) == SF_FORMAT_FLOAT; }
  std::int64_t samples() const { return frames * channels; }
  std::int64_t bytes() const { return samples() * bits() / 8; }
  double seconds() const { return static_cast<double>(frames) / rate; }
  std::string text() const {
    return grouped(frames) + " frames of " + (channels == 1 ? "1 channel" : std::to_string(channels) + " channels") +
           ", " + grouped(rate) + " Hz, " + (is_float() ? "float" : std::to_string(bits()) + " bits");
  }
};

//! A sample as an integer of so many bits: to the nearest, held to the range (`clipped` counts), not a number as 0.
inline std::int32_t quantized(float sample, int bits, std::int64_t& clipped) {
  const double scale = std::ldexp(1., bits - 1), value = std::rint(static_cast<double>(sample) * scale);
  if (std::isnan(value)) return 0;
  const double held = std::clamp(value, -scale, scale - 1);
  clipped += held != value;
  return static_cast<std::int32_t>(held);
}
//! The float that stands for the integer.
inline float from_integer(std::int32_t value, int bits) {
  return static_cast<float>(std::ldexp(static_cast<double>(value), 1 - bits));
}

namespace detail {
struct close_sound {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using sound_handle = std::unique_ptr<SNDFILE, close_sound>;

//! libsndfile's words in the form of ours: "System error : No space left on device." -> "No space left on device"
inline std::string sound_error(SNDFILE* file) {
  std::string_view text = sf_strerror(file);
  constexpr std::string_view system = "System error : ";
  if (text.starts_with(system)) text.remove_prefix(system.size());
  while (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

inline std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}
//! Throws when the file ends before its samples do, by its header: libsndfile says nothing, and takes what is there. A
//! size beyond 2^31 - 2^12 stands for one that was not known when the header was written, as programs write to a pipe.
inline void check_whole(int file, std::uint64_t size) {
  unsigned char head[16] = {};
  const auto read_at = [&](std::uint64_t at, int count) {
    return pread(file, head, static_cast<std::size_t>(count), static_cast<off_t>(at)) == count;
  };
  if (!read_at(0, 4) || std::memcmp(head, "RIFX", 4) == 0) return;  // sizes the other way round
  std::uint64_t long_size = 0;
  for (std::uint64_t at = 12;;) {
    if (!read_at(at, 8)) throw std::runtime_error("ends before its samples");
    std::uint64_t length = little_endian(head + 4, 4);
    const std::string_view id(reinterpret_cast<const char*>(head), 4);
    if (id == "data") {
      if (length == 0xffffffff && long_size > 0) length = long_size;
      else if (length >= 0x7ffff000) return;
      if (length > size - at - 8)
        throw std::runtime_error("ends within its samples: " + grouped(static_cast<std::int64_t>(size - at - 8)) +
                                 " bytes of " + grouped(static_cast<std::int64_t>(length)) + " are there");
      return;
    }
    if (id == "ds64" && read_at(at + 16, 8)) long_size = little_endian(head, 8);
    at += 8 + length + length % 2;
  }
}
//! Throws when a list of titles and the like, or an entry of one, is longer than the file: libsndfile (1.2) reads zeros
//! behind the end for minutes, and jumps back by some such sizes of entries, to never come to an end.
inline void check_lists(int file, std::uint64_t size) {
  unsigned char head[8] = {};
  const auto read_at = [&](std::uint64_t at) { return pread(file, head, 8, static_cast<off_t>(at)) == 8; };
  const auto check = [&](const char* what, std::uint64_t bytes) {
    if (bytes > size)
      throw std::runtime_error("has a list " + std::string(what) + grouped(static_cast<std::int64_t>(bytes)) +
                               " bytes, more than the file");
  };
  for (std::uint64_t at = 12; at < size && read_at(at);) {
    const std::uint64_t length = little_endian(head + 4, 4), end = at + 8 + length;
    if (std::memcmp(head, "LIST", 4) == 0) {
      check("of ", length);
      for (std::uint64_t entry = at + 12; entry < end && entry < size && read_at(entry);) {
        const std::uint64_t bytes = little_endian(head + 4, 4);
        check("with an entry of ", bytes);
        entry += 8 + bytes + bytes % 2;
      }
    }
    at = end + length % 2;
  }
}
}  // namespace detail

//! A WAV file (also of the forms WAVEX and RF64) that is read piece by piece.
class wav_reader {
 public:
  explicit wav_reader(const std::string& name) : opened_{open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)} {
    struct stat about {};
    if (opened_.number < 0 || fstat(opened_.number, &about) != 0) throw_system_error();
    if (S_ISDIR(about.st_mode)) throw std::runtime_error("Is a directory");
    if (!S_ISREG(about.st_mode)) throw std::runtime_error("is no regular file");
    detail::check_lists(opened_.number, static_cast<std::uint64_t>(about.st_size));
    SF_INFO info{};
    file_.reset(sf_open_fd(opened_.number, SFM_READ, &info, SF_FALSE));
    if (!file_) throw std::runtime_error("is no WAV file that can be read: " + detail::sound_error(nullptr));
    check_format(info.format);
    detail::check_whole(opened_.number, static_cast<std::uint64_t>(about.st_size));
    format_ = {info.channels, info.samplerate, info.frames, info.format};
  }

  const sound_format& format() const { return format_; }
  SNDFILE* handle() const { return file_.get(); }

  //! The next frames: all that `samples` has room for, or all that are left. Gives how many.
  std::int64_t read(std::span<float> samples) {
    const auto room = static_cast<sf_count_t>(samples.size()) / format_.channels;
    const sf_count_t wanted = std::min<sf_count_t>(room, format_.frames - done_);
    sf_count_t got = 0;
    if (format_.is_float()) {
      got = sf_readf_float(file_.get(), samples.data(), wanted);
    } else {
      integers_.resize(samples.size());
      got = sf_readf_int(file_.get(), integers_.data(), wanted);
      for (std::size_t i = 0; i < static_cast<std::size_t>(got * format_.channels); i++)
        samples[i] = from_integer(integers_[i] >> (32 - format_.bits()), format_.bits());
    }
    done_ += got;
    if (got < wanted)
      throw std::runtime_error("ends after " + grouped(done_) + " of " + grouped(format_.frames) + " frames");
    return got;
  }

 private:
  static void check_format(int code) {
    const int kind = code & SF_FORMAT_TYPEMASK, sample = code & SF_FORMAT_SUBMASK;
    const auto name_of = [](int part) {
      SF_FORMAT_INFO info{part, nullptr, nullptr};
      sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info);
      return std::string(info.name ? info.name : "unknown");
    };
    if (kind != SF_FORMAT_WAV && kind != SF_FORMAT_WAVEX && kind != SF_FORMAT_RF64)
      throw std::runtime_error("is of the format " + name_of(kind) + ", must be WAV");
    constexpr std::array known{SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_FLOAT};
    if (std::ranges::find(known, sample) == known.end())
      throw std::runtime_error("has samples of " + name_of(sample) + ", must be of 8, 16 or 24 bits or 32-bit float");
  }

  struct descriptor {
    int number;
    ~descriptor() {
      if (number >= 0) close(number);
    }
  };
  descriptor opened_;
  detail::sound_handle file_;
  sound_format format_;
  std::int64_t done_ = 0;
  std::vector<int> integers_;
};

//! A WAV file that is written piece by piece.
class wav_writer {
 public:
  wav_writer(const output_file& out, const sound_format& format) : format_(format) {
    SF_INFO info{};
    info.channels = format.channels;
    info.samplerate = format.rate;
    info.format = format.code;
    file_.reset(sf_open_fd(out.descriptor(), SFM_WRITE, &info, SF_FALSE));
    if (!file_) throw std::runtime_error(detail::sound_error(nullptr));
    sf_command(file_.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // it holds the time of day
  }

  //! Titles and the like, and what the channels are.
  void take_notes(SNDFILE* from) {
    for (int kind = SF_STR_FIRST; kind <= SF_STR_LAST; kind++)
      if (const char* text = sf_get_string(from, kind)) sf_set_string(file_.get(), kind, text);
    std::vector<int> places(static_cast<std::size_t>(format_.channels));
    const auto size = static_cast<int>(places.size() * sizeof(int));
    if (sf_command(from, SFC_GET_CHANNEL_MAP_INFO, places.data(), size))
      sf_command(file_.get(), SFC_SET_CHANNEL_MAP_INFO, places.data(), size);
  }

  void write(std::span<const float> samples) {
    const auto frames = static_cast<sf_count_t>(samples.size()) / format_.channels;
    sf_count_t written = 0;
    if (format_.is_float()) {
      written = sf_writef_float(file_.get(), samples.data(), frames);
    } else {
      const int bits = format_.bits();
      integers_.resize(samples.size());
      for (std::size_t i = 0; i < samples.size(); i++)
        integers_[i] =
            static_cast<int>(static_cast<std::uint32_t>(quantized(samples[i], bits, clipped_)) << (32 - bits));
      written = sf_writef_int(file_.get(), integers_.data(), frames);
    }
    if (written != frames) throw std::runtime_error("write error: " + detail::sound_error(file_.get()));
  }
  //! Must be the last word, before the file is committed.
  void finish() {
    if (sf_close(file_.release()) != 0) throw std::runtime_error("write error: the header could not be completed");
  }
  std::int64_t clipped() const { return clipped_; }

 private:
  sound_format format_;
  detail::sound_handle file_;
  std::vector<int> integers_;
  std::int64_t clipped_ = 0;
};

}  // namespace app
