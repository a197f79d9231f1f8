// UTF-8: is a text valid, and which code points does it hold?
//   validate_utf8(exec, text)                   the first byte that is wrong
//   decode_utf8(exec, text, code_points)        a compaction
// A sequence has at most four bytes. So what a byte means follows from three before it and three behind, and nothing
// need be carried along the text: the one is a reduction, the other a compaction.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/automaton/text.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/monoid.hpp>
#include <upsweep/reduce.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {

//! A text as sequences of UTF-8 (RFC 3629; The Unicode Standard, table 3-7).
struct utf8_text {
  const std::uint8_t* bytes;
  index_t size;

  //! The bytes of a sequence that begins so; 1 when none does.
  UPSWEEP_HD static int length(std::uint8_t first) {
    if (first < 0xC2 || first > 0xF4) return 1;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  }
  UPSWEEP_HD static bool continues(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }
  //! May `second` stand behind `first`? Not where a shorter sequence would do, in surrogates, and beyond U+10FFFF.
  UPSWEEP_HD static bool fits(std::uint8_t first, std::uint8_t second) {
    const int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return low <= second && second <= high;
  }
  //! How many bytes from `at` on are of one sequence, whole or broken off; `at` is no continuation.
  UPSWEEP_HD int extent(index_t at) const {
    const int whole = length(bytes[at]);
    int k = 1;
    while (k < whole && at + k < size && (k == 1 ? fits(bytes[at], bytes[at + 1]) : continues(bytes[at + k]))) k++;
    return k;
  }
  //! Does the byte belong to a sequence that begins before it?
  UPSWEEP_HD bool is_inside(index_t at) const {
    if (!continues(bytes[at])) return false;
    index_t begin = at - 1;
    while (begin >= 0 && begin > at - 3 && continues(bytes[begin])) begin--;
    return begin >= 0 && !continues(bytes[begin]) && begin + extent(begin) > at;
  }
  //! Is it whole, the sequence that begins at `at`?
  UPSWEEP_HD bool is_valid(index_t at) const {
    const std::uint8_t first = bytes[at];
    return first < 0x80 || (length(first) > 1 && extent(at) == length(first));
  }
};

//! Where in eight bytes the first wrong sequence begins; the size of the text when there is none.
struct first_wrong_byte {
  utf8_text text;
  UPSWEEP_HD bool are_ascii(index_t begin) const {
    return (eight_bytes(text.bytes + begin) & 0x8080808080808080u) == 0;
  }
  UPSWEEP_HD index_t operator()(index_t piece) const {
    const index_t begin = 8 * piece, end = begin + 8 < text.size ? begin + 8 : text.size;
    if (end - begin == 8 && are_ascii(begin)) return text.size;
    for (index_t at = begin; at < end; at++)
      if (!text.is_inside(at) && !text.is_valid(at)) return at;
    return text.size;
  }
};
//! Of no piece the identity would be the largest number there is.
struct write_first_wrong {
  index_t* first;
  index_t size;
  template <class Item>
  UPSWEEP_HD void operator()(const Item&, index_t total) const {
    *first = total;
  }
  UPSWEEP_HD void empty(index_t) const { *first = size; }
};

inline constexpr std::uint32_t replacement_character = 0xFFFD, no_code_point = ~std::uint32_t{0};
//! The code point that begins with a byte.
struct decode_at {
  utf8_text text;
  UPSWEEP_HD std::uint32_t operator()(index_t at) const {
    const std::uint8_t* b = text.bytes + at;
    if (*b < 0x80) return *b;
    if (text.is_inside(at)) return no_code_point;
    if (!text.is_valid(at)) return replacement_character;
    const auto six = [b](int k) { return static_cast<std::uint32_t>(b[k] & 0x3F); };
    switch (utf8_text::length(*b)) {
      case 2:
        return static_cast<std::uint32_t>(*b & 0x1F) << 6 | six(1);
      case 3:
        return static_cast<std::uint32_t>(*b & 0x0F) << 12 | six(1) << 6 | six(2);
      default:
        return static_cast<std::uint32_t>(*b & 0x07) << 18 | six(1) << 12 | six(2) << 6 | six(3);
    }
  }
};
struct is_code_point {
  UPSWEEP_HD int operator()(std::uint32_t code_point) const { return code_point == no_code_point ? 1 : 0; }
};
template <class T>
struct as_code_point {
  UPSWEEP_HD T operator()(index_t, std::uint32_t code_point, nothing, nothing) const {
    return static_cast<T>(code_point);
  }
};
}  // namespace detail

