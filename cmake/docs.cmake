# `docs`: API pages of the public headers in docs/html of the build, when Doxygen is there. A warning fails the target.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "upsweep: no target docs, Doxygen is missing")
  return()
endif()

file(GLOB public_headers CONFIGURE_DEPENDS core/upsweep/*.hpp algorithms/upsweep/*.hpp
     algorithms/upsweep/classic/*.hpp)
set(DOXYGEN_PROJECT_NAME upsweep)
set(DOXYGEN_PROJECT_BRIEF "${PROJECT_DESCRIPTION}")
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
set(DOXYGEN_STRIP_FROM_PATH .)
set(DOXYGEN_STRIP_FROM_INC_PATH core algorithms)
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${PROJECT_SOURCE_DIR}/README.md)
set(DOXYGEN_FILTER_PATTERNS "*.md=sed -E -f ${PROJECT_SOURCE_DIR}/cmake/doxygen/pages.sed"
                            "*.hpp=sed -E -f ${PROJECT_SOURCE_DIR}/cmake/doxygen/headers.sed")
set(DOXYGEN_IMAGE_PATH core bench/plots apps/pictures)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_GENERATE_LATEX NO)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_WARN_IF_UNDOCUMENTED NO)
# Internals are nobody's interface.
set(DOXYGEN_EXCLUDE_SYMBOLS "upsweep::detail" "upsweep::detail::*" "upsweep::gpu" "upsweep::gpu::*")
set(DOXYGEN_HIDE_UNDOC_MEMBERS YES)
set(DOXYGEN_HIDE_UNDOC_CLASSES YES)
set(DOXYGEN_EXTRACT_STATIC YES)
# What nvcc would make of the headers: both backends.
set(DOXYGEN_ENABLE_PREPROCESSING YES)
set(DOXYGEN_MACRO_EXPANSION YES)
set(DOXYGEN_EXPAND_ONLY_PREDEF YES)
set(DOXYGEN_SEARCH_INCLUDES NO)
set(DOXYGEN_PREDEFINED UPSWEEP_HD= UPSWEEP_INLINE=inline UPSWEEP_CALLS_USER= UPSWEEP_MAY_ALIAS=
                       UPSWEEP_HAS_CUDA=1 UPSWEEP_HAS_DEVICE=1 "UPSWEEP_EXPLAIN(name,text)="
                       "UPSWEEP_NOT_IN_LIBRARY(function,it_has)=")
doxygen_add_docs(docs README.md CHANGELOG.md algorithms/README.md algorithms/compiled/README.md packaging/README.md core/README.md apps/README.md bench/README.md bench/h200.md bench/h100.md bench/older.md bench/host.md
                 CONTRIBUTING.md ${public_headers} core/upsweep/cuda/device.hpp WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                 COMMENT "API pages: ${PROJECT_BINARY_DIR}/docs/html/index.html")
