// The device functions of lines' own, for a program that is linked with the library.
#include "common/line_sweeps.hpp"

namespace app {

line_counts judge_lines(device_stream there, std::span<const std::uint64_t> text, std::span<const char> pattern,
                        bool invert, std::span<std::uint8_t> verdicts) {
  return judge_lines(device_on(there), text, pattern, invert, verdicts);
}
std::int64_t keep_lines(device_stream there, std::span<const std::uint64_t> text,
                        std::span<const std::uint8_t> verdicts, std::span<std::uint64_t> flags, std::span<char> kept) {
  return keep_lines(device_on(there), text, verdicts, flags, kept);
}
std::int64_t count_lines(device_stream there, std::span<const std::uint64_t> text) {
  return count_lines(device_on(there), text);
}

}  // namespace app
