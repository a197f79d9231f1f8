// Small things on their way to the device, without a wait.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What a launch's arguments carry of host memory: the caller may free it at once, and a graph keeps the copy.
struct words_in_flight {
  static constexpr int most = 480;
  std::uint64_t words[most];
};
template <class Words>
__global__ void write_words(const __grid_constant__ Words w, std::uint64_t* to, int count) {
  for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) to[k] = w.words[k];
}
inline void send_words(device& executor, const void* from, std::size_t bytes, std::byte* to) {
  for (std::size_t done = 0; done < bytes; done += sizeof(words_in_flight)) {
    words_in_flight w{};
    const std::size_t left = bytes - done, now = left < sizeof(words_in_flight) ? left : sizeof(words_in_flight);
    std::memcpy(w.words, static_cast<const std::byte*>(from) + done, now);
    launch<&write_words<words_in_flight>>(executor, 1, 256, 0, w, reinterpret_cast<std::uint64_t*>(to + done),
                                          static_cast<int>((now + 7) / 8));
  }
}

}  // namespace UPSWEEP_NAMESPACE::gpu
