# OpenMP says how many threads a host has by default: upsweep links it when it is there.
find_package(OpenMP QUIET COMPONENTS CXX)
include(${CMAKE_CURRENT_LIST_DIR}/upsweep-targets.cmake)
