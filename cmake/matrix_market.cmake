# fast_matrix_market, which reads Matrix Market files: headers only, and in no release of Debian. Taken where it is
# installed, from the source that scripts/setup.sh has got and names, or from its home. Sets `reason` to why not.
function(upsweep_get_matrix_market reason)
  set(home https://github.com/alugowski/fast_matrix_market)
  set(tag v1.7.6)
  include(FetchContent)
  FetchContent_Declare(fast_matrix_market GIT_REPOSITORY ${home} GIT_TAG ${tag} GIT_SHALLOW ON UPDATE_DISCONNECTED ON
                       SYSTEM FIND_PACKAGE_ARGS 1.7.6)
  if(NOT EXISTS "${FETCHCONTENT_SOURCE_DIR_FAST_MATRIX_MARKET}")
    unset(FETCHCONTENT_SOURCE_DIR_FAST_MATRIX_MARKET CACHE)  # it has been removed since
  endif()
  # A download that fails would end the whole configuration: is there anything to download, and does its home answer?
  if(NOT FETCHCONTENT_SOURCE_DIR_FAST_MATRIX_MARKET)
    find_package(fast_matrix_market 1.7.6 QUIET)
    if(NOT fast_matrix_market_FOUND AND NOT EXISTS ${PROJECT_BINARY_DIR}/_deps/fast_matrix_market-src/CMakeLists.txt)
      find_package(Git QUIET)
      set(unreachable 1)
      if(Git_FOUND)
        execute_process(COMMAND ${GIT_EXECUTABLE} ls-remote --exit-code ${home} ${tag} TIMEOUT 20
                        RESULT_VARIABLE unreachable OUTPUT_QUIET ERROR_QUIET)
      endif()
      if(unreachable)
        set(${reason} "fast_matrix_market is missing, and ${home} cannot be reached" PARENT_SCOPE)
        return()
      endif()
    endif()
  endif()
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)  # it tells much
  foreach(dependency FAST_FLOAT DRAGONBOX RYU)  # the standard library reads numbers as well
    set(FMM_USE_${dependency} OFF)
  endforeach()
  FetchContent_MakeAvailable(fast_matrix_market)
endfunction()
