// Splits unsigned keys by tables made of samples, for keys that crowd in few digits: a rule for split.hpp.
//
// The range that a segment's samples span is cut into equal cells, and a table says which digit a cell has: digits of
// about as many samples each, or equal shares of the cells where samples lie evenly. Keys below and above the samples
// have cells of their own. So two rounds leave units where digits of equal width need three or four. Where samples of
// the whole crowd in 4,096 cells, as those of normal floats do, it is cut into 16,384: one that is full must not hold
// more than a second round can cut into units. Only there: a CTA copies the whole's table into shared memory once, but
// those of a later round's segments for nearly every tile.
//
// It declines what digits of equal width split as well, and keys of which one cell holds too many: then it leaves all
// to by_digits.hpp. A child that holds more than half of its segment is not sampled again, but cut into equal
// shares of what it can hold: no input takes many more rounds than two a digit.
#pragma once
#include <cstdint>

#include <cuda_pipeline_primitives.h>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/sort/cuda/by_digits.hpp>
#include <upsweep/sort/cuda/digits.hpp>
#include <upsweep/sort/cuda/split.hpp>
#include <upsweep/sort/cuda/tuning.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A digit by a table of cells of 2^shift keys from `first` on. Keys before them are in the first one, keys behind them
//! in the last.
template <class U>
struct cell_table {
  U first;
  std::uint16_t shift, last;  // last: the number of a cell; a power of two less one
  const std::uint8_t* digits;

  __device__ std::uint32_t cell(U key) const {
    const U above = static_cast<U>(max(key, first) - first) >> shift;
    return static_cast<std::uint32_t>(min(above, U{last}));
  }
  __device__ std::uint32_t operator()(U key) const { return digits[cell(key)]; }
  //! The first cell with at least this digit: digits do not fall.
  __device__ std::uint32_t first_cell(std::uint32_t digit) const {
    std::uint32_t before = 0;
    for (std::uint32_t step = (last + 1u) / 2; step > 0; step /= 2)
      if (digits[before + step - 1] < digit) before += step;
    return before + (digits[before] < digit);
  }
};

template <class Job, bool Ordered>
struct sample_rule : digit_rule<Job, Ordered> {
  using base = digit_rule<Job, Ordered>;
  using base::job;
  using U = typename Job::key_type;
  static constexpr bool prepares = true, finishes_children = true, has_tables = true, declines = true,
                        takes_segments = false;
  static constexpr int cell_bits = 12, cells = 1 << cell_bits, samples = 2048;
  static constexpr int first_cell_bits = tuning::first_cell_bits(), first_cells = 1 << first_cell_bits;
  static constexpr U highest = static_cast<U>(~U{0});

  std::uint8_t* first_table;  // of the whole
  std::uint8_t* tables;       // one a segment of a later round
  int most_bits;              // of the whole's cells
  bool swaps_places;          // 1 and 2 are 2 and 1 to the split by digits, and to what is counted

  struct known : base::known {
    U low, high;       // keys lie in [low, high]
    bool is_sampled;   // or cut into equal shares of that
    bool is_declined;  // all: digits of equal width will do, or samples crowd in few cells
    cell_table<U> table;
  };
  using segment_type = segment_to_split<known>;
  using labels = cell_table<U>;
  // Digits stay with the keys: looked up once a key.
  template <int Tile>
  struct staged : base::template staged<Tile> {
    std::uint8_t digits[Tile];
    __device__ std::uint32_t digit(int at, const labels&) const { return digits[at]; }
  };
  template <int Rows>
  struct held : base::template held<Rows> {
    std::uint32_t digits[(Rows + 3) / 4];  // four in a register
    __device__ void settle(const sample_rule& rule, int place, const labels& digit) {
      base::template held<Rows>::settle(rule, place, digit);
#pragma unroll
      for (int k = 0; k < Rows; k++) {
        std::uint32_t& four = digits[k / 4];
        four = k % 4 == 0 ? digit(this->keys[k]) : four | digit(this->keys[k]) << 8 * (k % 4);
      }
    }
    __device__ std::uint32_t digit(int k, const labels&) const {
      if constexpr (sizeof(U) <= 4) return digits[k / 4] >> 8 * (k % 4) & 0xff;
      // Volatile: else the compiler keeps all that it took apart for the ranks, and spills.
      std::uint32_t found;
      asm volatile("prmt.b32 %0, %1, 0, %2;" : "=r"(found) : "r"(digits[k / 4]), "r"(0x4440 + k % 4));
      return found;
    }
    template <int Tile>
    __device__ void stage(staged<Tile>& to, int k, int place) const {
      base::template held<Rows>::stage(to, k, place);
      to.digits[place] = static_cast<std::uint8_t>(digits[k / 4] >> 8 * (k % 4));
    }
  };
  struct shared_state : base::shared_state {
    alignas(16) std::uint8_t table[first_cells];  // of the tile that is ranked
  };
  template <class Shape>
  struct preparation {
    std::uint32_t samples[first_cells / 2];  // 16 bits a cell
    std::uint32_t shares[digit_values];
    std::uint32_t sums[Shape::warps];
    struct {
      unsigned long long lowest, highest;
      std::uint32_t squares, crowded;  // of the shares; cells with many samples
    } totals;
  };

