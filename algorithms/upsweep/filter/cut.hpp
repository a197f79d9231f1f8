// How a GPU cuts a signal: into lanes' shares, tiles of warps and blocks of 32 tiles, the same at every size, so that
// the state in front of a block is computed from the one before in one way only.
#pragma once
#include <numeric>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/filter/powers.hpp>
#include <upsweep/filter/rule.hpp>

namespace UPSWEEP_NAMESPACE {

//! States of so many entries are swept by matrices (cuda/run_matrix.hpp).
template <int StateEntries>
inline constexpr bool filter_by_matrices = StateEntries > 4;
template <int StateEntries>
inline constexpr int filter_warps = filter_by_matrices<StateEntries> ? 4 : 8;
//! Items of a lane's run. By matrices: an odd number of eights, so that rows lie in different banks.
template <int ItemBytes, int StateEntries>
inline constexpr int filter_run_items = filter_by_matrices<StateEntries> ? (ItemBytes <= 4 ? 40 : 24)
                                        : ItemBytes <= 2                 ? 40
                                                                         : 144 / ItemBytes;
//! Moments of two channels and more that are items of a lane's run: an odd number of vectors, where blocks allow it.
template <int SampleBytes, int Channels, int StateEntries>
inline constexpr int filter_run_moments = Channels == 1 ? filter_run_items<SampleBytes, StateEntries>
                                                        : (SampleBytes <= 2 ? 160 : 144) / (SampleBytes * Channels);
//! Items of a lane's run of an interleaved channel (cuda/interleaved_sweep.hpp): powers of two of these make a block.
template <int ItemBytes>
inline constexpr int interleaved_run_items = ItemBytes <= 2   ? 40
                                             : ItemBytes <= 4 ? 45
                                                              : 18;
//! Items of a block of 32 tiles: of blocks of all state sizes, their least common multiple.
template <int ItemBytes>
inline constexpr index_t filter_block_items =
    index_t{32} * 32 *
    std::lcm(filter_warps<1> * filter_run_items<ItemBytes, 1>, filter_warps<8>* filter_run_items<ItemBytes, 8>);

//! A rule with the powers, and for matrices the outputs, by which a GPU filters.
template <filter_rule R, int Unit, int Levels, int Channels = 1>
using powers_for =
    std::conditional_t<filter_by_matrices<R::size>, responding<R, Unit, Levels>, spanning<R, Unit, Levels, Channels>>;

}  // namespace UPSWEEP_NAMESPACE
