// The pieces of many numbers at once (reproducible_plus.hpp), cut by vectors.
#pragma once
#include <upsweep/config.hpp>
#include <upsweep/host/versions.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! sums[k] = the sum of the k-th pieces of numbers: multiples of 2^(24·k) below 2^(24·(k + 1)), of either sign, of
//! items·scale·again. No product may be larger than all pieces together, and what lies below 1 is left out. Exact for
//! up to 2^29 items.
template <int Pieces, class T>
void sum_pieces(const T* items, index_t count, double scale, double again, double (&sums)[Pieces]) {
  constexpr int lanes = 8;
  constexpr double down[] = {1, 0x1p-24, 0x1p-48, 0x1p-72, 0x1p-96}, up[] = {1, 0x1p24, 0x1p48, 0x1p72, 0x1p96};
  static_assert(Pieces <= 5);
  with_vectors<true>([&](auto) UPSWEEP_LAMBDA_INLINE {
    double of_lanes[Pieces][lanes] = {};
    const auto add = [&](const T* item, int lane) UPSWEEP_LAMBDA_INLINE {
      double rest = static_cast<double>(*item) * scale * again;
      for (int k = Pieces - 1; k >= 0; k--) {
        const double piece = static_cast<int>(rest * down[k]);
        of_lanes[k][lane] += piece;
        rest -= piece * up[k];
      }
    };
    index_t i = 0;
    for (; i + lanes <= count; i += lanes)
      for (int lane = 0; lane < lanes; lane++) add(items + i + lane, lane);
    for (; i < count; i++) add(items + i, 0);
    for (int k = 0; k < Pieces; k++) {
      sums[k] = 0;
      for (const double sum : of_lanes[k]) sums[k] += sum;
    }
  });
}

}  // namespace UPSWEEP_NAMESPACE::detail