//! Where the first sequence begins that is no UTF-8 (as Python's UnicodeDecodeError.start); the number of bytes when
//! the text is valid. *first is in the executor's memory. Overlong sequences, surrogates, what lies beyond U+10FFFF and
//! sequences that are broken off are wrong. Costs one read of the text. Does not wait. Throws std::invalid_argument,
//! cuda_error.
template <executor Executor, detail::text_of_bytes Text>
void validate_utf8(Executor&& executor, const Text& text, index_t* first) {
  const auto from = detail::text_of(text);
  detail::check_range(executor, from, from.size);
  detail::check_result(executor, "first", first);
  detail::scan_then(executor, (from.size + 7) / 8, computed<index_t>(detail::first_wrong_byte{{from.data, from.size}}),
                    lift_to<index_t>{}, minimum<index_t>{}, discard, detail::write_first_wrong{first, from.size});
}
//! The same; returns it, and waits for it.
//!   if (upsweep::validate_utf8(exec, text) == std::ssize(text)) …
template <executor Executor, detail::text_of_bytes Text>
index_t validate_utf8(Executor&& executor, const Text& text) {
  return executor.template returned<index_t>([&](index_t* first) { validate_utf8(executor, text, first); });
}
UPSWEEP_EXPLAIN(validate_utf8,
                "validate_utf8(executor, text), or with a pointer of type index_t* behind for the position")

//! The code points of a text, in order; *count is their number, in the executor's memory. `code_points` (integers of 4
//! bytes: char32_t, std::uint32_t) must hold as many as the text has bytes and lies apart from it. What is no UTF-8
//! becomes U+FFFD, one for each sequence as far as it could have been one (as Python's errors="replace" and browsers
//! do). Costs one read of the text and one write of the code points. Does not wait. Throws std::invalid_argument,
//! cuda_error.
template <executor Executor, detail::text_of_bytes Text, contiguous_range Out>
void decode_utf8(Executor&& executor, const Text& text, Out&& code_points, index_t* count) {
  using T = element_t<Out>;
  static_assert(std::is_integral_v<T> && sizeof(T) == 4, "upsweep: code points are integers of 4 bytes");
  const auto from = detail::text_of(text);
  const auto to = UPSWEEP_OUTPUT(code_points);
  detail::check_range(executor, from, from.size);
  detail::check_text_output(executor, from, to);
  detail::check_result(executor, "count", count);
  detail::scan_then(
      executor, from.size, computed<std::uint32_t>(detail::decode_at{{from.data, from.size}}), detail::lift_nothing{},
      nothing{}, packed_rows(detail::is_code_point{}, detail::as_code_point<T>{}, to), detail::write_counts<1>{count});
}
//! The same; returns the number, and waits for it.
//!   std::int64_t found = upsweep::decode_utf8(exec, text, code_points);
template <executor Executor, detail::text_of_bytes Text, contiguous_range Out>
index_t decode_utf8(Executor&& executor, const Text& text, Out&& code_points) {
  return executor.template returned<index_t>(
      [&](index_t* count) { decode_utf8(executor, text, std::forward<Out>(code_points), count); });
}
UPSWEEP_EXPLAIN(decode_utf8,
                "decode_utf8(executor, text, code_points), or with a pointer of type index_t* behind for the count")

}  // namespace UPSWEEP_NAMESPACE
