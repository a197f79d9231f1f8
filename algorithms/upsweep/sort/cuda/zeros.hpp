// < has one zero, keys have two: a stable sort leaves the signs of zeros in the order in which they stood. They are
// noted before numbers are sorted as keys, two bits a number, and put back in a sweep over the bits.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include <upsweep/config.hpp>
#include <upsweep/cuda/launch.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/scratch.hpp>
#include <upsweep/sort/sort_task.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! Of 32 numbers: which are zeros, and which of these have a sign.
struct zero_bits {
  std::uint32_t zeros, negative;
};

template <class T>
__global__ void note_zeros_kernel(const T* items, index_t n, zero_bits* bits) {
  using U = typename radix_key<T>::bits_type;
  const index_t step = static_cast<index_t>(gridDim.x) * blockDim.x;
  for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i - lane_id() < n; i += step) {
    const U item = i < n ? __builtin_bit_cast(U, items[i]) : U{1};
    const std::uint32_t positive = __ballot_sync(~0u, item == U{}),
                        negative = __ballot_sync(~0u, item == detail::sign_bit<U>);
    if (lane_id() == 0) bits[i / warp_size] = {positive | negative, negative};
  }
}

struct count_zeros {
  __device__ index_t operator()(const zero_bits& bits) const { return __popc(bits.zeros); }
};
//! Writes the zeros of 32 numbers, behind as many as stand before them. (Meanwhile others look for the first zero: of
//! whichever sign they find it, neither is below the lower one.)
template <class T, class Bits>
struct put_zeros {
  T* sorted;
  index_t n;
  Bits bits;
  __device__ void operator()(index_t, const zero_bits& of, index_t before, index_t) const {
    if (of.zeros == 0) return;
    using U = typename Bits::bits_type;
    constexpr U first_zero = static_cast<U>(static_cast<U>(~U{}) >> 1);  // the lower one, whichever way it goes
    index_t first = 0;
    for (index_t count = n; count > 0;) {
      const index_t half = count / 2;
      const bool is_before = bits(sorted[first + half]) < first_zero;
      first = is_before ? first + half + 1 : first;
      count = is_before ? count - half - 1 : half;
    }
    T* to = sorted + first + before;
    for (std::uint32_t left = of.zeros; left; left &= left - 1) *to++ = of.negative & left & -left ? -T{} : T{};
  }
};

//! Nothing where the bits of an order tell all.
template <class T, class Bits>
class zeros_in_order {
 public:
  zeros_in_order(const T* in, T* out, index_t n, const Bits& by) : in_(in), out_(out), n_(n), by_(by) {}
  void cut(detail::scratch_cutter& scratch) {
    if constexpr (Bits::one_zero) bits_ = scratch.take<zero_bits>(words());
  }
  void note(device& executor) const {
    if constexpr (Bits::one_zero) {
      constexpr int threads = 256;
      const index_t ctas = std::min<index_t>((n_ + threads - 1) / threads, index_t{16} * executor.multiprocessors());
      launch<&note_zeros_kernel<T>>(executor, ctas, threads, 0, in_, n_, bits_);
    }
  }
  void put_back(device& executor) const {
    if constexpr (Bits::one_zero)
      scan(executor, words(), contiguous(std::span<const zero_bits>(bits_, static_cast<std::size_t>(words()))),
           count_zeros{}, plus<index_t>{}, each(put_zeros<T, Bits>{out_, n_, by_}), no_total);
  }

 private:
  const T* in_;
  T* out_;
  index_t n_;
  Bits by_;
  zero_bits* bits_ = nullptr;
  index_t words() const { return (n_ + warp_size - 1) / warp_size; }
};

}  // namespace UPSWEEP_NAMESPACE::gpu
