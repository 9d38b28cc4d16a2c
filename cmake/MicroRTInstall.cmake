# Programs, libmicrort.a, headers, the CMake package and the pkg-config file.

include(CMakePackageConfigHelpers)

install(DIRECTORY runtime/include/micrort DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The public headers name these as "kernels/base/...", found beside themselves.
install(FILES kernels/base/status.h kernels/base/span.h kernels/base/dtype.h kernels/base/shape.h
              kernels/base/checked_math.h kernels/base/cpu_features.h kernels/base/fixed_array.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/micrort/kernels/base)
install(TARGETS micrort EXPORT MicroRTTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT MicroRTTargets NAMESPACE MicroRT:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT)
configure_package_config_file(cmake/MicroRTConfig.cmake.in ${CMAKE_BINARY_DIR}/MicroRTConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/MicroRTConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/MicroRTConfig.cmake ${CMAKE_BINARY_DIR}/MicroRTConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT)
# The file finds the prefix from its own place, so that the installed tree can be moved.
file(RELATIVE_PATH MICRORT_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(MICRORT_PC_LIBS -lmicrort)
if(MICRORT_THREADS)
  string(APPEND MICRORT_PC_LIBS " -pthread")
endif()
if(MICRORT_CPUINFO)
  string(APPEND MICRORT_PC_LIBS " -lcpuinfo")
endif()
configure_file(cmake/micrort.pc.in ${CMAKE_BINARY_DIR}/micrort.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/micrort.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

foreach(program mnnconvert micrort-run micrort-bench micrort-info)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
