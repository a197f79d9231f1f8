// Ranges of memory, and the names that errors call them by. What is written, and what a view refers to, must live on:
// a variable, or a view that is passed by value; a temporary that owns its items is refused.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <span>  // which declares std::ranges::enable_borrowed_range; <ranges> costs nvcc 1.5 s
#include <type_traits>
#include <utility>
#include <vector>

#include <upsweep/config.hpp>

namespace UPSWEEP_NAMESPACE {

//! A range of memory and the name that errors call it by. `T` is const for what is only read.
template <class T>
struct named_range {
  T* data;
  index_t size;
  const char* name;
};

template <class R>
concept contiguous_range = requires(R& r) {
  { std::data(r) } -> std::convertible_to<const volatile void*>;
  { std::size(r) } -> std::convertible_to<std::size_t>;
};
template <class R>
using element_t = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>>;

namespace detail {
template <class R, class T>
inline constexpr bool is_range_of = false;
template <contiguous_range R, class T>
inline constexpr bool is_range_of<R, T> = std::is_same_v<element_t<const R>, T>;

template <class A>
inline constexpr bool is_vector_of_bool = false;
template <class Allocator>
inline constexpr bool is_vector_of_bool<std::vector<bool, Allocator>> = true;

//! Does what a value of type T shows live on without it? Views of the standard's say so themselves; one of your own
//! does by std::ranges::enable_borrowed_range.
template <class T>
inline constexpr bool is_borrowed = std::ranges::enable_borrowed_range<T>;
//! Does what an argument shows live on behind the call? (The declared type of a parameter `A&& argument`, or its A.)
template <class A>
inline constexpr bool lives_on = std::is_lvalue_reference_v<A> || is_borrowed<std::remove_cvref_t<A>>;
//! Can an argument be written? (Images and tuples of ranges have their own answers.)
template <class A>
struct is_writable : std::true_type {};
template <contiguous_range A>
struct is_writable<A>
    : std::bool_constant<!std::is_const_v<std::remove_pointer_t<decltype(std::data(std::declval<A&>()))>>> {};

#define UPSWEEP_BITS_ARE_NO_ITEMS \
  "upsweep: std::vector<bool> holds bits, which are no items in memory: use std::vector<unsigned char>"

//! In a function that shows a range without keeping it: refuses temporaries, and bits.
#define UPSWEEP_CHECK_SHOWN(Range, call)                                                            \
  static_assert(!detail::is_vector_of_bool<std::remove_cvref_t<Range>>, UPSWEEP_BITS_ARE_NO_ITEMS); \
  static_assert(detail::lives_on<Range>,                                                            \
                "upsweep: " call " would refer to a temporary that is gone: keep the range in a variable")
template <class R>
concept shown_range = contiguous_range<R> || is_vector_of_bool<std::remove_cvref_t<R>>;

//! In a call with an argument `A&& argument` that is written: refuses constants and temporaries, by its name.
#define UPSWEEP_CHECK_OUTPUT(argument)                                                                           \
  static_assert(!detail::is_vector_of_bool<std::remove_cvref_t<decltype(argument)>>, UPSWEEP_BITS_ARE_NO_ITEMS); \
  static_assert(detail::is_writable<std::remove_reference_t<decltype(argument)>>::value,                         \
                "upsweep: " #argument " is const, but it is written");                                           \
  static_assert(detail::lives_on<decltype(argument)>,                                                            \
                "upsweep: " #argument                                                                            \
                " is a temporary, with which the result would be lost: pass a variable, "                        \
                "or a std::span of one")
//! Such an argument as a named_range.
#define UPSWEEP_OUTPUT(argument)                \
  [&] {                                         \
    UPSWEEP_CHECK_OUTPUT(argument);             \
    return detail::output(#argument, argument); \
  }()

//! Names a range for reading, or for writing. Calls name their arguments; a bare range is called by its stage.
template <contiguous_range R>
named_range<const element_t<const R>> input(const char* name, const R& range) {
  return {std::data(range), static_cast<index_t>(std::size(range)), name};
}
template <contiguous_range R>
auto output(const char* name, R&& range) {
  using T = std::remove_pointer_t<decltype(std::data(range))>;
  return named_range<T>{std::data(range), static_cast<index_t>(std::size(range)), name};
}
}  // namespace detail

namespace detail {
//! `count` items of a range, from number `first` on.
template <class T>
named_range<T> part_of(const named_range<T>& range, index_t first, index_t count) {
  return {range.data + first, count, range.name};
}
}  // namespace detail

namespace detail {
template <std::size_t Size>
struct text_constant {
  char text[Size];
  consteval text_constant(const char (&given)[Size]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t k = 0; k < Size; k++) text[k] = given[k];
  }
};
// "column 2 of in", counted from 1.
template <text_constant Thing, int Number, text_constant Whole>
inline constexpr auto numbered_name = [] {
  static_assert(1 <= Number && Number < 100);
  std::array<char, sizeof(Thing.text) + 7 + sizeof(Whole.text)> text{};
  std::size_t at = 0;
  const auto put = [&](const char* from) {
    while (*from) text[at++] = *from++;
  };
  put(Thing.text);
  text[at++] = ' ';
  if (Number >= 10) text[at++] = static_cast<char>('0' + Number / 10);
  text[at++] = static_cast<char>('0' + Number % 10);
  put(" of ");
  put(Whole.text);
  return text;
}();
// What a bare range of a stage is called: "range 2 of packed()".
template <text_constant Stage, std::size_t I>
const char* bare_range() {
  return numbered_name<"range", static_cast<int>(I) + 1, Stage>.data();
}
// f(the ranges for writing, named after their stage)
template <text_constant Stage, class F, class... Rs>
auto with_bare_ranges(const F& f, Rs&... ranges) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return f(output(bare_range<Stage, I>(), ranges)...);
  }(std::index_sequence_for<Rs...>{});
}
}  // namespace detail

}  // namespace UPSWEEP_NAMESPACE
