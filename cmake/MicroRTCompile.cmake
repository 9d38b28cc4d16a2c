# Flags that every target shares, and the target architecture.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
  set(MICRORT_ARCH x86)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(MICRORT_ARCH arm64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "cortex-m")
  set(MICRORT_ARCH cortexm)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm")
  set(MICRORT_ARCH arm32)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(MICRORT_ARCH wasm)
else()
  set(MICRORT_ARCH other)
endif()

# The core that the toolchain file names tells what it has.
if(MICRORT_ARCH STREQUAL cortexm)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("static_assert(__ARM_FEATURE_SIMD32 != 0, \"DSP extension\");" MICRORT_ISA_DSP)
  check_cxx_source_compiles("static_assert((__ARM_FEATURE_MVE & 1) != 0, \"Helium\");" MICRORT_ISA_MVE)
endif()

if(MICRORT_THREADS)
  find_package(Threads)
endif()

# The archive can so go into a shared library of an app (JNI, ctypes).
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE AND NOT MICRORT_ARCH MATCHES "^(cortexm|wasm)$")
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# What nothing refers to is not linked.
set(MICRORT_GC_SECTIONS -Wl,--gc-sections)
if(APPLE)
  set(MICRORT_GC_SECTIONS -Wl,-dead_strip)
endif()

add_library(micrort_flags INTERFACE)
# Infinities, NaN and the order of sums count in the kernels, whatever the project around this one wants for its own code.
string(TOUPPER "${CMAKE_BUILD_TYPE}" MICRORT_BUILD_TYPE)
get_directory_property(MICRORT_OPTIONS_AROUND COMPILE_OPTIONS)
if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${MICRORT_BUILD_TYPE}} ${MICRORT_OPTIONS_AROUND}" MATCHES
    "-Ofast|-ffast-math|-ffinite-math-only|-funsafe-math|-fassociative-math|-freciprocal-math|-fno-signed-zeros")
  target_compile_options(micrort_flags INTERFACE -fno-fast-math)
