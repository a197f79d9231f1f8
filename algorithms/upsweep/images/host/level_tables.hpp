// Tables of levels on the host: made of an image's histogram, and applied to pixels.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/host/memory.hpp>
#include <upsweep/host/share_out.hpp>
#include <upsweep/host/versions.hpp>
#include <upsweep/image.hpp>
#include <upsweep/images/host/histogram.hpp>
#include <upsweep/images/level_table.hpp>
#include <upsweep/memory.hpp>

namespace UPSWEEP_NAMESPACE::detail {

// ---------------------------------------------------------------- applying
#if UPSWEEP_X86_VERSIONS && !defined(__clang__)
#define UPSWEEP_HAS_BYTE_TABLES 1
inline bool has_byte_tables() {
  static const bool has = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
  return has && widest_vectors() == 64;
}
//! Two permutations of 128 table entries for 64 pixels, instead of a load for each pixel.
//! (The target behind the optimization: before it, GCC 13 forgets it at -O1.)
__attribute__((optimize("O3"), target("avx512f,avx512bw,avx512vbmi,prefer-vector-width=512"))) inline index_t
apply_byte_table(const std::uint8_t* in, std::uint8_t* out, index_t n, const std::uint8_t* table) {
  typedef char bytes __attribute__((vector_size(64)));
  bytes part[4];
  __builtin_memcpy(part, table, 256);
  index_t i = 0;
  for (; i + 64 <= n; i += 64) {
    bytes x;
    __builtin_memcpy(&x, in + i, 64);
    const bytes low = __builtin_ia32_vpermt2varqi512_mask(x, part[0], part[1], ~0ull);
    const bytes high = __builtin_ia32_vpermt2varqi512_mask(x, part[2], part[3], ~0ull);
    const bytes mapped = x < 0 ? high : low;
    __builtin_memcpy(out + i, &mapped, 64);
  }
  return i;
}
//! The same by AVX2: a byte's lower half picks from each 16 entries, its upper half from what they gave, bit by bit.
//! (Zen 3, 2^20 pixels: equalizing them 0.52 ns each, by loads 0.69; 2026-11-27.)
__attribute__((optimize("O3"))) UPSWEEP_AVX2 inline index_t apply_byte_table_avx2(const std::uint8_t* in,
                                                                                  std::uint8_t* out, index_t n,
                                                                                  const std::uint8_t* table) {
  typedef char bytes __attribute__((vector_size(32)));
  typedef short words __attribute__((vector_size(32)));
  bytes part[16];
  for (int k = 0; k < 32; k++)
    __builtin_memcpy(reinterpret_cast<char*>(&part[k / 2]) + k % 2 * 16, table + k / 2 * 16, 16);
  index_t i = 0;
  for (; i + 32 <= n; i += 32) {
    bytes x, found[16];
    __builtin_memcpy(&x, in + i, 32);
    for (int k = 0; k < 16; k++) found[k] = __builtin_ia32_pshufb256(part[k], x & 15);
    for (int bit = 4; bit < 8; bit++) {
      const auto is_set = reinterpret_cast<bytes>(reinterpret_cast<words>(x) << (7 - bit));  // in a byte's sign
      for (int k = 0; k < 128 >> bit; k++)
        found[k] = __builtin_ia32_pblendvb256(found[2 * k], found[2 * k + 1], is_set);
    }
    __builtin_memcpy(out + i, &found[0], 32);
  }
  return i;
}
#else
#define UPSWEEP_HAS_BYTE_TABLES 0
#endif

template <class T, class U>
void apply_to_row(const T* in, U* out, index_t n, const U* table) {
  index_t i = 0;
#if UPSWEEP_HAS_BYTE_TABLES
  if constexpr (std::is_same_v<T, std::uint8_t> && std::is_same_v<U, std::uint8_t>) {
    if (has_byte_tables()) i = apply_byte_table(in, out, n, table);
    else if (has_vectors_of(32)) i = apply_byte_table_avx2(in, out, n, table);
  }
#endif
  for (; i + 4 <= n; i += 4) {  // all read before any is written, which could be the table for all the compiler knows
    const U a = table[in[i]], b = table[in[i + 1]], c = table[in[i + 2]], d = table[in[i + 3]];
    out[i] = a;
    out[i + 1] = b;
    out[i + 2] = c;
    out[i + 3] = d;
  }
  for (; i < n; i++) out[i] = table[in[i]];
}

//! `stride` entries from the table of an image to that of the next; 0: one for all.
template <class T, class U>
void apply_tables(host& executor, const pixels<const T>& in, const U* tables, index_t stride, const pixels<U>& out) {
  const bool gapless = in.pitch == in.width && out.pitch == out.width;
  const pixels<const T> from = gapless ? in.joined_rows() : in;
  const pixels<U> to = gapless ? out.joined_rows() : out;
  const image_units units(from);
  share_out(executor.threads(), units.count(), [&](index_t unit) {
    const index_t image = units.image(unit);
    units.for_each_row(unit, [&](index_t y, index_t x, index_t n) {
      apply_to_row(from.row(image, y) + x, to.row(image, y) + x, n, tables + image * stride);
    });
  });
}

// ---------------------------------------------------------------- making
//! The levels in stretches: sums one after another, then entries by vectors. (Level by level it took 1.3 us longer, of
//! which an image of 64×64 takes 2.5 in all: rounding was a call of the C library's. A Xeon, 2026-11-26.)
template <class T>
void table_of_counts(const std::uint64_t* counts, equalize_mode mode, T* table) {
  constexpr std::uint32_t levels = levels_of<T>, stretch = 256;
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    std::uint64_t all = 0, upto = 0;
    std::uint32_t first = 0, last = levels - 1;
    for (std::uint32_t v = 0; v < levels; v++) all += counts[v];
    while (first < last && counts[first] == 0) first++;
    while (first < last && counts[last] == 0) last--;
    const equalizer<T> entry(mode, all, counts[first], counts[last]);
    for (std::uint32_t from = 0; from < levels; from += stretch) {
      std::uint64_t sums[stretch];
      for (std::uint32_t k = 0; k < stretch; k++) sums[k] = upto += counts[from + k];
      const std::uint64_t* const here = counts + from;
      T* const to = table + from;
      for (std::uint32_t k = 0; k < stretch; k++) to[k] = entry(from + k, sums[k], here[k]);
    }
  });
}

