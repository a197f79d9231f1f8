// The filters that several tests call, compiled once, in instances/filters.cpp.
#pragma once
#include <cstdint>
#include <span>

#include <upsweep/iir.hpp>

// Explicit instantiations, or with `extern` in front their declarations: of one filter, or of one for each channel.
#define UPSWEEP_TEST_FILTER(which, Executor, Filters, In, Out, Interleaved)                                \
  which void filter_sections(Executor&, const filter_bank<Filters>&, const signal<const In, Interleaved>&, \
                             const signal<Out, Interleaved>&, const kept_state&);
#define UPSWEEP_TEST_POLYNOMIALS(which, Executor, T)                                                                   \
  which void filter_polynomials(Executor&, const polynomials&, const signal<const T, false>&, const signal<T, false>&, \
                                double*);
#define UPSWEEP_TEST_FILTERS(which, Executor)                                                  \
  UPSWEEP_TEST_FILTER(which, Executor, 1, float, float, false)                                 \
  UPSWEEP_TEST_FILTER(which, Executor, 1, double, double, false)                               \
  UPSWEEP_TEST_FILTER(which, Executor, 1, std::int16_t, std::int16_t, false)                   \
  UPSWEEP_TEST_FILTER(which, Executor, 1, std::int16_t, float, false)                          \
  UPSWEEP_TEST_FILTER(which, Executor, 1, float, float, true)                                  \
  UPSWEEP_TEST_FILTER(which, Executor, 1, double, double, true)                                \
  UPSWEEP_TEST_FILTER(which, Executor, 1, std::int16_t, std::int16_t, true)                    \
  UPSWEEP_TEST_FILTER(which, Executor, 1, std::int16_t, float, true)                           \
  UPSWEEP_TEST_FILTER(which, Executor, std::dynamic_extent, float, float, false)               \
  UPSWEEP_TEST_FILTER(which, Executor, std::dynamic_extent, double, double, false)             \
  UPSWEEP_TEST_FILTER(which, Executor, std::dynamic_extent, std::int16_t, std::int16_t, false) \
  UPSWEEP_TEST_FILTER(which, Executor, std::dynamic_extent, std::int16_t, float, false)        \
  UPSWEEP_TEST_FILTER(which, Executor, std::dynamic_extent, float, float, true)                \
  UPSWEEP_TEST_POLYNOMIALS(which, Executor, float)                                             \
  UPSWEEP_TEST_POLYNOMIALS(which, Executor, double)

namespace UPSWEEP_NAMESPACE::detail {
UPSWEEP_TEST_FILTERS(extern template, host)
#if UPSWEEP_HAS_CUDA
UPSWEEP_TEST_FILTERS(extern template, device)
#endif
}  // namespace UPSWEEP_NAMESPACE::detail
