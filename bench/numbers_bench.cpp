// Numbers of any length, polynomials, and sums that can be trusted.
#include <algorithm>
#include <cmath>
#include <limits>

#include <upsweep/big_numbers.hpp>
#include <upsweep/compensated_plus.hpp>
#include <upsweep/polynomial.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/reproducible_plus.hpp>

#include "../oracles/polynomials.hpp"
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
// What CUB scans: the carries alone.
enum class effect : std::uint8_t { stops, passes, starts };
struct effect_of {
  const limb *a, *b;
  UPSWEEP_HD effect operator()(index_t i) const {
    const limb sum = a[i] + b[i];
    return sum < a[i] ? effect::starts : ~sum == 0 ? effect::passes : effect::stops;
  }
};
struct joint_effect {
  UPSWEEP_HD effect operator()(effect earlier, effect later) const { return later == effect::passes ? earlier : later; }
};
struct add_carries {
  effect_of effects;
  const effect* before;
  index_t n;
  limb* out;
  std::uint8_t* carried;
  UPSWEEP_HD void operator()(index_t i) const {
    out[i] = effects.a[i] + effects.b[i] + (before[i] == effect::starts);
    if (i == n - 1) *carried = joint_effect{}(before[i], effects(i)) == effect::starts;
  }
};
#endif

trial addition(bed& b, index_t n, std::uint64_t seed) {
  const auto x = b.filled<limb>(n, any_limb{seed}), y = b.filled<limb>(n, nearly_opposite{seed});
  const auto out = b.room<limb>(n), expected = b.room<limb>(n);
  const auto carried = b.room<std::uint8_t>(1), expected_carry = b.room<std::uint8_t>(1);
#if UPSWEEP_HAS_CUDA
  const effect_of effects_of_limbs{x.data(), y.data()};
  const auto effects = thrust::make_transform_iterator(thrust::make_counting_iterator(index_t{0}), effects_of_limbs);
  const auto before = b.scratch<effect>(n);
  const add_carries add{effects_of_limbs, before.data(), n, expected.data(), expected_carry.data()};
  const auto peers =
      composed(cub_calls(b, "DeviceScan::ExclusiveScan of carries, and a kernel that adds them", n,
                         [=, &b](void* storage, std::size_t& bytes, auto limbs, cudaStream_t stream) {
                           const cudaError_t error = cub::DeviceScan::ExclusiveScan(
                               storage, bytes, effects, before.data(), joint_effect{}, effect::passes, limbs, stream);
                           if (storage) upsweep::for_each_index(b.exec, n, add);
                           return error;
                         }));
#else
  std::vector<contender> peers{{"a serial loop", [=] { expected_carry[0] = peers::add_limbs(x, y, expected); }}};
  if (peers::has_gmp())
    peers.push_back({"GMP's mpn_add_n", [=] { expected_carry[0] = peers::add_limbs_by_gmp(x, y, expected); }});
#endif
  return {.ours = [=, &b] { upsweep::big_add(b.exec, x, y, out, carried.data()); },
          .peers = peers,
          .bytes = [=] { return 24.0 * static_cast<double>(n); },
          .check =
              [=, &b] {
                const std::string wrong = compare(b, out, expected, n);
                return wrong.empty() ? compare(b, carried, expected_carry, 1) : wrong;
              }};
}

// ---------------------------------------------------------------- sums of floats
template <class T>
constexpr long double half_ulp = std::numeric_limits<T>::epsilon() / 2;

