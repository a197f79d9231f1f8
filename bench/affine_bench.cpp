// Scans over wide values that do not commute: affine maps, matrices; and linear_recurrence, of either order and over
// rows.
#include <upsweep/affine.hpp>
#include <upsweep/linear_recurrence.hpp>
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
  return cub_calls(b, "DeviceScan::InclusiveScan", static_cast<index_t>(in.size()),
                   [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                     return cub::DeviceScan::InclusiveScan(storage, bytes, in.data(), out.data(), M{}, n, stream);
                   });
#else
  return serial_and_parallel(b, "std::inclusive_scan", [=](peers::way way) { peers::inclusive_scan<M>(way, in, out); });
#endif
}

//! An inclusive scan of items f(i), which is exact, and for the bits of rough(i), which is not.
template <class M, class F, class Rough>
trial inclusive(bed& b, index_t n, F f, Rough rough) {
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
                return compare(b, as_floats(out), as_floats(expected), numbers);
              },
          .same_bits = true,
          .roughen = [=, &b] { b.fill(in, rough); }};
}
trial affine_pairs(bed& b, index_t n, std::uint64_t seed) {
  return inclusive<upsweep::affine<float>>(b, n, random_maps<float>{seed}, random_maps<float, unit_numbers>{seed});
}
trial matrices(bed& b, index_t n, std::uint64_t seed) {
  return inclusive<upsweep::matrix<float, 2>>(b, n, random_symmetries<float>{seed}, random_rotations<float>{seed});
}

// ---------------------------------------------------------------- recurrences
#if UPSWEEP_HAS_CUDA
//! CUB's scan of maps from(i), the results projected: what it takes to make a recurrence of CUB.
template <class M, class From, class Project>
std::vector<contender> fused_scan(bed& b, const char* of, From from, std::span<float> out, Project project) {
  const auto in = thrust::make_transform_iterator(thrust::make_counting_iterator(0), from);
  const auto to = thrust::make_transform_output_iterator(out.data(), project);
  return composed(cub_calls(b, "DeviceScan::InclusiveScan of " + std::string(of), static_cast<index_t>(out.size()),
                            [=](void* storage, std::size_t& bytes, auto n, cudaStream_t stream) {
                              return cub::DeviceScan::InclusiveScan(storage, bytes, in, to, M{}, n, stream);
                            }));
}
#endif

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
  const auto peers = fused_scan<upsweep::affine<float>>(b, "affine maps", map_of{factors.data(), terms.data()},
                                                        expected, constant_part{});
#else
  const auto peers = serial_loop([=] { peers::recurrence(factors, terms, expected, expected.size()); });
#endif
  return {.ours = [=, &b] { upsweep::linear_recurrence(b.exec, factors, terms, x); },
          .peers = peers,
          .bytes = [=] { return 12.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, x, expected, n); },
          .same_bits = true,
          .roughen = [=, &b] { b.fill(terms, unit_numbers<float>{seed}); }};
}

constexpr int row_length = 4096;
using restarted = upsweep::segmented<upsweep::affine<float>>;
struct restarted_map_of {
  map_of map;
  UPSWEEP_HD restarted::value_type operator()(int i) const { return {map(i), i % row_length == 0}; }
};
struct restarted_constant_part {
  UPSWEEP_HD float operator()(const restarted::value_type& map) const { return map.value.b; }
};

trial recurrence_of_rows(bed& b, index_t n, std::uint64_t seed) {
  const auto factors = b.filled<float>(n, random_sign<float>{seed}), terms = b.filled<float>(n, uniform<float>{~seed});
  const auto x = b.room<float>(n), expected = b.room<float>(n);
#if UPSWEEP_HAS_CUDA
  const auto peers = fused_scan<restarted>(b, "segmented affine maps", restarted_map_of{{factors.data(), terms.data()}},
                                           expected, restarted_constant_part{});
#else
  const auto peers = serial_loop([=] { peers::recurrence(factors, terms, expected, row_length); });
#endif
  return {.ours = [=, &b] { upsweep::linear_recurrence(b.exec, factors, terms, x, 0.f, upsweep::rows(row_length)); },
          .peers = peers,
          .bytes = [=] { return 12.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, x, expected, n); },
          .same_bits = true,
          .roughen = [=, &b] { b.fill(terms, unit_numbers<float>{seed}); }};
}

//! ±1 for one of the two values before an item, 0 for the other.
struct random_lag {
  std::uint64_t seed;
  bool second;
  UPSWEEP_HD float operator()(index_t i) const {
    const std::uint64_t bits = random_bits(seed, i);
    return (bits >> 1 & 1) != second ? 0.f : bits & 1 ? 1.f : -1.f;
  }
};
struct companion_of {
  const float *a1, *a2, *b;
  UPSWEEP_HD upsweep::vector_map<float, 2> operator()(int i) const { return {{{{a1[i], a2[i]}, {1, 0}}}, {b[i], 0}}; }
};
struct first_constant {
  UPSWEEP_HD float operator()(const upsweep::vector_map<float, 2>& map) const { return map.c[0]; }
};

trial recurrence_of_order_2(bed& b, index_t n, std::uint64_t seed) {
  const auto a1 = b.filled<float>(n, random_lag{seed, false}), a2 = b.filled<float>(n, random_lag{seed, true});
  const auto terms = b.filled<float>(n, uniform<float>{~seed});
  const auto x = b.room<float>(n), expected = b.room<float>(n);
#if UPSWEEP_HAS_CUDA
  const auto peers = fused_scan<upsweep::affine_vector<float, 2>>(
      b, "maps of vectors", companion_of{a1.data(), a2.data(), terms.data()}, expected, first_constant{});
#else
  const auto peers = serial_loop([=] { peers::recurrence_of_order_2(a1, a2, terms, expected); });
#endif
  return {.ours = [=, &b] { upsweep::linear_recurrence(b.exec, upsweep::coefficients(a1, a2), terms, x); },
          .peers = peers,
          .bytes = [=] { return 16.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, x, expected, n); },
          .same_bits = true,
          .roughen = [=, &b] { b.fill(terms, unit_numbers<float>{seed}); }};
}

const bool rows = large("inclusive_scan/affine_float32", affine_pairs, 27) &&
                  large("inclusive_scan/matrix2_float32", matrices, 26) &&
                  large("linear_recurrence/float32", recurrence, 27) &&
                  large("linear_recurrence/float32_rows", recurrence_of_rows, 27) &&
                  large("linear_recurrence/float32_order2", recurrence_of_order_2, 26) &&
                  sizes_of_gpu("linear_recurrence/float32", recurrence);

}  // namespace
}  // namespace bench