//! A piece of memory, given out once, for a host that is a thread of another one: its calls ask nobody else.
class piece_resource final : public memory_resource {
 public:
  piece_resource(std::byte* memory, std::size_t bytes) : next_(memory), left_(bytes) {}
  void* allocate(std::size_t bytes, CUstream_st*) override {
    const std::size_t taken = scratch_cutter::bytes_of<unsigned char>(static_cast<index_t>(bytes));
    if (taken > left_) throw std::bad_alloc();
    left_ -= taken;
    return std::exchange(next_, next_ + taken);
  }
  void deallocate(void*, std::size_t, CUstream_st*) noexcept override {}

 private:
  std::byte* next_;
  std::size_t left_;
};

//! Calls work(executor, image) for each image: small ones one to a thread, large ones by all threads. `bytes`: what it
//! is lent for an image, each piece in whole lines of 64.
template <class Work>
void for_each_image(host& executor, index_t count, index_t pixels_of_image, std::size_t bytes, const Work& work) {
  if (count == 1 || pixels_of_image > 4 * image_units::pixels_of_unit) {
    for (index_t k = 0; k < count; k++) work(executor, k);
    return;
  }
  const thread_pieces memory(executor.lender(), static_cast<int>(std::min<index_t>(executor.threads(), count)), bytes);
  share_out(executor.threads(), count, [&](index_t k, int thread) {
    piece_resource piece(memory.of(thread), bytes);
    host alone(1, &piece);
    work(alone, k);
  });
}
//! What an image's counters, counts and table take.
template <class T>
inline constexpr std::size_t bytes_of_counters = scratch_cutter::bytes_of<unsigned char>(static_cast<index_t>(
    private_counts::bytes(levels_of<T>, private_counts::tables_for<T>(std::numeric_limits<index_t>::max()))));