//! Of up to 2^31 multiples of 2^−53 in [0, 1): exact but for one rounding of long double.
template <class T>
long double exact_sum(const std::vector<T>& in) {
  std::uint64_t high = 0, low = 0;
  for (const T x : in) {
    const auto units = static_cast<std::uint64_t>(static_cast<double>(x) * 0x1p53);
    high += units >> 32;
    low += units & 0xffffffff;
  }
  return static_cast<long double>(high) * 0x1p-21L + static_cast<long double>(low) * 0x1p-53L;
}
// What each promises of the error of a sum of n numbers in [0, 1).
template <class T>
long double promised(upsweep::compensated_plus<T>, long double sum, index_t n) {
  const long double additions = 128 + static_cast<long double>(n) / 16384;
  return sum * (half_ulp<T> + additions * additions * half_ulp<T> * half_ulp<T>);
}
template <class T>
long double promised(upsweep::reproducible_plus<T>, long double sum, index_t n) {
  return half_ulp<T> * sum + static_cast<long double>(n) * (sizeof(T) == 4 ? 0x1p-47L : 0x1p-76L);
}

template <class M, class T>
trial trusted_sum(bed& b, index_t n, std::uint64_t seed) {
  const auto in = b.filled<T>(n, unit_numbers<T>{seed});
  const auto out = b.template room<typename M::value_type>(1);
  const auto expected = b.template room<T>(1);
  const long double sum = exact_sum<T>(fetched<T>(b, in));
#if UPSWEEP_HAS_CUDA
  auto peers =
      cub_calls(b, "DeviceReduce::Sum", n, [=](void* storage, std::size_t& bytes, auto items, cudaStream_t stream) {
        return cub::DeviceReduce::Sum(storage, bytes, in.data(), expected.data(), items, stream);
      });
  for (contender& peer : peers) peer.apart = true;  // its error is what these sums avoid
  const long double of_peer = std::numeric_limits<long double>::infinity();
#else
  const auto peers = serial_loop([=] { expected[0] = peers::compensated_sum(in); });
  // Kahan's (Higham 2002, §4.3), of numbers that are not negative.
  const long double of_peer = sum * half_ulp<T> * (2 + 4 * static_cast<long double>(n) * half_ulp<T>);
#endif
  return {.ours = [=, &b] { upsweep::reduce(b.exec, in, M{}, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(in.size_bytes()); },
          .check =
              [=, &b] {
                const auto near = [&](T found, long double bound) { return std::fabs(found - sum) <= bound; };
                if (!near(static_cast<T>(b.read(out.data())), promised(M{}, sum, n))) return std::string("wrong sum");
                return std::string(near(b.read(expected.data()), of_peer) ? "" : "the peer's sum is wrong");
              },
          .same_bits = true};
}

// ---------------------------------------------------------------- polynomials
trial polynomial_at_a_point(bed& b, index_t n, std::uint64_t seed) {
  const auto c = b.filled<float>(n, uniform<float>{seed});
  const auto out = b.room<float>(1);
  const float x = 0.999f;  // a serial loop keeps its digits there
  // What stands behind the first coefficients is less than a float can add to them.
  const auto first = fetched(b, std::span<const float>(c).first(std::min<std::size_t>(c.size(), 1 << 18)));
  const oracle::polynomial_value right = oracle::horner<float>(first, x);
  constexpr int joins = 64;  // of a scan of those, and of as many lanes as a host has
  const auto bound = static_cast<double>(half_ulp<float> * oracle::roundings_of(right, joins));
  const auto is_wrong = [=, &b](std::span<const float> y) {
    return !close(static_cast<double>(b.read(y.data())), static_cast<double>(right.value), bound);
  };
#if UPSWEEP_HAS_CUDA
  const std::vector<contender> peers;
#else
  const auto expected = b.room<float>(1);
  const auto peers = serial_loop([=] { expected[0] = peers::horner(c, x); });
#endif
  return {.ours = [=, &b] { upsweep::polynomial(b.exec, c, x, out.data()); },
          .peers = peers,
          .bytes = [=] { return static_cast<double>(c.size_bytes()); },
          .check =
              [=] {
#if !UPSWEEP_HAS_CUDA
                if (is_wrong(expected)) return std::string("the peer is wrong");
#endif
                return std::string(is_wrong(out) ? "wrong value" : "");
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
