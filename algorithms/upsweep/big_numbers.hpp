// Whole numbers of any length, as ranges of limbs, the least significant first:
//   big_add(exec, a, b, out) -> carry
//   big_subtract(exec, a, b, out) -> borrow
//   big_negate(exec, in, out) -> borrow
//   big_compare(exec, a, b) -> -1, 0, 1
// and of many numbers side by side: big_add(exec, a, b, out, carried, rows(length)).
// Limbs are unsigned integers of 32 or 64 bits. Numbers are unsigned, or signed in two's complement: sums are the same.
// What a stretch of limbs does with a carry that comes in, it stops it, hands it on or makes one, is a monoid (Ladner
// and Fischer 1980): one sweep reads both numbers and writes the sum.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/explain.hpp>
#include <upsweep/numbers/carry_sweeps.hpp>
#include <upsweep/numbers/limb_order.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE {

namespace detail {
template <class R>
concept limbs = contiguous_range<const R> && std::unsigned_integral<element_t<const R>> &&
                (sizeof(element_t<const R>) == 4 || sizeof(element_t<const R>) == 8);
template <class B, class A>
concept limbs_like = limbs<B> && std::is_same_v<element_t<const B>, element_t<const A>>;
template <class R>
concept flag_range = contiguous_range<R> && std::integral<element_t<R>>;

//! The limbs of two numbers side by side; of a negation those of 0 and of the number.
template <class A, class B>
auto limbs_of(const A& a, const B& b) {
  const auto x = input("a", a), y = input("b", b);
  check_same_size(x, y);
  return contiguous(x, y);
}
template <class In>
auto limbs_below_zero(const In& in) {
  return contiguous(constant(element_t<const In>{0}), input("in", in));
}
}  // namespace detail

//! out = a + b, of as many limbs; *carried, in the executor's memory, is what comes out of the last one. `out` may be
//! exactly a or b. Costs one read of a and b and one write of out; does not wait. Throws std::invalid_argument,
//! cuda_error.
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out, std::integral Flag>
void big_add(Executor&& executor, const A& a, const B& b, Out&& out, Flag* carried) {
  detail::carry_along<detail::limb_sum>(executor, detail::limbs_of(a, b), UPSWEEP_OUTPUT(out), carried);
}
//! The same; returns the carry, and waits for it.
//!   bool carried = upsweep::big_add(exec, a, b, a);
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out>
bool big_add(Executor&& executor, const A& a, const B& b, Out&& out) {
  return executor.template returned<bool>(
      [&](bool* carried) { big_add(executor, a, b, std::forward<Out>(out), carried); });
}
//! The same of many numbers of `along.length` limbs each, which follow one another; carried[k] is the k-th number's.
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out, detail::flag_range Flags>
void big_add(Executor&& executor, const A& a, const B& b, Out&& out, Flags&& carried, const rows& along) {
  detail::carry_along_rows<detail::limb_sum>(executor, detail::limbs_of(a, b), UPSWEEP_OUTPUT(out),
                                             UPSWEEP_OUTPUT(carried), along, "a");
}

//! out = a − b; *carried says that b was larger, and out is short of a − b by a power of two. Otherwise as big_add.
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out, std::integral Flag>
void big_subtract(Executor&& executor, const A& a, const B& b, Out&& out, Flag* carried) {
  detail::carry_along<detail::limb_difference>(executor, detail::limbs_of(a, b), UPSWEEP_OUTPUT(out), carried);
}
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out>
bool big_subtract(Executor&& executor, const A& a, const B& b, Out&& out) {
  return executor.template returned<bool>(
      [&](bool* carried) { big_subtract(executor, a, b, std::forward<Out>(out), carried); });
}
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Out, detail::flag_range Flags>
void big_subtract(Executor&& executor, const A& a, const B& b, Out&& out, Flags&& carried, const rows& along) {
  detail::carry_along_rows<detail::limb_difference>(executor, detail::limbs_of(a, b), UPSWEEP_OUTPUT(out),
                                                    UPSWEEP_OUTPUT(carried), along, "a");
}

