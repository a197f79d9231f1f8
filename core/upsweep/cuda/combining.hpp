// The combining policy: how a kernel of the engine folds a tile, looks at what stands before it, and walks along it.
// The kernels (tilewise.hpp, pipeline.hpp) are written once against it. Scans bring by_monoid; a family of algorithms
// whose runs of items combine by more than an operator brings its own.
//
// A tile's way through a kernel, P being the policy. A warp works on its part of the tile, `part`, wherever it says so.
//   fold            every warp: what its part leaves, `total`; what its lanes need again is in `own` (registers) or
//                   `kept` (shared memory)
//   look_in_block   warp 0: what stands before each warp in the tile (the last of them the tile's own total, which it
//                   publishes), and before the tile in its block
//   look_before     the last warp: what stands before the block
//   find_around     all warps: what stands around the tile, made of these two
//   place           every warp: what stands before each of its lanes
//   walk            every warp: its results, sent off. True: the copy engine is still reading their stage
// In the pipeline warps have one role each, and a tile's fold and walk are different warps': look and reduce are the
// roles of those that look ahead and that fold, read gets items before what stands in front is known, and recall gets
// what the fold left in `lanes`.
//
// `by`, the combiner, is what a kernel's argument m and the tables in shared memory combine by. Everything that is
// combined must depend on the places of items alone (protocol.hpp).
#pragma once
#include <concepts>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/lane.hpp>
#include <upsweep/cuda/lookahead.hpp>
#include <upsweep/cuda/protocol.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! What a policy says of itself. Functions are templates, of the arguments of one range or of a batch's channel, and
//! are checked where kernels call them.
template <class P>
concept combining_policy =
    requires(typename P::tables& tables, const typename P::args_type& args, const board<typename P::value_type>& slots,
             typename P::lane& own, typename P::kept& kept, typename P::lanes& lanes,
             maybe<typename P::value_type>* before, prefixes<typename P::value_type>& around) {
      typename P::geometry;       // of a tile (tile.hpp)
      tables.fill(args.m, 0, 1);  // shared memory of a CTA, filled by all of so many warps; a barrier follows
      P::combiner_of(args.m, tables);
      P::look_in_block(P::combiner_of(args.m, tables), slots, true, 0, 0u, 1, before, before, around);
      P::look_before(P::combiner_of(args.m, tables), slots, 0, 0u, *before);
      P::find_around(P::combiner_of(args.m, tables), slots, 0, before[1], *before, around, around);
      P::recall(own, lanes);
      // Does something stand before the first item, finish.start()?
      { std::bool_constant<P::starts>{} };
      // May a slot of the pipeline be filled again when its items have been read, before they are walked along?
      { std::bool_constant<P::reads_all>{} };
      // Is what stands around a tile found in shared memory, for all its warps?
      { std::bool_constant<P::around_is_shared>{} };
      // The pipeline's groups of warps that walk, at alternate tiles.
      { std::integral_constant<int, P::scan_groups>{} };
    };

//! The `finish` of a sweep by a policy that starts: start() is what stands before the first item.
template <class Finish, class V>
concept gives_start = requires(const Finish& finish) {
  { finish.start() } -> std::convertible_to<V>;
};

//! Dynamic shared memory of a policy's tables.
template <class Tables>
constexpr int table_bytes = std::is_empty_v<Tables> ? 0 : (static_cast<int>(sizeof(Tables)) + 15) / 16 * 16;

//! Have full tiles a code of their own? Not where a lane has few items: it costs the compiler more than it gives.
template <class G>
inline constexpr bool two_codes = G::per_lane > 8;

}  // namespace UPSWEEP_NAMESPACE::gpu
