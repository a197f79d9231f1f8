// What a host's rows are measured against: the standard library, the loops of a good engineer, Highway, Boost, Eigen.
// These are compiled with -march=native, in a library of their own that shows nothing else (exports.map); ours keep the
// flags that a user gets, and no function of either is taken for the other's.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/affine.hpp>
#include <upsweep/csr.hpp>
#include <upsweep/sections.hpp>

#include "../data.hpp"

namespace bench::peers {

template <class T>
using input = std::span<const T>;
template <class T>
using output = std::span<T>;

//! The standard's algorithm by no policy or by std::execution::par, or a serial loop.
enum class way { standard, parallel, loop };
//! Is there a parallel one?
bool has_parallel();

// ---------------------------------------------------------------- scans (scans.cpp)
template <class T>
void inclusive_sum(way, input<T>, output<T>);
template <class T>
void exclusive_sum(way, input<T>, output<T>);
template <class M>
void inclusive_scan(way, input<typename M::value_type>, output<typename M::value_type>);
void reversed_sum(input<int>, output<int>);
void sum_of_rows(input<int>, output<int>, std::size_t row_length);
template <class T>  // int, double
void sum_by_key(input<int> keys, input<T> in, output<T> out);
void sum_by_heads(input<std::uint8_t> heads, input<int> in, output<int> out);
//! x[i] = a[i]·x[i−1] + b[i], which begins anew at each row.
void recurrence(input<float> a, input<float> b, output<float> x, std::size_t row_length);
void recurrence_of_order_2(input<float> a1, input<float> a2, input<float> b, output<float> x);
//! Sections of second order, states of float; as many as 1, 2, 4 or 8.
void cascade(input<upsweep::section> sections, input<float> in, output<float> out);
//! One section for channels whose samples take turns.
void filter_interleaved(const upsweep::section& s, input<float> in, output<float> out, std::size_t channels);

// ---------------------------------------------------------------- reductions (reductions.cpp)
template <class T>
T sum(way, input<T>);
template <class T>  // int, double
void sum_of_segments(input<T> in, input<int> offsets, output<T> out);
template <class T>  // int, double
std::size_t reduce_by_key(input<int> keys, input<T> in, output<int> keys_out, output<T> out);
template <class T>
void count_levels(input<T> in, output<index_t> counts);
//! Of [0, most), as many bins as counts; of integers `most` is a multiple of that.
template <class T>
void count_bins(input<T> in, output<index_t> counts, T most);
void equalize(input<std::uint8_t> in, output<std::uint8_t> out);
void equalize_luma(input<std::uint8_t> in, output<std::uint8_t> out, int channels);

// ---------------------------------------------------------------- compaction (compaction.cpp)
using word = std::uint32_t;
// Each returns how many it keeps. Templates: of unsigned integers and `numbered`; `unique` and `run_lengths` of int,
// too.
template <class T>
std::size_t copy_below(way, input<T>, T limit, output<T>);
std::size_t copy_flagged(input<word>, input<std::uint8_t> flags, output<word>);
std::size_t nonzero(input<std::uint8_t> flags, output<int>);
template <class T>
std::size_t unique(way, input<T>, output<T>);
template <class T>
std::size_t run_lengths(input<T>, output<T> values, output<int> lengths);
template <class T>
std::size_t partition_below(way, input<T>, T limit, output<T> selected, output<T> rejected);
template <class T>
std::size_t stable_partition_below(way, input<T>, T limit, output<T>);
//! To three ranges by x / 2^32 · 3, cut at the two limits; the counts of the first two.
std::array<std::size_t, 2> three_ways(input<word>, word first, word second, output<word>, output<word>, output<word>);

// ---------------------------------------------------------------- searches and expansions (expand.cpp)
// Where the first item of such a value stands, how many there are, the first difference.
template <class T>
std::size_t find(way, input<T>, T value);
template <class T>
std::size_t count(way, input<T>, T value);
template <class T>
std::size_t mismatch(way, input<T>, input<T>);
void expand(input<int> counts, output<int>);
template <class T>
void repeat(input<T>, input<int> counts, output<T>);
void allocate(input<int> sizes, output<int> offsets);
void ids_of(input<int> offsets, output<int> ids);
void offsets_of(input<int> ids, output<int> offsets);

// ---------------------------------------------------------------- automata (automata.cpp)
//! Tables are by byte, then by state; both start in state 0.
void run_automaton(input<std::uint8_t> next, int states, input<std::uint8_t> text, output<std::uint8_t> out);
//! As upsweep::tokenize; returns how many there are.
std::size_t tokenize(input<std::uint8_t> next, input<std::uint8_t> begins, input<std::uint8_t> kind_of,
                     input<std::uint8_t> text, output<int> starts, output<int> lengths, output<std::uint8_t> kinds);

// ---------------------------------------------------------------- sorts (sorts.cpp)
template <class T>
struct sort {
  std::string name;
  std::function<void(T* first, T* last)> in_place;
};
//! All that can sort such items, on so many threads.
template <class T>
std::vector<sort<T>> sorts(int threads);
//! By the key of a record.
template <int Words>
std::vector<sort<record<Words>>> sorts_of_records(int threads);
//! Segments by sorts of one thread, and by as many at once as there are threads; long ones by all threads, too.
std::vector<sort<word>> sorts_of_segments(int threads, input<int> offsets);

// ---------------------------------------------------------------- numbers (numbers.cpp)
//! Limbs, the least significant one first. Returns the carry.
bool add_limbs(input<std::uint64_t> a, input<std::uint64_t> b, output<std::uint64_t> out);
bool has_gmp();
bool add_limbs_by_gmp(input<std::uint64_t> a, input<std::uint64_t> b, output<std::uint64_t> out);
float compensated_sum(input<float>);
double compensated_sum(input<double>);
float horner(input<float> coefficients, float x);

// ---------------------------------------------------------------- sparse products (products.cpp)
//! Eigen's name, or of a serial loop where there is none.
std::string name_of_product();
template <class T>
void product(const upsweep::csr_view<T>& a, input<T> x, output<T> y, int threads);

}  // namespace bench::peers
