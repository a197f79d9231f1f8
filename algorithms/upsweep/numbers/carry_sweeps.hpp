// Sums and differences of limbs as sweeps: of one number, and of rows of them.
#pragma once
#include <cstdint>
#include <type_traits>

#include <upsweep/checks.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/numbers/carry.hpp>
#include <upsweep/numbers/host/limb_job.hpp>
#include <upsweep/scan.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/stages.hpp>
#if UPSWEEP_HAS_LIBRARY
#include <upsweep/numbers/library/big_numbers.hpp>
#endif

namespace UPSWEEP_NAMESPACE::detail {

// ---- one number: lift, store, and what is done with the total
template <class Op>
struct effect_on_carry {
  template <class T>
  UPSWEEP_HD carry operator()(const tuple<T, T>& limb) const {
    return Op::effect(get<0>(limb), get<1>(limb));
  }
};
template <class Op>
struct with_carry {
  template <class T>
  UPSWEEP_HD T operator()(index_t, const tuple<T, T>& limb, carry before, carry) const {
    return Op::of(get<0>(limb), get<1>(limb), before == carry::starts);
  }
};
template <class Flag>
struct write_carry {
  Flag* out;
  template <class Limb>
  UPSWEEP_HD void operator()(const Limb&, carry total) const {
    *out = total == carry::starts;
  }
  UPSWEEP_HD void empty(carry) const { *out = false; }
};

// ---- rows of numbers: nothing comes into the first limb of one, and its last limb says what comes out
template <class Op>
struct effect_in_row {
  multiple_of length;
  template <class T>
  UPSWEEP_HD carry operator()(const tuple<T, T, index_t>& limb) const {
    const carry effect = Op::effect(get<0>(limb), get<1>(limb));
    return effect == carry::passes && length(get<2>(limb)) ? carry::stops : effect;
  }
};
template <class Op, class Flag>
struct with_carry_in_row {
  multiple_of length;
  Flag* carried;
  template <class T>
  UPSWEEP_HD T operator()(index_t i, const tuple<T, T, index_t>& limb, carry before, carry behind) const {
    write_at_row_end(length, i, carried, behind == carry::starts);
    return Op::of(get<0>(limb), get<1>(limb), before == carry::starts && !length(i));
  }
};

template <class Op, class Executor, class Load, class T, class Flag>
void sweep_limbs(Executor& executor, const Load& limbs, const named_range<T>& out, Flag* carried) {
  scan_then(executor, row_count(limbs), limbs, effect_on_carry<Op>{}, carries{}, dense(out, with_carry<Op>{}),
            write_carry<Flag>{carried});
}
template <class Op, class Executor, class Load, class T, class Flag>
void sweep_rows(Executor& executor, const Load& limbs, const named_range<T>& out, index_t length, Flag* carried) {
  const multiple_of row(static_cast<std::uint64_t>(length));
  scan_then(executor, row_count(limbs), contiguous(limbs, indices()), effect_in_row<Op>{row}, carries{},
            dense(out, with_carry_in_row<Op, Flag>{row, carried}), no_total);
}
// A host needs no sweep of the engine's (limb_job.hpp).
template <class Op, class A, class B, class T, class Flag>
void sweep_rows(host& executor, const load_stage<A, B>& limbs, const named_range<T>& out, index_t length,
                Flag* carried) {
  const index_t n = row_count(limbs);
  if (n == 0) return;
  limb_job<Op, A, B, T, Flag> job{get<0>(limbs.columns), get<1>(limbs.columns), out.data, length, carried};
  run_job(executor.lender(), job, n, executor.threads());
}
template <class Op, class A, class B, class T, class Flag>
void sweep_limbs(host& executor, const load_stage<A, B>& limbs, const named_range<T>& out, Flag* carried) {
  const index_t n = row_count(limbs);
  if (n > limb_job<Op, A, B, T, Flag>::round) return sweep_rows<Op>(executor, limbs, out, n, carried);
  *carried = carry_stretch<Op>(get<0>(limbs.columns), get<1>(limbs.columns), out.data, 0, n, false);
}

template <class Op, class Executor, class Load, class T, class Flag>
void carry_along(Executor& executor, const Load& limbs, const named_range<T>& out, Flag* carried) {
  check_result(executor, "carried", carried);
  check_sweep(executor, row_count(limbs), limbs, dense(out));
  run_on_backend(executor, [&](auto& chosen) { sweep_limbs<Op>(chosen, limbs, out, carried); });
}
template <class Op, class Executor, class Load, class T, class Flag>
void carry_along_rows(Executor& executor, const Load& limbs, const named_range<T>& out,
                      const named_range<Flag>& carried, const rows& along, const char* in) {
  const index_t n = row_count(limbs);
  check_rows(n, along.length, in);
  check_sweep(executor, n, limbs, dense(out));
  const index_t numbers = n / along.length;
  check_range(executor, carried, numbers);
  check_disjoint(out, n, carried, numbers);
  for_each_element(limbs.columns, [&](const auto& column) {
    if constexpr (std::remove_cvref_t<decltype(column)>::in_memory) check_disjoint(column.range, n, carried, numbers);
  });
  run_on_backend(executor, [&](auto& chosen) { sweep_rows<Op>(chosen, limbs, out, along.length, carried.data); });
}

}  // namespace UPSWEEP_NAMESPACE::detail
