// Memory of the host engine: scratch space that a thread keeps between calls, and copies that leave past the caches.
//   scratch_layout  hands out aligned pieces of one block
//   thread_scratch  a block that this thread keeps for its next call
//   copy_out        memcpy, or streaming stores for outputs larger than the cache
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

namespace upsweep::inline UPSWEEP_ABI::detail {

//! Hands out pieces of a block of memory, each aligned to a cache line.
class scratch_layout {
 public:
  static constexpr std::size_t line = 64;
  explicit scratch_layout(unsigned char* block) : next_(block) {}
  template <class T>
  static constexpr std::size_t bytes_of(index_t count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + line - 1) / line * line;
  }
  template <class T>
  T* take(index_t count) {
    unsigned char* piece = next_;
    next_ += bytes_of<T>(count);
    return reinterpret_cast<T*>(piece);
  }

 private:
  unsigned char* next_;
};

//! A large block asks for large pages: fresh small ones cost more than a pass over them.
struct scratch_block {
  unsigned char* data = nullptr;
  std::size_t bytes = 0;

  scratch_block() = default;
  explicit scratch_block(std::size_t size)
      : data(static_cast<unsigned char*>(::operator new(size, alignment(size)))), bytes(size) {
#if defined(MADV_HUGEPAGE)
    if (size >= large_page) static_cast<void>(madvise(data, size / large_page * large_page, MADV_HUGEPAGE));
#endif
  }
  scratch_block(scratch_block&& other) noexcept
      : data(std::exchange(other.data, nullptr)), bytes(std::exchange(other.bytes, 0)) {}
  scratch_block& operator=(scratch_block&& other) noexcept {
    std::swap(data, other.data);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~scratch_block() {
    if (data) ::operator delete(data, alignment(bytes));
  }

 private:
  static constexpr std::size_t large_page = std::size_t{2} << 20;
  static std::align_val_t alignment(std::size_t size) {
    return std::align_val_t{size >= large_page ? large_page : scratch_layout::line};
  }
};

//! Scratch memory for one call on this thread. The thread keeps the block for its next call: fresh pages would cost
//! more than a tile's work. A sweep inside a sweep finds none kept and gets its own.
class thread_scratch {
 public:
  explicit thread_scratch(std::size_t bytes) : block_(std::move(kept())) {
    if (block_.bytes < bytes) block_ = scratch_block(bytes);
  }
  thread_scratch(const thread_scratch&) = delete;
  thread_scratch& operator=(const thread_scratch&) = delete;
  ~thread_scratch() {
    if (block_.bytes > kept().bytes) std::swap(kept(), block_);
  }
  unsigned char* data() const { return block_.data; }

 private:
  static scratch_block& kept() {
    static thread_local scratch_block block;
    return block;
  }
  scratch_block block_;
};

#if defined(__clang__) || (defined(__GNUC__) && defined(__SSE2__))
#define UPSWEEP_STREAMS 1
#else
#define UPSWEEP_STREAMS 0
#endif

//! Outputs of at least this size leave past the caches: a line that is written whole need not be read first.
inline constexpr std::size_t streaming_bytes = std::size_t{16} << 20;

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

}  // namespace upsweep::inline UPSWEEP_ABI::detail
