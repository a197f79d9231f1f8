// Segments: by head flags, by keys, by offsets, by rows of a fixed length. Each is a way to lift an item into
// segmented<M>.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
//! Is i a multiple of d, and which? One multiplication, exact for all 64-bit values (Granlund and Montgomery 1994, §9).
class multiple_of {
 public:
  explicit multiple_of(std::uint64_t d) : limit_(~std::uint64_t{0} / d) {
    while (d % 2 == 0) {
      d /= 2;
      shift_++;
    }
    inverse_ = inverse_of(d);
  }
  UPSWEEP_HD bool operator()(index_t i) const { return rotated(i) <= limit_; }
  //! i / d of a multiple i ≥ 0.
  UPSWEEP_HD index_t quotient(index_t i) const { return static_cast<index_t>(rotated(i)); }
  //! d itself: an inverse's inverse.
  std::uint64_t divisor() const { return inverse_of(inverse_) << shift_; }

 private:
  static std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;  // right in 3 bits; each Newton step doubles that
    for (int step = 0; step < 5; step++) inverse *= 2 - odd * inverse;
    return inverse;
  }
  UPSWEEP_HD std::uint64_t rotated(index_t i) const {
    const std::uint64_t q = static_cast<std::uint64_t>(i) * inverse_;
    return q >> shift_ | q << (-shift_ & 63);
  }
  std::uint64_t limit_, inverse_ = 1;
  int shift_ = 0;
};
//! i modulo d, of 0 ≤ i < 2^63: two multiplications, exact (Granlund and Montgomery 1994, §4).
class remainder_of {
 public:
  explicit remainder_of(std::uint64_t d)
      : divisor_(d),
        shift_(static_cast<int>(std::bit_width(d - 1))),
        factor_(static_cast<std::uint64_t>((wide_product{1} << (63 + shift_)) / d) + 1) {}
  UPSWEEP_HD std::uint64_t operator()(index_t i) const {
    const auto item = static_cast<std::uint64_t>(i), twice = item << 1;
    const auto product = static_cast<wide_product>(twice) * factor_;
    return item - (static_cast<std::uint64_t>(product >> 64) >> shift_) * divisor_;
  }
  UPSWEEP_HD std::uint64_t divisor() const { return divisor_; }

 private:
  std::uint64_t divisor_;
  int shift_;
  std::uint64_t factor_;
};
//! out[r] = value, if item i is the last one of row r.
template <class T, class V>
UPSWEEP_HD void write_at_row_end(const multiple_of& length, index_t i, T* out, const V& value) {
  if (length(i + 1)) out[length.quotient(i + 1) - 1] = static_cast<T>(value);
}
}  // namespace detail

//! Segments by flags, one an item: a segment starts wherever the flag is not zero.
template <class T>
struct heads_range {
  named_range<const T> range;
};
//! Names flags as such: integers or bool.   inclusive_segmented_scan(exec, in, heads(flags), out)
template <detail::shown_range R>
auto heads(R&& range) {
  UPSWEEP_CHECK_SHOWN(R, "heads()");
  static_assert(std::is_integral_v<element_t<const R>> || sizeof(element_t<const R>) == 1,
                "upsweep: heads are flags, integers or bool, one an item");
  return heads_range<element_t<const R>>{detail::input("heads", range)};
}

//! Segments by offsets: segment s is [offsets[s], offsets[s + 1]). Items before the first offset and from the last one
//! on are segments of their own.
template <class T>
struct offsets_range {
  named_range<const T> range;
};
//! Names positions as such.   inclusive_segmented_scan(exec, in, offsets(row_starts), out)
template <detail::shown_range R>
auto offsets(R&& range) {
  UPSWEEP_CHECK_SHOWN(R, "offsets()");
  using T = element_t<const R>;
  static_assert(std::is_integral_v<T> && sizeof(T) >= 4 && sizeof(T) <= 8,
                "upsweep: offsets are integers of 4 or 8 bytes");
  return offsets_range<T>{detail::input("offsets", range)};
}
template <class T>
const offsets_range<T>& offsets(const offsets_range<T>& range) {
  return range;
}

