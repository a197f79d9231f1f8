# Tests are compiled in groups, each a file that includes the tests of one subject: headers are read once a group, and
# what several tests instantiate is made once. All the tests together then take half as long, one that was edited longer.
include(${PROJECT_SOURCE_DIR}/cmake/joined.cmake)

# The groups, the longest first, by the names of their tests; all others are one more.
set(upsweep_test_groups sorts sparse filters compaction recurrences numbers scans images texts)
set(upsweep_sorts "sort|order|radix")
set(upsweep_sparse "csr|spm[mv]|eigen")
set(upsweep_filters "iir|filt|sections")
set(upsweep_compaction "columns|compaction|partition|stages")
set(upsweep_recurrences "affine|recurrence")
set(upsweep_numbers "^(big_numbers|expand|line_of_sight|polynomial|search|sums)")
set(upsweep_scans "scan|reduce|monoid|twofold|transform|peer|graph|large")
set(upsweep_images "clahe|equalize|histogram|image|luma|bits")
set(upsweep_texts "automaton|expressions|utf8")
set(upsweep_others ".")
# With options or pragmas of their own, or that include a header in front of all others.
set(upsweep_alone "^(config|segments|statistics|value_types)_test$")

# upsweep_join_tests(RESULT SIDE TEST...): the files to compile
function(upsweep_join_tests result side)
  set(left ${ARGN})
  set(sources)
  if(UPSWEEP_JOIN_TESTS)
    upsweep_take_group(alone left "${upsweep_alone}")
    foreach(group IN LISTS upsweep_test_groups ITEMS others)
      upsweep_take_group(joined left "${upsweep_${group}}")
      if(joined)
        upsweep_all_includes(headers ${joined})
        upsweep_write_joined(source ${side} ${group} "${headers}" "" ${joined})
        list(APPEND sources ${source})
      endif()
    endforeach()
    set(left ${alone})
  endif()
  set(${result} ${sources} ${left} PARENT_SCOPE)
endfunction()

# What tests include, on conditions or not, each header once.
function(upsweep_all_includes result)
  set(headers)
  foreach(test IN LISTS ARGN)
    file(STRINGS ${test} included REGEX "^#include ")
    list(APPEND headers ${included})
  endforeach()
  list(REMOVE_DUPLICATES headers)
  list(SORT headers ORDER DESCENDING)  # those in <> first
  list(JOIN headers "\n" headers)
  set(${result} "${headers}\n" PARENT_SCOPE)
endfunction()
