# `cmake --install`, and what find_package(upsweep) needs to use it.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(UPSWEEP_PACKAGE ${CMAKE_INSTALL_DATADIR}/cmake/upsweep)  # headers only: the same on every architecture

install(DIRECTORY core/upsweep algorithms/upsweep DESTINATION include FILES_MATCHING PATTERN *.hpp PATTERN *.h)
install(TARGETS upsweep upsweep_cuda_flags EXPORT upsweep)
install(EXPORT upsweep NAMESPACE upsweep:: FILE upsweep-targets.cmake DESTINATION ${UPSWEEP_PACKAGE})
write_basic_package_version_file(upsweep-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/upsweep-config.cmake ${PROJECT_BINARY_DIR}/upsweep-config-version.cmake DESTINATION ${UPSWEEP_PACKAGE})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