namespace detail {
template <class S>
inline constexpr bool is_heads = false;
template <class T>
inline constexpr bool is_heads<heads_range<T>> = true;
template <class S>
inline constexpr bool is_offsets = false;
template <class T>
inline constexpr bool is_offsets<offsets_range<T>> = true;
}  // namespace detail
//! What cuts the items of a segmented scan: heads(flags) or offsets(positions).
template <class S>
concept segments = detail::is_heads<S> || detail::is_offsets<S>;
//! Where only offsets are possible: a range of them, or offsets(positions).
template <class R>
concept offset_positions = contiguous_range<const R> || detail::is_offsets<R>;

namespace detail {
template <offset_positions R>
auto positions_of(const R& range) {
  if constexpr (is_offsets<R>) return range.range;
  else return offsets(range).range;  // an argument of the call, which it outlives
}
}  // namespace detail

namespace detail {
//! Marks of segments between offsets (segment_marks.hpp).
enum segment_mark : std::uint8_t { segment_start = 1, segment_end = 2 };

//! The first s in [0, count) with offsets[s] >= value; `count` when there is none. Stays in bounds for any contents.
template <class Offset>
UPSWEEP_HD index_t lower_bound(const Offset* offsets, index_t count, index_t value) {
  index_t from = 0;
  while (count > 0) {
    const index_t half = count / 2;
    if (static_cast<index_t>(offsets[from + half]) < value) {
      from += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return from;
}

//! A column that says where segments start and end, from their `segments + 1` offsets: an item's segment_mark bits. Of
//! a host, which fills many at once; a GPU has bits of them (cuda/mark_bits.hpp).
template <class Offset>
struct marks_column {
  using item_type = std::uint8_t;
  static constexpr bool in_memory = false, has_previous = false;
  const Offset* offsets;
  index_t count;  // of offsets

  bool is_offset(index_t i) const {
    const index_t s = lower_bound(offsets, count, i);
    return s < count && static_cast<index_t>(offsets[s]) == i;
  }
  std::uint8_t operator()(index_t i) const {
    return static_cast<std::uint8_t>((is_offset(i) ? segment_start : 0) | (is_offset(i + 1) ? segment_end : 0));
  }
  //! Makes marks[k] that of item first + k, 0 <= k < items.
  void fill(index_t first, index_t items, std::uint8_t* marks) const {
    const index_t from = lower_bound(offsets, count, first),
                  window = count - from < 2 * items ? count - from : 2 * items;
    const index_t found = lower_bound(offsets + from, window, first + items + 1);
    if (found == window && from + window < count) {  // a crowd of empty segments: do not walk through it
      for (index_t k = 0; k < items; k++) marks[k] = (*this)(first + k);
      return;
    }
    for (index_t k = 0; k < items; k++) marks[k] = 0;
    for (index_t s = from; s < from + found; s++) {
      const index_t k = static_cast<index_t>(offsets[s]) - first;
      if (0 <= k && k < items) marks[k] |= segment_start;
      if (0 < k && k <= items) marks[k - 1] |= segment_end;
    }
  }
};
//! The same of rows of one length.
struct row_marks_column {
  using item_type = std::uint8_t;
  static constexpr bool in_memory = false, has_previous = false;
  index_t length;

  std::uint8_t operator()(index_t i) const {
    return static_cast<std::uint8_t>((i % length == 0 ? segment_start : 0) | ((i + 1) % length == 0 ? segment_end : 0));
  }
  void fill(index_t first, index_t items, std::uint8_t* marks) const {
    index_t done = length < 16 && length < items ? length : items;
    for (index_t k = 0; k < done; k++) marks[k] = 0;
    const index_t last = length - 1 - first % length;  // of the row that the first item is in
    for (index_t k = last; k < done; k += length) marks[k] |= segment_end;
    for (index_t k = last == length - 1 ? 0 : last + 1; k < done; k += length) marks[k] |= segment_start;
    while (done < items) {  // short rows repeat
      const index_t more = items - done < done ? items - done : done;
      std::memcpy(marks + done, marks, static_cast<std::size_t>(more));
      done += more;
    }
  }
};
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
