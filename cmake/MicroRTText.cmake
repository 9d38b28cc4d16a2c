# Whether libmicrort_text.a, micrort-generate and micrort-transcribe are built (MICRORT_TEXT): if libutf8proc and nlohmann-json are found.

set(MICRORT_TEXT OFF)
if(MICRORT_BUILD_TEXT AND MICRORT_HEAP)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(MICRORT_UTF8PROC QUIET IMPORTED_TARGET libutf8proc)
  endif()
  if(MICRORT_UTF8PROC_FOUND AND MICRORT_PATH_OF_nlohmann)
    set(MICRORT_TEXT ON)
  else()
    set(missing "text needs what Debian has in libutf8proc-dev, nlohmann-json3-dev and pkg-config")
    if(NOT MICRORT_BUILD_TEXT STREQUAL AUTO)
      message(FATAL_ERROR "${missing}; MICRORT_BUILD_TEXT=OFF builds without them")
    endif()
    message(STATUS "micrort-generate and micrort-transcribe are not built: ${missing}")
  endif()
endif()

# WAV files and sampling rates, for targets that are built without that library, too.
set(MICRORT_SOUND_SOURCES audio/wav.cpp audio/resample.cpp files/read_file.cpp)
list(TRANSFORM MICRORT_SOUND_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/text/)
