// Where rows begin along a recurrence on the host: rows of one length, or segments between offsets.
//   first_from(position, hint)  the first that begins at a position or behind it; none before `hint` does
//   last_at(row, position)      the last that begins where this one does, at a position: of segments some are empty
//   begin(row)                  where it begins; of one behind the last, somewhere behind all items
//   number(row)                 its number in memory
#pragma once
#include <limits>

#include <upsweep/config.hpp>
#include <upsweep/segments.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <bool Reversed>
struct rows_of_length {
  index_t length, n;
  index_t first_from(index_t position, index_t) const { return (position + length - 1) / length; }
  index_t last_at(index_t row, index_t) const { return row; }
  index_t begin(index_t row) const { return row * length; }
  index_t number(index_t row) const { return Reversed ? n / length - 1 - row : row; }
  index_t mean_length() const { return length; }
};

//! What stands before the first offset is a row too, which row 0 is here. Wrong offsets are read, and nothing else.
template <class Offset>
struct rows_between_offsets {
  const Offset* offsets;
  index_t count, n;
  index_t first_from(index_t position, index_t hint) const {
    if (position == 0) return 0;
    index_t low = hint > 0 ? hint - 1 : 0, step = 1;  // all offsets before this one are in front
    while (low + step < count && static_cast<index_t>(offsets[low + step - 1]) < position) {
      low += step;
      step *= 2;
    }
    const index_t window = count - low < step ? count - low : step;
    return low + lower_bound(offsets + low, window, position) + 1;
  }
  index_t last_at(index_t row, index_t position) const {
    return begin(row + 1) > position ? row : first_from(position + 1, row) - 1;
  }
  index_t begin(index_t row) const {
    if (row == 0) return 0;
    if (row > count) return std::numeric_limits<index_t>::max();
    const auto offset = static_cast<index_t>(offsets[row - 1]);
    return offset < 0 ? 0 : offset;  // differences of positions do not overflow
  }
  index_t number(index_t row) const { return row - 1; }
  index_t mean_length() const { return n / count; }
};

}  // namespace UPSWEEP_NAMESPACE::detail
