// What reductions to statistics are compiled into upsweep::cuda.
#pragma once
#include <upsweep/library/table.hpp>

//! ROW(monoid, C's function): over float and double.
#define UPSWEEP_LIBRARY_STATISTICS(ROW)    \
  ROW(log_sum_exp, upsweep_log_sum_exp_to) \
  ROW(mean_and_variance, upsweep_mean_and_variance_to)
#define UPSWEEP_LIBRARY_STATISTICS_TYPES(ROW) ROW(float) ROW(double)
