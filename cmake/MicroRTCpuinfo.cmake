# The target cpuinfo::cpuinfo of the system's cpuinfo. Debian's own CMake files for it name a library that is not there.
if(NOT TARGET cpuinfo::cpuinfo)
  find_path(MICRORT_CPUINFO_INCLUDE cpuinfo.h)
  find_library(MICRORT_CPUINFO_LIBRARY cpuinfo)
  if(NOT MICRORT_CPUINFO_INCLUDE OR NOT MICRORT_CPUINFO_LIBRARY)
    message(FATAL_ERROR "MICRORT_CPUINFO needs cpuinfo.h and libcpuinfo: install libcpuinfo-dev, or turn it off")
  endif()
  add_library(cpuinfo::cpuinfo UNKNOWN IMPORTED GLOBAL)
  set_target_properties(cpuinfo::cpuinfo PROPERTIES IMPORTED_LOCATION "${MICRORT_CPUINFO_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MICRORT_CPUINFO_INCLUDE}")
endif()
