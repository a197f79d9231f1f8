# upsweep for vcpkg, from the tree that this file is in:
#   vcpkg install upsweep --overlay-ports=packaging/vcpkg               headers
#   vcpkg install "upsweep[cuda]" --overlay-ports=packaging/vcpkg       with upsweep::cuda, which nvcc compiles
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
# Nothing of it is another in a program that is built for debugging.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES cuda UPSWEEP_LIBRARY)
set(with_cuda OFF)
if("cuda" IN_LIST FEATURES)
  set(with_cuda ON)
endif()
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DUPSWEEP_CUDA=${with_cuda} -DUPSWEEP_TESTS=OFF -DUPSWEEP_APPS=OFF -DUPSWEEP_BENCH=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/upsweep)
# vcpkg has files with a line of libraries, -fopenmp here, in lib/ alone.
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/lib/pkgconfig")
file(RENAME "${CURRENT_PACKAGES_DIR}/share/pkgconfig/upsweep.pc" "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/upsweep.pc")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/pkgconfig")
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
