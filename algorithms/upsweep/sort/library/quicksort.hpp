// The quicksorts that are compiled into upsweep::cuda: those of numbers in their own order.
#pragma once
#include <upsweep/c/radix_sort.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/sort/library/has.hpp>
#include <upsweep/sort/library/radix_sort.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <library::sorted_key T>
void sort_numbers(device& executor, const T* in, T* out, index_t n, bool descending) {
  constexpr int type = library::key_code<T>;
  library::check(upsweep_quicksort(executor.handle(), {.data = in, .size = n, .type = type},
                                   {.data = out, .size = n, .type = type}, descending));
}
UPSWEEP_NOT_IN_LIBRARY(sort_numbers, UPSWEEP_LIBRARY_HAS_QUICKSORT)
UPSWEEP_NOT_IN_LIBRARY(sort_by_less, UPSWEEP_LIBRARY_HAS_QUICKSORT)

}  // namespace UPSWEEP_NAMESPACE::detail
