// What a call that fits no overload says first: one line of ours in place of thirty about overloads that were not
// meant.
//   UPSWEEP_EXPLAIN(copy_if, "copy_if(executor, in, out, predicate)")      behind the overloads of copy_if
// adds two overloads that fit everything and are worse than any real one. The first knows mistakes that are easily
// made; the second shows how the call is written.
#pragma once
#include <type_traits>

#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/stages.hpp>

//! The usage of calls with monoids ends in this.
#define UPSWEEP_A_MONOID_IS                                                                                       \
  ". A monoid names the type that accumulates, plus<T>{} or maximum<T>{}; make_monoid(function, identity) makes " \
  "others"

namespace UPSWEEP_NAMESPACE::detail {

//! An iterator that is no pointer: pointers are results, too.
template <class A>
concept names_iterator = !std::is_pointer_v<A> && !contiguous_range<const A> && requires(A a) {
  *a;
  ++a;
};

//! (Only behind an executor: a function of somebody else's with the same name is left alone.)
template <class First, class... Rest>
concept names_mistake = executor<First&> && (... || (is_vector_of_bool<Rest> || names_iterator<Rest>));

template <class... Arguments>
constexpr void explain_mistake() {
  static_assert(!(... || is_vector_of_bool<Arguments>), UPSWEEP_BITS_ARE_NO_ITEMS);
  static_assert(!(... || names_iterator<Arguments>),
                "upsweep: calls take ranges, not iterators: a container, or std::span(first, last)");
}

//! Anything at all, by a conversion that is worse than those of an overload that fits.
struct anything {
  template <class A>
  anything(const A&) {}
};
struct left_out {};

}  // namespace UPSWEEP_NAMESPACE::detail

//! The second one alone, for what is no call of an executor's.
#define UPSWEEP_SHOW_USAGE(call, usage)                                                                     \
  template <class Call = void>                                                                              \
  auto call(detail::anything, detail::anything = detail::left_out{}, detail::anything = detail::left_out{}, \
            detail::anything = detail::left_out{}, detail::anything = detail::left_out{},                   \
            detail::anything = detail::left_out{}, detail::anything = detail::left_out{},                   \
            detail::anything = detail::left_out{}, detail::anything = detail::left_out{}) {                 \
    static_assert(!std::is_void_v<Call>, "upsweep: these arguments do not fit " usage);                     \
  }

#define UPSWEEP_EXPLAIN(call, usage)                \
  template <class First, class... Rest>             \
    requires(detail::names_mistake<First, Rest...>) \
  auto call(const First&, const Rest&...) {         \
    detail::explain_mistake<Rest...>();             \
  }                                                 \
  UPSWEEP_SHOW_USAGE(call, usage ". (An executor is a host, device or any_executor that is not const)")
