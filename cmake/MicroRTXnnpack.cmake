# The target xnnpack::xnnpack of the system's XNNPACK and pthreadpool (Debian's libxnnpack-dev and libpthreadpool-dev, whose
# operators are of February 2022), or of that below MICRORT_XNNPACK_ROOT, for another architecture.
if(NOT TARGET xnnpack::xnnpack)
  set(MICRORT_XNNPACK_ROOT "" CACHE PATH "Where Debian's XNNPACK has been unpacked, if it is not the system's (bench/arm/fetch_xnnpack.sh)")
  set(places)
  if(MICRORT_XNNPACK_ROOT)
    file(GLOB folders ${MICRORT_XNNPACK_ROOT}/usr/lib/*-linux-gnu*)
    set(places NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH PATHS ${MICRORT_XNNPACK_ROOT}/usr/include ${folders})
  endif()
  find_path(MICRORT_XNNPACK_INCLUDE xnnpack.h ${places})
  find_path(MICRORT_PTHREADPOOL_INCLUDE pthreadpool.h ${places})
  find_library(MICRORT_XNNPACK_LIBRARY XNNPACK ${places})
  find_library(MICRORT_PTHREADPOOL_LIBRARY pthreadpool ${places})
  if(NOT MICRORT_XNNPACK_INCLUDE OR NOT MICRORT_PTHREADPOOL_INCLUDE OR NOT MICRORT_XNNPACK_LIBRARY OR NOT MICRORT_PTHREADPOOL_LIBRARY)
    message(FATAL_ERROR "MICRORT_XNNPACK needs xnnpack.h, pthreadpool.h and their libraries: install libxnnpack-dev and "
      "libpthreadpool-dev, or turn it off")
  endif()
  add_library(xnnpack::pthreadpool UNKNOWN IMPORTED GLOBAL)
  set_target_properties(xnnpack::pthreadpool PROPERTIES IMPORTED_LOCATION "${MICRORT_PTHREADPOOL_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MICRORT_PTHREADPOOL_INCLUDE}")
  add_library(xnnpack::xnnpack UNKNOWN IMPORTED GLOBAL)
  set_target_properties(xnnpack::xnnpack PROPERTIES IMPORTED_LOCATION "${MICRORT_XNNPACK_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${MICRORT_XNNPACK_INCLUDE}" INTERFACE_LINK_LIBRARIES xnnpack::pthreadpool)
  if(MICRORT_XNNPACK_ROOT)
    # What these libraries need lies beside them.
    target_link_options(xnnpack::xnnpack INTERFACE -Wl,-rpath-link,${folders})
  endif()
endif()