endif()
target_include_directories(micrort_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(micrort_flags INTERFACE
  -Wall -Wextra $<$<BOOL:${MICRORT_WERROR}>:-Werror> -Wno-psabi
  # Integer kernels and element-wise float kernels give the same bits everywhere: no silent FMA.
  -ffp-contract=off -fno-math-errno
  -ffunction-sections -fdata-sections -fvisibility=hidden)
# GCC collects garbage from 128 MB on, which batches of files reach soon. Later, they take a tenth less time and a third more memory, for machines
# that have it.
cmake_host_system_information(RESULT MICRORT_HOST_MEMORY QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND MICRORT_HOST_MEMORY GREATER 7000)
  target_compile_options(micrort_flags INTERFACE "SHELL:$<$<COMPILE_LANGUAGE:CXX>:--param ggc-min-heapsize=600000>")  # KB
endif()
if(APPLE)
  # What a system older than the one that is built for does not have is an error.
  target_compile_options(micrort_flags INTERFACE -Wunguarded-availability)
endif()
if(WIN32)
  # GCC for Windows, but for Debian's, spills vectors of 32 and 64 bytes by instructions that trap where the stack is aligned to 16 alone
  # (its bug 54412). The assembler turns these moves into those that take any address, at the same speed. tests/windows/vector_moves.sh
  # looks for others.
  target_compile_options(micrort_flags INTERFACE -Wa,-muse-unaligned-vector-move)
  target_compile_options(micrort_flags INTERFACE
    "SHELL:$<$<COMPILE_LANGUAGE:CXX>:-include ${PROJECT_SOURCE_DIR}/kernels/base/platform/status_windows.h>")
endif()
if(NOT CMAKE_POSITION_INDEPENDENT_CODE AND NOT MICRORT_ARCH MATCHES "^(cortexm|wasm)$")
  # Some compilers would make such code all the same, for programs that are loaded anywhere.
  target_compile_options(micrort_flags INTERFACE -fno-pie)
  target_link_options(micrort_flags INTERFACE -no-pie)
endif()
if(MICRORT_ARCH STREQUAL wasm AND MICRORT_ISA_SIMD128)
  target_compile_options(micrort_flags INTERFACE -msimd128)
endif()
if(MICRORT_ARCH STREQUAL wasm AND MICRORT_THREADS)
  # Not -pthread, whose library has its own workers and JavaScript: kernels/base/platform/threads_wasm.h.
  target_compile_options(micrort_flags INTERFACE -matomics -mbulk-memory)
endif()
set(MICRORT_SANITIZER_OPTIONS)
set(MICRORT_SANITIZER_DEFINITIONS)
if(MICRORT_SANITIZE STREQUAL "thread")
  set(MICRORT_SANITIZER_OPTIONS -fsanitize=thread)
elseif(MICRORT_SANITIZE STREQUAL "memory")
  # And conversions without a cast that lose bits, which undefined behaviour leaves out.
  set(MICRORT_SANITIZER_OPTIONS -fsanitize=memory,implicit-integer-truncation)
  # What Debian's libstdc++ writes is not seen; with assertions, strings do not use its code.
  set(MICRORT_SANITIZER_DEFINITIONS _GLIBCXX_ASSERTIONS)
elseif(MICRORT_SANITIZE MATCHES "^(ON|TRUE|YES|Y|1)$")
  set(MICRORT_SANITIZER_OPTIONS -fsanitize=address,undefined)
elseif(MICRORT_SANITIZE)
  message(FATAL_ERROR "MICRORT_SANITIZE is '${MICRORT_SANITIZE}'; expected ON, memory, thread or OFF")
endif()
if(MICRORT_SANITIZE)
  # The device code has no RTTI, which the check of virtual tables needs.
  target_compile_options(micrort_flags INTERFACE ${MICRORT_SANITIZER_OPTIONS} -fno-sanitize=vptr
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(micrort_flags INTERFACE ${MICRORT_SANITIZER_DEFINITIONS})
  target_link_options(micrort_flags INTERFACE ${MICRORT_SANITIZER_OPTIONS})
endif()
if(MICRORT_FUZZ)
  target_compile_options(micrort_flags INTERFACE -fsanitize=fuzzer-no-link)
  if(NOT MICRORT_SANITIZE)
    # Many more tries a second: undefined behaviour and indices outside of containers still end them. Half of the
    # time would go to calls that tell the fuzzer what is compared.
    target_compile_options(micrort_flags INTERFACE -fno-sanitize-coverage=trace-cmp -fsanitize=undefined -fno-sanitize=vptr
      -fsanitize-undefined-trap-on-error)
    target_compile_definitions(micrort_flags INTERFACE _GLIBCXX_ASSERTIONS)
  endif()
endif()

# Programs read files that anybody made. The library has its own checks, and its kernels no room for these.
add_library(micrort_program_flags INTERFACE)
target_link_libraries(micrort_program_flags INTERFACE micrort_flags)
if(MICRORT_HARDENING AND NOT MICRORT_SANITIZE)
  target_compile_options(micrort_program_flags INTERFACE -fstack-protector-strong
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  if(WIN32)
    target_link_options(micrort_program_flags INTERFACE -fstack-protector-strong)  # its library; the rest is so in every program
  elseif(NOT APPLE)
    target_link_options(micrort_program_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
endif()

# What goes onto the device: no exceptions, no RTTI.
add_library(micrort_device_flags INTERFACE)
target_link_libraries(micrort_device_flags INTERFACE micrort_flags)
target_compile_options(micrort_device_flags INTERFACE -fno-exceptions -fno-rtti
  # Tables that only debuggers and profilers read.
  $<$<CONFIG:MinSizeRel>:-fno-asynchronous-unwind-tables> $<$<CONFIG:MinSizeRel>:-fno-unwind-tables>)
# What public headers depend on, for those who use them too.
set(MICRORT_PUBLIC_DEFINITIONS)
if(NOT MICRORT_ERROR_STRINGS)
  list(APPEND MICRORT_PUBLIC_DEFINITIONS MICRORT_ERROR_STRINGS=0)
endif()
if(NOT MICRORT_HEAP)
  list(APPEND MICRORT_PUBLIC_DEFINITIONS MICRORT_NO_HEAP)
  target_compile_definitions(micrort_device_flags INTERFACE MICRORT_NO_HEAP)
  # Without threads, nobody else makes a static object at the same time.
  target_compile_options(micrort_device_flags INTERFACE -fno-threadsafe-statics)
endif()
if(NOT MICRORT_FLOAT_LAYERS)
  target_compile_definitions(micrort_device_flags INTERFACE MICRORT_NO_FLOAT_LAYERS)
endif()
# A header, not a definition for all files: those that do not ask are so compiled alike with and without, which ccache finds.
if(NOT MICRORT_INT16)
  set(MICRORT_NO_INT16 ON)
endif()
configure_file(${PROJECT_SOURCE_DIR}/kernels/base/int16_option.h.in ${PROJECT_BINARY_DIR}/generated/kernels/base/int16_option.h)
target_include_directories(micrort_device_flags SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(micrort_device_flags INTERFACE
  MICRORT_ARCH_X86=$<STREQUAL:${MICRORT_ARCH},x86>
  MICRORT_ARCH_ARM=$<OR:$<STREQUAL:${MICRORT_ARCH},arm64>,$<STREQUAL:${MICRORT_ARCH},arm32>>
  MICRORT_ARCH_ARM64=$<STREQUAL:${MICRORT_ARCH},arm64>
  MICRORT_ERROR_STRINGS=$<BOOL:${MICRORT_ERROR_STRINGS}>
  MICRORT_THREADS=$<BOOL:${MICRORT_THREADS}>)

# Debian's header-only libraries (flatbuffers, CLI11, nlohmann-json, stb) are the same for every architecture. A
# cross compiler must not search the host's /usr/include, so it gets a folder with links to just these.
set(MICRORT_HEADER_LIBS ${PROJECT_BINARY_DIR}/header-libs)
file(MAKE_DIRECTORY ${MICRORT_HEADER_LIBS})
set(MICRORT_HEADER_LIBS_FROM "" CACHE PATH "Where to find these libraries first, if not where CMake looks")
foreach(header flatbuffers/flatbuffers.h CLI/CLI.hpp nlohmann/json.hpp stb/stb_image.h)
  get_filename_component(folder ${header} DIRECTORY)
  find_path(MICRORT_PATH_OF_${folder} ${header} HINTS ${MICRORT_HEADER_LIBS_FROM} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(MICRORT_PATH_OF_${folder})
  if(MICRORT_PATH_OF_${folder} AND NOT EXISTS ${MICRORT_HEADER_LIBS}/${folder})
    file(CREATE_LINK ${MICRORT_PATH_OF_${folder}}/${folder} ${MICRORT_HEADER_LIBS}/${folder} SYMBOLIC)
  endif()
endforeach()
if(NOT MICRORT_PATH_OF_flatbuffers)
  message(FATAL_ERROR "FlatBuffers' headers (flatbuffers/flatbuffers.h) are not found; MICRORT_HEADER_LIBS_FROM may name their folder")
endif()
add_library(micrort_header_libs INTERFACE)
target_include_directories(micrort_header_libs SYSTEM INTERFACE ${MICRORT_HEADER_LIBS})

# micrort_quick_sanitized(TARGET...): a sanitized build does not optimize these targets, which take longer to compile than to run.
# Every check stays, but undefined behaviour is an illegal instruction, with AddressSanitizer's stack trace (handle_sigill=1),
# instead of a call that describes it: half of the object code were such descriptions.
function(micrort_quick_sanitized)
  if(MICRORT_SANITIZE)
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -O0 -fsanitize-undefined-trap-on-error)
    endforeach()
  endif()
endfunction()

# micrort_alone(REGEX source...): sources with a line that matches are in no batch.
function(micrort_alone regex)
  foreach(source ${ARGN})
    file(STRINGS ${source} matching REGEX "${regex}" LIMIT_COUNT 1)
    if(matching)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# micrort_unity(TARGET...): lets MICRORT_UNITY_BUILD compile the files of these targets 32 at a time. Sanitized builds take 48, which is
# faster still from scratch, and slower after an edit, which such builds rarely see.
function(micrort_unity)
  if(MICRORT_UNITY_BUILD)
    set(batch 32)
    if(MICRORT_SANITIZE)
      set(batch 48)
    endif()
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()
