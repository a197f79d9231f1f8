# OpenMP says how many threads a host has by default: upsweep links it when it is there.
find_package(OpenMP QUIET COMPONENTS CXX)
include(${CMAKE_CURRENT_LIST_DIR}/upsweep-targets.cmake)
# COMPONENTS cuda: upsweep::cuda, the compiled library, where upsweep was built with it.
include(${CMAKE_CURRENT_LIST_DIR}/upsweep-cuda-targets.cmake OPTIONAL RESULT_VARIABLE upsweep_cuda_FOUND)
foreach(component IN LISTS upsweep_FIND_COMPONENTS)
  if(upsweep_FIND_REQUIRED_${component} AND NOT upsweep_${component}_FOUND)
    set(upsweep_FOUND FALSE)
    set(upsweep_NOT_FOUND_MESSAGE "this upsweep has no component ${component} (cuda is there with UPSWEEP_LIBRARY=ON)")
  endif()
endforeach()
