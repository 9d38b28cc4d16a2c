# MICRORT_VERSION, as the public header has it.

get_filename_component(version_header ${CMAKE_CURRENT_LIST_DIR}/../runtime/include/micrort/version.h ABSOLUTE)
file(READ ${version_header} version_text)
set(version_parts)
foreach(part MAJOR MINOR PATCH)
  string(REGEX MATCH "#define MICRORT_VERSION_${part} ([0-9]+)" matched "${version_text}")
  list(APPEND version_parts ${CMAKE_MATCH_1})
endforeach()
list(JOIN version_parts . MICRORT_VERSION)
if(NOT version_text MATCHES "#define MICRORT_VERSION \"${MICRORT_VERSION}\"")
  message(FATAL_ERROR "${version_header}: MICRORT_VERSION is not ${MICRORT_VERSION}")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
