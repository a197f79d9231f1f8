// The device functions of words' own, for a program that is linked with the library.
#include "common/word_sweeps.hpp"

namespace app {

std::int64_t count_words(device_stream there, std::span<const std::uint64_t> text) {
  return count_words(device_on(there), text);
}
void hash_words(device_stream there, std::span<const std::uint64_t> text, std::uint64_t kept, std::uint64_t* hashes,
                std::int64_t* ends) {
  hash_words(device_on(there), text, kept, hashes, ends);
}
std::int64_t tally_words(device_stream there, std::span<const std::uint64_t> hashes, std::span<const std::int64_t> ends,
                         std::span<std::uint64_t> different, std::span<tally> tallies) {
  return tally_words(device_on(there), hashes, ends, different, tallies);
}

}  // namespace app