//! out = −in in two's complement; *carried says that `in` was not 0. Otherwise as big_add.
template <executor Executor, detail::limbs In, contiguous_range Out, std::integral Flag>
void big_negate(Executor&& executor, const In& in, Out&& out, Flag* carried) {
  detail::carry_along<detail::limb_difference>(executor, detail::limbs_below_zero(in), UPSWEEP_OUTPUT(out), carried);
}
template <executor Executor, detail::limbs In, contiguous_range Out>
bool big_negate(Executor&& executor, const In& in, Out&& out) {
  return executor.template returned<bool>(
      [&](bool* carried) { big_negate(executor, in, std::forward<Out>(out), carried); });
}
template <executor Executor, detail::limbs In, contiguous_range Out, detail::flag_range Flags>
void big_negate(Executor&& executor, const In& in, Out&& out, Flags&& carried, const rows& along) {
  detail::carry_along_rows<detail::limb_difference>(executor, detail::limbs_below_zero(in), UPSWEEP_OUTPUT(out),
                                                    UPSWEEP_OUTPUT(carried), along, "in");
}
UPSWEEP_EXPLAIN(big_add,
                "big_add(executor, a, b, out), or with a pointer behind to an integer or bool for the carry, or with "
                "a range of carries and rows(length). Limbs are unsigned integers of 32 or 64 bits")
UPSWEEP_EXPLAIN(
    big_subtract,
    "big_subtract(executor, a, b, out), or with a pointer behind to an integer or bool for the borrow, or with "
    "a range of borrows and rows(length). Limbs are unsigned integers of 32 or 64 bits")
UPSWEEP_EXPLAIN(big_negate,
                "big_negate(executor, in, out), or with a pointer behind to an integer or bool for the borrow, or with "
                "a range of borrows and rows(length). Limbs are unsigned integers of 32 or 64 bits")

//! −1, 0 or 1 as a is smaller than b, equal, or larger; of as many limbs. Writes it to *order, in the executor's
//! memory, and does not wait. Costs one read of a and b; a host stops behind the first limbs from above that differ.
template <executor Executor, detail::limbs A, detail::limbs_like<A> B>
void big_compare(Executor&& executor, const A& a, const B& b, int* order) {
  const auto x = detail::input("a", a), y = detail::input("b", b);
  detail::check_same_size(x, y);
  detail::check_range(executor, x, x.size);
  detail::check_range(executor, y, y.size);
  detail::check_result(executor, "order", order);
  detail::run_on_backend(executor, [&](auto& chosen) { detail::compare_limbs(chosen, x, y, order); });
}
//! The same; returns it, and waits for it.
//!   if (upsweep::big_compare(exec, a, b) < 0) std::swap(a, b);
template <executor Executor, detail::limbs A, detail::limbs_like<A> B>
int big_compare(Executor&& executor, const A& a, const B& b) {
  return executor.template returned<int>([&](int* order) { big_compare(executor, a, b, order); });
}
//! The same of many numbers of `along.length` limbs each; orders[k] is that of the k-th ones. Does not wait.
template <executor Executor, detail::limbs A, detail::limbs_like<A> B, contiguous_range Orders>
void big_compare(Executor&& executor, const A& a, const B& b, Orders&& orders, const rows& along) {
  const auto x = detail::input("a", a), y = detail::input("b", b);
  const auto to = UPSWEEP_OUTPUT(orders);
  static_assert(std::is_signed_v<element_t<Orders>>, "upsweep: orders are signed integers: one may be -1");
  detail::check_same_size(x, y);
  detail::check_rows(x.size, along.length, "a");
  detail::check_range(executor, to, x.size / along.length);
  detail::check_disjoint(x, x.size, to, to.size);
  detail::check_disjoint(y, y.size, to, to.size);
  using store = detail::write_order_of_row<element_t<Orders>>;
  const detail::multiple_of length(static_cast<std::uint64_t>(along.length));
  detail::scan_then(executor, x.size, contiguous(x, y, indices()), detail::order_in_row{length},
                    detail::most_significant{}, each_store<store>{{length, to.data}}, no_total);
}
UPSWEEP_EXPLAIN(big_compare,
                "big_compare(executor, a, b), or with a pointer of type int* behind for the order, or with "
                "a range of orders and rows(length). Limbs are unsigned integers of 32 or 64 bits")

}  // namespace UPSWEEP_NAMESPACE
