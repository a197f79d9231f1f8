// Numbers of any length, polynomials, and sums that can be trusted.
#include <upsweep/big_numbers.hpp>
#include <upsweep/compensated_plus.hpp>
#include <upsweep/polynomial.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reproducible_plus.hpp>

#include "harness.hpp"
#if UPSWEEP_HAS_CUDA
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#else
#include "host_peers.hpp"
#endif

namespace bench {
namespace {

using limb = std::uint64_t;

// ---------------------------------------------------------------- limbs
//! The bits of another number, so that a carry passes most limbs; and about one in a thousand of any bits.
struct nearly_opposite {
  std::uint64_t seed;
  UPSWEEP_HD limb operator()(index_t i) const {
    const limb other = random_bits(seed, i);
    return random_bits(~seed, i) % 1000 == 0 ? other * 3 : ~other;
  }
};
struct any_limb {
  std::uint64_t seed;
  UPSWEEP_HD limb operator()(index_t i) const { return random_bits(seed, i); }
};
#if UPSWEEP_HAS_CUDA
struct effect_of {  // what CUB scans: the carries alone
  const limb *a, *b;
  UPSWEEP_HD upsweep::carry operator()(index_t i) const {
    const limb sum = a[i] + b[i];
    return sum < a[i] ? upsweep::carry::starts : ~sum == 0 ? upsweep::carry::passes : upsweep::carry::stops;
  }
};
struct add_carries {
  const limb *a, *b;
  const upsweep::carry* before;
  limb* out;
  UPSWEEP_HD void operator()(index_t i) const { out[i] = a[i] + b[i] + (before[i] == upsweep::carry::starts); }
};
#endif

trial addition(bed& b, index_t n, std::uint64_t seed) {
  const auto x = b.filled<limb>(n, any_limb{seed}), y = b.filled<limb>(n, nearly_opposite{seed});
  const auto out = b.room<limb>(n), expected = b.room<limb>(n);
  const auto carried = b.room<std::uint8_t>(1);
#if UPSWEEP_HAS_CUDA
  const auto effects =
      thrust::make_transform_iterator(thrust::make_counting_iterator(index_t{0}), effect_of{x.data(), y.data()});
  const auto before = b.scratch<upsweep::carry>(n);
  const contender scan =
      cub_call(b, "DeviceScan::ExclusiveScan of carries, and a kernel that adds them",
               [=, &b](void* storage, std::size_t& bytes, cudaStream_t stream) {
                 const cudaError_t error = cub::DeviceScan::ExclusiveScan(
                     storage, bytes, effects, before.data(), upsweep::carries{}, upsweep::carry::passes, n, stream);
                 if (storage)
                   upsweep::for_each_index(b.exec, n, add_carries{x.data(), y.data(), before.data(), expected.data()});
                 return error;
               });
  const auto peers = composed({scan});
#else
  std::vector<contender> peers{{"a serial loop", [=] { peers::add_limbs(x, y, expected); }}};
  if (peers::has_gmp()) peers.push_back({"GMP's mpn_add_n", [=] { peers::add_limbs_by_gmp(x, y, expected); }});
#endif
  return {.ours = [=, &b] { upsweep::big_add(b.exec, x, y, out, carried.data()); },
          .peers = peers,
          .bytes = [=] { return 24.0 * static_cast<double>(n); },
          .check = [=, &b] { return compare(b, out, expected, n); }};
}

// ---------------------------------------------------------------- sums of floats
template <class M, class T>
trial trusted_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, uniform<T>{seed});
  const auto out = b.template room<typename M::value_type>(1);
  const auto expected = b.template room<T>(1);
#if UPSWEEP_HAS_CUDA
  const auto peers =
      cub_calls(b, "DeviceReduce::Sum", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceReduce::Sum(storage, bytes, in.data(), expected.data(), items, stream);
      });
#else
  const auto peers = serial_loop([=] { expected[0] = peers::compensated_sum(in); });
#endif
  return {.ours = [=, &b] { upsweep::reduce(b.exec, in, M{}, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(in.size_bytes()); },
          .check =
              [=, &b] {
                const auto ours = static_cast<double>(static_cast<T>(b.read(out.data())));
                const auto peer = static_cast<double>(b.read(expected.data()));
                // The peer's error is what these sums avoid.
                return close(ours, peer, 1e-3 * std::fabs(peer)) ? std::string() : "wrong sum";
              },
          .same_bits = true};
}

// ---------------------------------------------------------------- polynomials
trial polynomial_at_a_point(bed& b, index_t n, std::uint64_t seed) {
  const auto c = b.filled<float>(n, uniform<float>{seed});
  const auto out = b.room<float>(1);
  const float x = 0.999f;  // a serial loop keeps its digits there
#if UPSWEEP_HAS_CUDA
  // A host's; what stands behind the first coefficients is less than a float can add to them.
  const auto first = fetched(b, std::span<const float>(c).first(std::min<std::size_t>(c.size(), 1 << 18)));
  const auto expected = placed(b, std::vector<float>{upsweep::polynomial(upsweep::host(), first, x)});
  const std::vector<contender> peers;
#else
  const auto expected = b.room<float>(1);
  const auto peers = serial_loop([=] { expected[0] = peers::horner(c, x); });
#endif
  return {.ours = [=, &b] { upsweep::polynomial(b.exec, c, x, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(c.size_bytes()); },
          .check =
              [=, &b] {
                const double value = b.read(expected.data());
                return compare<float>(b, out, expected, 1, 1e-2 * std::fabs(value));
              }};
}

const bool rows = large("big_add/limbs", addition, 26) && sizes("big_add/limbs", addition, 22) &&
                  more("reduce/float32_compensated", trusted_sum<upsweep::compensated_plus<float>, float>, 28) &&
                  more("reduce/float64_compensated", trusted_sum<upsweep::compensated_plus<double>, double>, 27) &&
                  more("reduce/float32_reproducible", trusted_sum<upsweep::reproducible_plus<float>, float>, 28) &&
                  more("reduce/float64_reproducible", trusted_sum<upsweep::reproducible_plus<double>, double>, 27) &&
                  more("polynomial/float32", polynomial_at_a_point, 28);

}  // namespace
}  // namespace bench