  //! As by digits: small segments are not sampled, and take a round a digit and one more, as shares are some wider;
  //! all larger ones are fewer than make another.
  index_t most_units(index_t most_queued) const {
    constexpr index_t rounds = 8 * static_cast<index_t>(sizeof(U)) / digit_bits + 2;
    return (3 + 2 * rounds) * most_queued + digit_values;
  }
  __device__ known known_of_all() const { return {{0, job.end_bit, 0}, 0, highest, true, false, {}}; }
  __device__ labels labels_of(const segment_type& g) const { return g.known.table; }
  __device__ bool is_exact(const segment_type& g) const {
    return static_cast<U>(g.known.high - g.known.low) < U{digit_values};
  }
  __device__ bool digits_tell(const segment_type& g) const {
    return base::fills && is_exact(g) && g.known.varying != 0;
  }
  __device__ void fill(const segment_type& g, index_t k, std::uint32_t digit) const {
    job.key_out(g.begin + k, static_cast<U>(g.known.low + digit));
  }
  __device__ bool splits(const segment_type& g) const { return g.known.varying != 0 && !digits_tell(g); }
  __device__ bool goes_on(const segment_type&) const { return false; }
  __device__ known next(const segment_type& g) const { return g.known; }
  __device__ bool leaves_units(const segment_type& g) const { return !is_exact(g); }
  __device__ child_to_split<known> child(const segment_type& g, int digit, index_t length) const {
    const cell_table<U>& table = g.known.table;
    const std::uint32_t from = table.first_cell(static_cast<std::uint32_t>(digit)),
                        to = table.first_cell(static_cast<std::uint32_t>(digit) + 1);
    const U low = from == 0 ? g.known.low : static_cast<U>(table.first + (U{from} << table.shift));
    const bool reaches_end = to > table.last || (g.known.high - table.first) >> table.shift < to;
    const U high = reaches_end ? g.known.high : static_cast<U>(table.first + (U{to} << table.shift) - 1);
    return {low == high, {{0, 0, 0}, low, high, length <= g.length / 2 || !g.known.is_sampled, false, {}}};
  }
  __device__ counted_range counted(const known& of) const {
    return {of.low, 64 - __clzll(static_cast<long long>(static_cast<U>(of.high - of.low)))};
  }
  __device__ int counting_place(int place) const { return swaps_places && place > 0 ? 3 - place : place; }
  __device__ bool is_declined(const segment_type& all) const { return all.known.is_declined; }

