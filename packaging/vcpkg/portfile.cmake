# An overlay port of this source tree: vcpkg install micrort --overlay-ports=packaging/vcpkg. The library; micrort[converter] is mnnconvert, too,
# which has not been run yet.
set(VCPKG_POLICY_ALLOW_RESTRICTED_HEADERS enabled)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS converter FEATURES converter MICRORT_BUILD_CONVERTER)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${converter}
    -DMICRORT_BUILD_PROGRAMS=OFF
    -DMICRORT_BUILD_PYTHON=OFF
    -DMICRORT_SHARED=OFF
    -DMICRORT_WERROR=OFF
    "-DMICRORT_HEADER_LIBS_FROM=${CURRENT_INSTALLED_DIR}/include"
    "-DMICRORT_FLATC=${CURRENT_HOST_INSTALLED_DIR}/tools/flatbuffers/flatc${VCPKG_HOST_EXECUTABLE_SUFFIX}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME MicroRT CONFIG_PATH lib/cmake/MicroRT)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/THIRD_PARTY.md")
