// With which of a lane's items do rows begin? Found out once a lane, not once an item.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/config.hpp>
#include <upsweep/cuda/warp.hpp>
#include <upsweep/recurrence/recurrence_maps.hpp>

namespace UPSWEEP_NAMESPACE::gpu {

//! begins(k, item) of a lane's k-th item, k a constant after unrolling. The lane's first item is the `first`-th of n
//! along the scan, and the very first one begins a row.
template <class Rows, int PerLane, bool Reversed>
struct lane_rows;
template <int PerLane, bool Reversed>
struct lane_rows<detail::one_row, PerLane, Reversed> {
  bool is_first;
  __device__ lane_rows(const detail::one_row&, index_t first, index_t) : is_first(first == 0) {}
  __device__ bool begins(int k, const auto&) const { return k == 0 && is_first; }
};
template <class Offset, int PerLane, bool Reversed>
struct lane_rows<detail::rows_by_offsets<Offset>, PerLane, Reversed> {
  bool is_first;
  __device__ lane_rows(const detail::rows_by_offsets<Offset>&, index_t first, index_t) : is_first(first == 0) {}
  __device__ bool begins(int k, const auto& item) const {
    return (k == 0 && is_first) || detail::rows_by_offsets<Offset>::is_marked(item);
  }
};
template <int PerLane, bool Reversed>
struct lane_rows<detail::equal_rows, PerLane, Reversed> {
  static_assert(PerLane <= 32);
  std::uint32_t bits = 0;
  __device__ lane_rows(const detail::equal_rows& rows, index_t first, index_t n) {
    const std::uint64_t length = rows.places.divisor();
    // Reversed, a row begins with the item in front of a multiple of the length.
    const std::uint64_t past = rows.places(Reversed ? n - first : first);
    const std::uint64_t next = Reversed || past == 0 ? past : length - past;
    const int step = static_cast<int>(min(length, std::uint64_t{PerLane}));
    for (int k = static_cast<int>(min(next, std::uint64_t{PerLane})); k < PerLane; k += step) bits |= 1u << k;
  }
  __device__ bool begins(int k, const auto&) const { return bits >> k & 1; }
  __device__ bool any_begins() const { return bits != 0; }
  //! Of those that begin among the lane's items, the first one begins with its k-th.
  __device__ int first_begun() const { return __ffs(static_cast<int>(bits)) - 1; }
  __device__ bool is_first_begun(int k) const { return (bits & ((1u << k) - 1)) == 0; }
};

//! Values before rows that lie in memory are fetched for the first row of each lane at once, not one lane after
//! another.
template <class Before>
inline constexpr bool fetches_before = false;
template <class T, int Order, class From>
inline constexpr bool fetches_before<detail::before_each<T, Order, From>> = true;

//! The rows that begin among a lane's items, and what stands before them.
template <class Lift, int PerLane, bool Reversed>
class lane_starts {
  using rows_type = std::remove_cvref_t<decltype(std::declval<Lift>().rows)>;
  using values = decltype(std::declval<Lift>().before_row(0));
  static constexpr bool fetches = std::is_same_v<rows_type, detail::equal_rows> &&
                                  fetches_before<std::remove_cvref_t<decltype(std::declval<Lift>().before)>>;

 public:
  __device__ lane_starts(const Lift& lift, index_t first, index_t n) : rows_(lift.rows, first, n) {
    if constexpr (fetches) {
      if (first < n && rows_.any_begins()) {
        const index_t logical = first + rows_.first_begun();
        if (logical < n) first_.value = lift.before_row(Reversed ? n - 1 - logical : logical);
      }
    }
  }
  __device__ bool begins(int k, const auto& item) const { return rows_.begins(k, item); }
  //! Of the row that begins with the lane's k-th item, which is item i.
  __device__ values before(const Lift& lift, [[maybe_unused]] int k, index_t i) const {
    if constexpr (fetches)
      if (rows_.is_first_begun(k)) return first_.value;
    return lift.before_row(i);
  }

 private:
  lane_rows<rows_type, PerLane, Reversed> rows_;
  maybe<values> first_;
};

}  // namespace UPSWEEP_NAMESPACE::gpu
