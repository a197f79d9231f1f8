// What sorts ask of the ranges that they read and write.
#pragma once
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/ranges.hpp>

namespace UPSWEEP_NAMESPACE::detail {

//! n items of `in` fit `out`, which is exactly `in` or does not overlap it.
template <class Executor, class A, class B>
void check_pair(const Executor& executor, const named_range<A>& in, const named_range<B>& out, index_t n) {
  static_assert(std::is_same_v<std::remove_const_t<A>, B>, "what is sorted keeps its type");
  static_assert(std::is_trivially_copyable_v<B> && sizeof(B) <= 64, "items are trivially copyable, of 1 to 64 bytes");
  check_range(executor, in, n);
  check_range(executor, out, n);
  check_in_place(extent_of(in, n), extent_of(out, n), true);
}
//! A range that is sorted in place, as the one that is read.
template <class R>
auto as_input(const named_range<R>& range) {
  return named_range<const R>{range.data, range.size, range.name};
}

}  // namespace UPSWEEP_NAMESPACE::detail