  //! Finds a segment's table. The whole's cells are finer where samples crowd in fewer.
  template <class Shape>
  __device__ void prepare(segment_type& g, index_t in_round, preparation<Shape>& m) const {
    const int thread = static_cast<int>(threadIdx.x);
    const bool samples_tell = g.known.is_sampled && !is_exact(g) && g.length >= tuning::least_sampled_part;
    __syncthreads();
    if (thread == 0) m.totals = {~0ull, 0, 0, 0};
    __syncthreads();
    U keys[(samples + Shape::threads - 1) / Shape::threads];
    if (samples_tell) take_samples<Shape>(keys, g, m);
    const U from = samples_tell ? static_cast<U>(m.totals.lowest) : g.known.low,
            to = samples_tell ? static_cast<U>(m.totals.highest) : g.known.high;
    const bool is_whole = g.place == 0;
    std::uint8_t* const digits = is_whole ? first_table : tables + in_round * cells;
    bool is_declined = false;
    for (int bits = cell_bits; bits <= (is_whole ? most_bits : cell_bits); bits += 2) {
      is_declined = cut_into_cells<Shape>(g, from, to, bits, samples_tell, keys, digits, m);
      if (!is_declined) break;
    }
    if (thread > 0) return;
    g.known.varying = 0;
    g.known.is_declined = is_declined;
  }
  //! Makes a segment's table of so many cells. Will it not do?
  template <class Shape, int Most>
  __device__ bool cut_into_cells(segment_type& g, U from, U to, int bits, bool samples_tell, const U (&keys)[Most],
                                 std::uint8_t* digits, preparation<Shape>& m) const {
    const int thread = static_cast<int>(threadIdx.x), all_cells = 1 << bits;
    const U low = g.known.low, high = g.known.high, range = static_cast<U>(to - from);
    __syncthreads();
    for (int c = thread; c < all_cells / 2; c += Shape::threads) m.samples[c] = 0;
    if (thread < digit_values) m.shares[thread] = 0;
    if (thread == 0) m.totals.squares = m.totals.crowded = 0;
    __syncthreads();
    // With a cell below the lowest and one above the highest, if there are such keys.
    cell_table<U> table;
    table.last = static_cast<std::uint16_t>(all_cells - 1);
    table.shift = static_cast<std::uint16_t>(max(0, 64 - __clzll(static_cast<long long>(range)) - bits));
    if ((range >> table.shift) + 3 > static_cast<U>(all_cells)) table.shift++;
    table.first = static_cast<U>(from - min(static_cast<U>(from - low), static_cast<U>(U{1} << table.shift)));
    table.digits = digits;
    const auto last = static_cast<std::uint32_t>(static_cast<U>(to - table.first) >> table.shift) + (to < high);
    const std::uint32_t scale = is_exact(g) ? 1 << bits : (digit_values << bits) / (last + 1);
    const auto share = [&](std::uint32_t cell) { return min(cell * scale >> bits, digit_values - 1u); };
    const auto samples_of = [&](int cell) { return m.samples[cell / 2] >> 16 * (cell % 2) & 0xffff; };
#pragma unroll
    for (int k = 0; k < Most; k++)
      if (samples_tell && thread + k * Shape::threads < samples) {
        const std::uint32_t cell = table.cell(keys[k]);
        atomicAdd(&m.samples[cell / 2], 1u << 16 * (cell % 2));
        atomicAdd(&m.shares[share(cell)], 1u);
      }
    __syncthreads();
    if (thread < digit_values) atomicAdd(&m.totals.squares, m.shares[thread] * m.shares[thread]);
    constexpr int together = 4;  // digits in a word
    const int per_thread = (all_cells / together + Shape::threads - 1) / Shape::threads * together;
    const int begin = min(thread * per_thread, all_cells), end = min(begin + per_thread, all_cells);
    std::uint32_t mine = 0, crowded = 0;
    for (int c = begin; c < end; c++) {
      mine += samples_of(c);
      crowded += samples_of(c) > samples / 64;
    }
    if (crowded > 0) atomicAdd(&m.totals.crowded, crowded);
    std::uint32_t before = sum_before<Shape::warps>(mine, m.sums);
    __syncthreads();
    // Squares of even shares' sizes sum up to samples² / 256 + samples, in the mean.
    const bool is_even = m.totals.squares <= (samples / digit_values + 1) * samples * 13 / 10;
    for (int c = begin; c < end; c += together) {
      std::uint32_t word = 0;
#pragma unroll
      for (int k = 0; k < together; k++) {
        const std::uint32_t here = samples_of(c + k);
        word |= (is_even ? share(static_cast<std::uint32_t>(c + k))
                         : min((before + here / 2) * digit_values / samples, digit_values - 1u))
                << 8 * k;
        before += here;
      }
      reinterpret_cast<std::uint32_t*>(digits)[c / together] = word;
    }
    if (thread == 0) g.known.table = table;
    return is_even ? range > highest - (highest >> 4) : table.shift > digit_bits && m.totals.crowded > 0;
  }
  //! Keys that are the segment's samples, and the range that they span.
  template <class Shape, int Most>
  __device__ void take_samples(U (&keys)[Most], const segment_type& g, preparation<Shape>& m) const {
    // (detail::sampled_position divides: zipf keys took 3 % longer.)
    const std::uint64_t share = static_cast<std::uint64_t>(g.length) / samples;
    unsigned long long lowest = ~0ull, most = 0;
#pragma unroll
    for (int k = 0; k < Most; k++) {
      const int number = min(static_cast<int>(threadIdx.x) + k * Shape::threads, samples - 1);
      std::uint64_t hash = static_cast<std::uint64_t>(number + 1) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
      keys[k] = job.key(g.place,
                        g.begin + number * static_cast<index_t>(share) + static_cast<index_t>(__umul64hi(hash, share)));
    }
#pragma unroll
    for (int k = 0; k < Most; k++) {
      lowest = min(lowest, static_cast<unsigned long long>(keys[k]));
      most = max(most, static_cast<unsigned long long>(keys[k]));
    }
#pragma unroll
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      lowest = min(lowest, __shfl_xor_sync(~0u, lowest, distance));
      most = max(most, __shfl_xor_sync(~0u, most, distance));
    }
    if (lane_id() == 0) {
      atomicMin(&m.totals.lowest, lowest);
      atomicMax(&m.totals.highest, most);
    }
    __syncthreads();
  }

  //! Starts to copy a tile's table; all threads' copies have come once each has waited, behind a barrier.
  __device__ void fetch_table(const labels& table, shared_state& shared) const {
    for (int k = static_cast<int>(threadIdx.x); k <= table.last / 16; k += static_cast<int>(blockDim.x))
      __pipeline_memcpy_async(&shared.table[16 * k], &table.digits[16 * k], 16);
    __pipeline_commit();
  }
  __device__ static bool are_of_one_table(const labels& a, const labels& b) { return a.digits == b.digits; }
  __device__ static void await_table() { __pipeline_wait_prior(0); }
  __device__ static labels labels_of_tile(labels table, shared_state& shared) {
    table.digits = shared.table;
    return table;
  }

  __device__ typename base::template counting<labels> begin_count(const segment_type& g, index_t,
                                                                  shared_state& shared) const {
    if (threadIdx.x == 0) shared.varying = 0;
    fetch_table(g.known.table, shared);
    await_table();
    return {labels_of_tile(g.known.table, shared), job.key(g.place, g.begin), 0};
  }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
