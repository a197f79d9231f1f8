// The partitions into one range that are compiled into upsweep::cuda. They are several sweeps each, with room of their
// own, and are told to the C interface whole: that checks their arguments, too.
#pragma once
#include <upsweep/c/compaction.h>
#include <upsweep/compaction/library/has.hpp>
#include <upsweep/config.hpp>
#include <upsweep/executor.hpp>
#include <upsweep/library/errors.hpp>
#include <upsweep/library/intervals.hpp>
#include <upsweep/library/refuse.hpp>
#include <upsweep/library/scan.hpp>
#include <upsweep/stages.hpp>

namespace UPSWEEP_NAMESPACE::detail {

template <class T, library::comparison_of<T> C>
void partition_behind(device& executor, const load_stage<range_column<T>>& load, const tuple<named_range<T>>& out,
                      const C& predicate, index_t* count) {
  const auto& from = get<0>(load.columns).range;
  const auto selected = library::interval_of<T>(predicate);
  library::check(upsweep_stable_partition_copy(executor.handle(), library::input_of(from.data, from.size),
                                               library::output_of(get<0>(out).data, get<0>(out).size),
                                               library::told(selected), count));
}
template <class T, library::comparison_of<T> C>
void partition_in_place(device& executor, const tuple<named_range<T>>& items, const C& predicate, index_t* count) {
  const auto selected = library::interval_of<T>(predicate);
  library::check(upsweep_stable_partition(executor.handle(), library::output_of(get<0>(items).data, get<0>(items).size),
                                          library::told(selected), count));
}
UPSWEEP_NOT_IN_LIBRARY(partition_behind, UPSWEEP_LIBRARY_HAS_COMPACTION)
UPSWEEP_NOT_IN_LIBRARY(partition_in_place, UPSWEEP_LIBRARY_HAS_COMPACTION)

}  // namespace UPSWEEP_NAMESPACE::detail
