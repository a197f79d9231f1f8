// Memory of the host engine: how a piece that the executor lends (upsweep/memory.hpp) is shared out, and copies that
// leave past the caches.
//   thread_pieces   an equal piece for every thread
//   copy_out        memcpy, or streaming stores for outputs larger than the cache
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/memory.hpp>
#include <upsweep/scratch.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! An equal piece for every thread. They are lent before they start, on the caller's thread.
class thread_pieces {
 public:
  thread_pieces(host_memory& from, int threads, std::size_t bytes)
      : bytes_(scratch_cutter::bytes_of<unsigned char>(static_cast<index_t>(bytes))),
        memory_(from, static_cast<std::size_t>(threads) * bytes_) {}
  std::byte* of(int thread) const { return memory_.data() + static_cast<std::size_t>(thread) * bytes_; }

 private:
  std::size_t bytes_;
  lent_memory memory_;
};

#if defined(__clang__) || (defined(__GNUC__) && defined(__SSE2__))
#define UPSWEEP_STREAMS 1
#else
#define UPSWEEP_STREAMS 0
#endif

//! Outputs of at least this size leave past the caches: a line that is written whole need not be read first.
inline constexpr std::size_t streaming_bytes = std::size_t{16} << 20;
template <class T>
bool is_streamed(index_t items) {
  return static_cast<std::size_t>(items) * sizeof(T) >= streaming_bytes;
}

#if UPSWEEP_STREAMS
// Full lines only. `to` is aligned to a line.
inline void stream_lines_by_words(unsigned char* to, const unsigned char* from, std::size_t lines) {
  using word = long long __attribute__((vector_size(16)));
  for (; lines > 0; lines--, to += 64, from += 64) {
    for (std::size_t k = 0; k < 4; k++) {
      word w;
      __builtin_memcpy(&w, from + 16 * k, sizeof(w));
#if defined(__clang__)
      __builtin_nontemporal_store(w, reinterpret_cast<word*>(to) + k);
#else
      __builtin_ia32_movntdq(reinterpret_cast<word*>(to) + k, w);
#endif
    }
  }
}

#if UPSWEEP_X86_VERSIONS && !defined(__clang__)
UPSWEEP_AVX512 inline void stream_lines_avx512(unsigned char* to, const unsigned char* from, std::size_t lines) {
  typedef long long line __attribute__((vector_size(64)));
  for (; lines > 0; lines--, to += 64, from += 64) {
    line w;
    __builtin_memcpy(&w, from, 64);
    __builtin_ia32_movntdq512(reinterpret_cast<line*>(to), w);
  }
}
#endif

inline void stream_lines(unsigned char* to, const unsigned char* from, std::size_t lines) {
#if UPSWEEP_X86_VERSIONS && !defined(__clang__)
  if (widest_vectors() == 64) return stream_lines_avx512(to, from, lines);
#endif
  stream_lines_by_words(to, from, lines);
}
#endif

//! Makes this thread's streaming stores visible to the others.
inline void fence_streams() {
#if UPSWEEP_STREAMS && defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

//! Copies bytes that are in cache to where they stay; `streaming`: past the caches.
inline void copy_out(void* to, const void* from, std::size_t bytes, [[maybe_unused]] bool streaming) {
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
#if UPSWEEP_STREAMS
  if (streaming && bytes >= 256) {
    const std::size_t head = (64 - reinterpret_cast<std::uintptr_t>(target) % 64) % 64;
    if (head) std::memcpy(target, source, head);
    const std::size_t lines = (bytes - head) / 64;
    stream_lines(target + head, source + head, lines);
    const std::size_t done = head + lines * 64;
    if (done < bytes) std::memcpy(target + done, source + done, bytes - done);
    return;
  }
#endif
  std::memcpy(target, source, bytes);
}

}  // namespace UPSWEEP_NAMESPACE::detail
