// What compaction and partition is compiled into upsweep::cuda, as errors say it: comparisons and items are those of
// library/intervals.hpp, library/table.hpp and library/bytes.hpp.
#pragma once
#include <upsweep/library/bytes.hpp>
#include <upsweep/library/intervals.hpp>

#define UPSWEEP_LIBRARY_COMPACTIONS "copy_if, count_if, partition_copy, stable_partition_copy and stable_partition"
#define UPSWEEP_LIBRARY_RUNS "unique_copy and run_length_encode"
#define UPSWEEP_LIBRARY_FLAGGED "nonzero, copy_flagged and partition_flagged"
#define UPSWEEP_LIBRARY_HAS_COMPACTION                                                                         \
  "It has, for one range of items of type" UPSWEEP_LIBRARY_TYPE_NAMES ", " UPSWEEP_LIBRARY_COMPACTIONS         \
  " " UPSWEEP_LIBRARY_COMPARISON_NAMES ", three_way_partition by first_of two of these, " UPSWEEP_LIBRARY_RUNS \
  " by ==; and by flags of one byte " UPSWEEP_LIBRARY_FLAGGED                                                  \
  " of items of" UPSWEEP_LIBRARY_VALUES(UPSWEEP_LIBRARY_VALUE_BYTES) " bytes"
