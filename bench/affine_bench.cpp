// Scans over wide values that do not commute: affine maps, matrices; and linear_recurrence on top.
#include <numeric>

#include <upsweep/affine.hpp>
#include <upsweep/scan.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

template <class M>
std::vector<contender> peers_of(bed& b, std::span<const typename M::value_type> in,
                                std::span<typename M::value_type> out) {
#if UPSWEEP_HAS_CUDA
  return {cub_call(b, "DeviceScan::InclusiveScan", [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, in.data(), out.data(), M{}, static_cast<int>(in.size()),
                                          stream);
  })};
#else
  return serial_and_parallel(b, "std::inclusive_scan", [=](auto... policy) {
    std::inclusive_scan(policy..., in.begin(), in.end(), out.begin(), M{});
  });
#endif
}

//! An inclusive scan of items f(i), whose numbers may differ from the peer's by `tolerance`.
template <class M, class F>
trial inclusive(bed& b, index_t n, F f, double tolerance) {
  using V = typename M::value_type;
  const auto in = b.filled<V>(n, f), out = b.template room<V>(n), expected = b.template room<V>(n);
  return {.ours = [=, &b] { upsweep::inclusive_scan(b.exec, in, out, M{}); },
          .peers = peers_of<M>(b, in, expected),
          .bytes = [=] { return 2.0 * static_cast<double>(in.size_bytes()); },
          .check =
              [=, &b] {
                const index_t numbers = static_cast<index_t>(sizeof(V) / sizeof(float)) * n;
                const auto as_floats = [=](std::span<V> items) {
                  return std::span(reinterpret_cast<const float*>(items.data()), static_cast<std::size_t>(numbers));
                };
                return compare(b, as_floats(out), as_floats(expected), numbers, tolerance);
              }};
}
trial affine_pairs(bed& b, index_t n, std::uint64_t seed) {
  return inclusive<upsweep::affine<float>>(b, n, random_maps<float>{seed}, 0);
}
trial matrices(bed& b, index_t n, std::uint64_t seed) {
  return inclusive<upsweep::matrix<float, 2>>(b, n, random_rotations<float>{seed}, 0.01);
}

struct map_of {
  const float *a, *b;
  UPSWEEP_HD upsweep::affine_map<float> operator()(int i) const { return {a[i], b[i]}; }
};
struct constant_part {  // what the map makes of 0
  UPSWEEP_HD float operator()(const upsweep::affine_map<float>& map) const { return map.b; }
};

trial recurrence(bed& b, index_t n, std::uint64_t seed) {
  const auto factors = b.filled<float>(n, random_sign<float>{seed}), terms = b.filled<float>(n, uniform<float>{~seed});
  const auto x = b.room<float>(n), expected = b.room<float>(n);
#if UPSWEEP_HAS_CUDA
  const auto from =
      thrust::make_transform_iterator(thrust::make_counting_iterator(0), map_of{factors.data(), terms.data()});
  const auto to = thrust::make_transform_output_iterator(expected.data(), constant_part{});
  contender peer = cub_call(b, "DeviceScan::InclusiveScan of affine maps (fused)",
                            [=](void* storage, std::size_t& bytes, cudaStream_t stream) {
                              return cub::DeviceScan::InclusiveScan(storage, bytes, from, to, upsweep::affine<float>{},
                                                                    static_cast<int>(n), stream);
                            });
#else
  contender peer{"a serial loop", [=] {
                   float before = 0;
                   for (std::size_t i = 0; i < x.size(); i++) expected[i] = before = factors[i] * before + terms[i];
                 }};
#endif
  return {.ours = [=, &b] { upsweep::linear_recurrence(b.exec, factors, terms, x); },
          .peers = {peer},
          .bytes = [=] { return 12.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, x, expected, n); }};
}

const bool rows = large("inclusive_scan/affine_float32", affine_pairs, 27) &&
                  large("inclusive_scan/matrix2_float32", matrices, 26) &&
                  large("linear_recurrence/float32", recurrence, 27);

}  // namespace
}  // namespace bench
