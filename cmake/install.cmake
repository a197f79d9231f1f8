# `cmake --install`, and what find_package(upsweep) and pkg-config need to use it. Two components: headers, and cuda, the
# compiled library (algorithms/compiled), where it is built: cmake --install build --component headers
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(UPSWEEP_PACKAGE ${CMAKE_INSTALL_DATADIR}/cmake/upsweep)  # headers only: the same on every architecture
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME headers)

install(DIRECTORY core/upsweep algorithms/upsweep DESTINATION include FILES_MATCHING PATTERN *.hpp PATTERN *.h)
install(TARGETS upsweep upsweep_cuda_flags EXPORT upsweep)
install(EXPORT upsweep NAMESPACE upsweep:: FILE upsweep-targets.cmake DESTINATION ${UPSWEEP_PACKAGE})
write_basic_package_version_file(upsweep-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/upsweep-config.cmake ${PROJECT_BINARY_DIR}/upsweep-config-version.cmake DESTINATION ${UPSWEEP_PACKAGE})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# upsweep_install_pc(NAME FOLDER): cmake/NAME.pc.in for pkg-config. Its paths start where it lies, so that what is
# installed may be moved.
function(upsweep_install_pc name folder component)
  file(RELATIVE_PATH to_prefix /${folder} /)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${folder} COMPONENT ${component})
endfunction()
upsweep_install_pc(upsweep ${CMAKE_INSTALL_DATADIR}/pkgconfig headers)
if(UPSWEEP_LIBRARY)
  upsweep_install_pc(upsweep-cuda ${CMAKE_INSTALL_LIBDIR}/pkgconfig cuda)
endif()

# Debian packages, one a component: `cpack -G DEB` in the build folder.
set(CPACK_PACKAGE_CONTACT "the upsweep project")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HEADERS_PACKAGE_NAME libupsweep-dev)
set(CPACK_DEBIAN_HEADERS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_HEADERS_DESCRIPTION "${PROJECT_DESCRIPTION}: headers
 Scans, compaction, sorts, sparse products, filters and images, for the CPU and, compiled by nvcc, for NVIDIA GPUs.")
set(CPACK_DEBIAN_CUDA_PACKAGE_NAME libupsweep-cuda-dev)
set(CPACK_DEBIAN_CUDA_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "libupsweep-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_CUDA_DESCRIPTION "${PROJECT_DESCRIPTION}: compiled for NVIDIA GPUs
 For programs of a C++ or a C compiler alone. It needs no CUDA toolkit, and looks for the driver when a program runs.")
set(CPACK_COMPONENTS_ALL headers)
if(UPSWEEP_LIBRARY)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
endif()
include(CPack)
