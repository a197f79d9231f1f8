// The searches that are compiled into upsweep::cuda: a backend beside that of search/host/.
#pragma once
#include <upsweep/c/search.h>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/intervals.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/stages.hpp>

#define UPSWEEP_LIBRARY_HAS_SEARCHES                                                      \
  "Of searches it has count_if, of one range of items of type" UPSWEEP_LIBRARY_TYPE_NAMES \
  ", " UPSWEEP_LIBRARY_COMPARISON_NAMES

namespace UPSWEEP_NAMESPACE::detail {

template <class T, library::comparison_of<T> C>
void count_where(device& executor, index_t n, const load_stage<range_column<T>>& load, const C& predicate,
                 index_t* count) {
  const auto counted = library::interval_of<T>(predicate);
  library::check(upsweep_count_if(executor.handle(), library::input_of(get<0>(load.columns).range.data, n),
                                  library::told(counted), count));
}
UPSWEEP_NOT_IN_LIBRARY(count_where, UPSWEEP_LIBRARY_HAS_SEARCHES)
UPSWEEP_NOT_IN_LIBRARY(first_where, UPSWEEP_LIBRARY_HAS_SEARCHES)

}  // namespace UPSWEEP_NAMESPACE::detail
