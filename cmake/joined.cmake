# Tests and benchmarks are compiled in groups, each a file that includes those of one subject: headers are read once a group,
# and what several of them instantiate is made once.
option(UPSWEEP_JOIN_TESTS "Compile tests and benchmarks in a few groups; OFF is for who works on one of them" ON)

# upsweep_take_group(TAKEN SOURCES PATTERN): moves those whose stems match from the list SOURCES to TAKEN.
function(upsweep_take_group taken sources pattern)
  set(all ${${sources}})
  set(matching)
  foreach(source IN LISTS all)
    cmake_path(GET source STEM stem)
    if(stem MATCHES "${pattern}")
      list(APPEND matching ${source})
    endif()
  endforeach()
  list(REMOVE_ITEM all ${matching})
  set(${taken} ${matching} PARENT_SCOPE)
  set(${sources} ${all} PARENT_SCOPE)
endfunction()

# upsweep_write_joined(RESULT SIDE GROUP HEADERS OPENING SOURCE...): the file to compile. Every source is in a namespace of its
# own, which begins with OPENING, for they use the same names; so what it includes must have been before: HEADERS.
function(upsweep_write_joined result side group headers opening)
  set(sources "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source FILENAME name)
    cmake_path(GET source STEM stem)
    string(APPEND sources "namespace ${stem} {\n${opening}#include \"${name}\"\n}\n")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(suffix_host cpp)
  set(suffix_cuda cu)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${group}.${suffix_${side}})
  file(CONFIGURE OUTPUT ${joined} CONTENT "${headers}\n${sources}" @ONLY)
  set(${result} ${joined} PARENT_SCOPE)
endfunction()
