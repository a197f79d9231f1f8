# A test that is left out for want of something is a test all the same: CTest shows it as skipped, and tests/run counts it.
function(upsweep_add_skipped name missing)
  if(UPSWEEP_TESTS)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: 1 for want of ${missing}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: 1 ")
  endif()
endfunction()
