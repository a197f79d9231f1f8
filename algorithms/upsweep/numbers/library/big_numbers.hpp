// The sums and differences of big numbers that are compiled into upsweep::cuda.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/c/big_numbers.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/numbers/carry.hpp>
#include <upsweep/numbers/library/limbs.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::library {

template <class T>
constexpr bool is_limb() {
#define UPSWEEP_ROW(limb, name) \
  if (is_same_number<T, limb>) return true;
  UPSWEEP_LIBRARY_LIMBS(UPSWEEP_ROW)
#undef UPSWEEP_ROW
  return false;
}

//! Of one number when `length` is 0. What a negation's limbs are taken from is 0.
template <class Op, class T>
int call_on_limbs(device& executor, const load_stage<range_column<T>, range_column<T>>& limbs, upsweep_output out,
                  index_t length, std::uint8_t* carried) {
  const auto call = std::is_same_v<Op, detail::limb_sum> ? &upsweep_big_add : &upsweep_big_subtract;
  return call(executor.handle(), input_of(get<0>(limbs.columns).range.data, out.size),
              input_of(get<1>(limbs.columns).range.data, out.size), out, length, carried);
}
template <class Op, class T>
int call_on_limbs(device& executor, const load_stage<constant_column<T>, range_column<T>>& limbs, upsweep_output out,
                  index_t length, std::uint8_t* carried) {
  return upsweep_big_negate(executor.handle(), input_of(get<1>(limbs.columns).range.data, out.size), out, length,
                            carried);
}

}  // namespace UPSWEEP_NAMESPACE::library

namespace UPSWEEP_NAMESPACE::detail {

template <class Op, class Load, class T, class Flag>
void sweep_rows(device& executor, const Load& limbs, const named_range<T>& out, index_t length, Flag* carried) {
  static_assert(library::is_limb<T>() && library::byte_flag<Flag>,
                UPSWEEP_NOT_COMPILED_IN(UPSWEEP_LIBRARY_HAS_BIG_NUMBERS));
  const upsweep_output to = library::output_of(out.data, row_count(limbs));
  library::check(library::call_on_limbs<Op>(executor, limbs, to, length, reinterpret_cast<std::uint8_t*>(carried)));
}
template <class Op, class Load, class T, class Flag>
void sweep_limbs(device& executor, const Load& limbs, const named_range<T>& out, Flag* carried) {
  sweep_rows<Op>(executor, limbs, out, 0, carried);
}

}  // namespace UPSWEEP_NAMESPACE::detail
