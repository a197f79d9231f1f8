// The pieces of the numbers that a lane of a GPU meets (reproducible_plus.hpp), summed as whole numbers in doubles.
#pragma once
#include <cstdint>

#include <upsweep/config.hpp>
#include <upsweep/numbers/float_layout.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! A GPU's M::lane_fold (monoid.hpp) of sums in bins. Exact for up to 2^29 items.
template <class T, class Sum>
class lane_pieces {
  using layout = detail::float_layout<T>;
  using word = typename layout::word;
  static constexpr int bins = layout::bins;

 public:
  __device__ lane_pieces() { begin(layout::pieces - 1); }
  template <int N>
  __device__ void add(const T (&items)[N]) {
    T kept[N];
    word largest = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
      kept[i] = items[i];
      largest = max(largest, magnitude_of(items[i]));
    }
    if (largest > limit_) raise(kept);  // seldom: the bins rise a few times in all
#pragma unroll
    for (int i = 0; i < N; i++) cut(kept[i]);
  }
  __device__ Sum total() const {
    const Sum finite = Sum::of(others_, sum_of_pieces());
    return not_finite_ == 0 ? finite : Sum::of(finite, Sum(not_finite_));
  }

 private:
  __device__ static word magnitude_of(T item) { return layout::bits_of(item) & layout::magnitude; }
  __device__ Sum sum_of_pieces() const {
    double counts[bins];
    for (int k = 0; k < bins; k++) counts[k] = pieces_[k] * ldexp(1.0, -layout::piece_bits * k);
    return Sum::of_pieces(top_, counts);
  }
  //! Lifts the bins to where all fit that are finite, and takes out what is not.
  template <int N>
  __device__ void raise(T (&items)[N]) {
    word largest = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
      const word bits = magnitude_of(items[i]);
      if (layout::is_finite(bits)) {
        largest = max(largest, bits);
      } else {
        not_finite_ += items[i];
        items[i] = 0;
      }
    }
    if (largest <= limit_) return;
    others_ = Sum::of(others_, sum_of_pieces());
    begin(layout::top_of(largest));
  }
  __device__ void begin(int top) {
    top_ = top;
    limit_ = layout::largest_of(top);
    // Two factors, since the square of one may not be a double.
    const int up = -layout::lowest_of(top);
    scale_ = ldexp(1.0, up / 2);
    again_ = ldexp(1.0, up - up / 2);
    for (int k = 0; k < bins; k++) pieces_[k] = 0;
  }
  // A number that is added to 2^(52 + 24·k) and rounded towards zero has lost what is below its k-th piece.
  __device__ void cut(T item) {
    double rest = static_cast<double>(item) * scale_ * again_;
    const int sign = __double2hiint(rest) & static_cast<int>(0x80000000u);
#pragma unroll
    for (int k = bins - 1; k >= 0; k--) {
      const double large = __hiloint2double((1023 + 52 + layout::piece_bits * k) << 20 | sign, 0);
      const double piece = __dsub_rn(__dadd_rz(rest, large), large);
      pieces_[k] = __dadd_rn(pieces_[k], piece);
      rest = __dsub_rn(rest, piece);
    }
  }

  int top_;
  word limit_;
  double scale_, again_;
  double pieces_[bins];  // what the k-th pieces are worth, a multiple of 2^(24·k)
  Sum others_ = T{0};    // from before the bins rose
  T not_finite_ = 0;     // the sum of infinities and NaNs
};

}  // namespace UPSWEEP_NAMESPACE::gpu