template <class T>
inline constexpr std::size_t bytes_of_counts = scratch_cutter::bytes_of<std::uint64_t>(levels_of<T>);
template <class T>
inline constexpr std::size_t bytes_of_table = scratch_cutter::bytes_of<T>(levels_of<T>);

template <class T>
void equalization_tables(host& executor, const pixels<const T>& in, const pixels<const std::uint8_t>* mask,
                         equalize_mode mode, T* tables) {
  constexpr std::size_t bytes = bytes_of_counts<T> + bytes_of_counters<T>;
  for_each_image(executor, in.count, in.per_image(), bytes, [&](host& with, index_t k) {
    const lent_items<std::uint64_t> counts(with.lender(), levels_of<T>);
    pixels<const std::uint8_t> flags{};
    if (mask) flags = mask->one(k);
    count_pixels(with, in.one(k), mask ? &flags : nullptr, level_bins{levels_of<T>}, counts.data());
    table_of_counts(counts.data(), mode, tables + k * index_t{levels_of<T>});
  });
}

//! Asks for the lines that a small image will be written to: while it is counted the memory is idle. (One thread of a
//! Xeon, 1000 images of 64×64 bytes: 2.5 ms, otherwise 3.0; 2026-11-26.)
template <class T>
void fetch_for_writing([[maybe_unused]] const pixels<T>& out) {
#if defined(__GNUC__)
  constexpr index_t line = 64 / sizeof(T), most = (index_t{1} << 14) / sizeof(T);
  if (out.per_image() > most) return;
  for (index_t y = 0; y < out.height; y++)
    for (index_t x = 0; x < out.width; x += line) __builtin_prefetch(out.row(0, y) + x, 1);
#endif
}

template <class T>
void equalize(host& executor, const pixels<const T>& in, const pixels<T>& out, equalize_mode mode) {
  constexpr std::size_t bytes = bytes_of_table<T> + bytes_of_counts<T> + bytes_of_counters<T>;
  for_each_image(executor, in.count, in.per_image(), bytes, [&](host& with, index_t k) {
    const lent_items<T> table(with.lender(), levels_of<T>);
    fetch_for_writing(out.one(k));
    equalization_tables(with, in.one(k), nullptr, mode, table.data());
    apply_tables(with, in.one(k), table.data(), 0, out.one(k));
  });
}

//! A reference for each image, or one for all.
template <class T>
void match(host& executor, const pixels<const T>& in, const pixels<const T>& reference, const pixels<T>& out) {
  constexpr index_t levels = levels_of<T>;
  const auto add_up = [](host& with, const pixels<const T>& image, std::uint64_t* upto) {
    count_pixels(with, image, nullptr, level_bins{levels_of<T>}, upto);
    for (index_t v = 1; v < levels; v++) upto[v] += upto[v - 1];
  };
  const lent_items<std::uint64_t> common(executor.lender(), levels);
  add_up(executor, reference.one(0), common.data());
  constexpr std::size_t bytes = bytes_of_table<T> + 2 * bytes_of_counts<T> + bytes_of_counters<T>;
  for_each_image(executor, in.count, in.per_image(), bytes, [&](host& with, index_t k) {
    const lent_items<std::uint64_t> own(with.lender(), levels), another(with.lender(), levels);
    const lent_items<T> table(with.lender(), levels);
    const bool has_another = k > 0 && reference.count > 1;
    add_up(with, in.one(k), own.data());
    if (has_another) add_up(with, reference.one(k), another.data());
    const std::uint64_t* const like = has_another ? another.data() : common.data();
    for (index_t v = 0; v < levels; v++) table[v] = matching_level<T>(own[v], own[levels - 1], like);
    apply_tables(with, in.one(k), table.data(), 0, out.one(k));
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
