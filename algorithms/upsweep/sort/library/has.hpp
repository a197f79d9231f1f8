// What sorts are compiled into upsweep::cuda, as errors say it: keys and values are those of library/table.hpp and
// library/bytes.hpp.
#pragma once
#include <upsweep/library/bytes.hpp>
#include <upsweep/library/table.hpp>

#define UPSWEEP_LIBRARY_KEY_NAMES " bool" UPSWEEP_LIBRARY_SMALL_TYPES(UPSWEEP_LIBRARY_NAME) UPSWEEP_LIBRARY_TYPE_NAMES

#define UPSWEEP_LIBRARY_SORTS \
  "radix_sort, radix_sort_by_key, radix_argsort, segmented_radix_sort and segmented_radix_sort_by_key"
#define UPSWEEP_LIBRARY_HAS_SORTS                                               \
  "It has " UPSWEEP_LIBRARY_SORTS ", of keys of type" UPSWEEP_LIBRARY_KEY_NAMES \
  " with values of" UPSWEEP_LIBRARY_VALUES(UPSWEEP_LIBRARY_VALUE_BYTES) " bytes"
#define UPSWEEP_LIBRARY_HAS_QUICKSORT \
  "It has quicksort of numbers of type" UPSWEEP_LIBRARY_KEY_NAMES ", by less_than{}, std::less or std::greater"
