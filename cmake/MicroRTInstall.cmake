# What is installed, in components: runtime (programs for models), converter (mnnconvert), library (libmicrort.so), development (libmicrort.a, headers,
# CMake package, pkg-config, schema).

include(CMakePackageConfigHelpers)
include(MicroRTBillOfMaterials)

# Public headers name those of kernels/base as "kernels/base/...". Installed, all are below micrort/ and name each other so, that
# neither <model.h> nor <kernels/...> is found in anybody's include path.
set(installed_headers ${PROJECT_BINARY_DIR}/installed-headers)
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/include/micrort/*.h)
list(TRANSFORM public_headers REPLACE "^${PROJECT_SOURCE_DIR}/runtime/include/" "")
set(base_headers)
foreach(name status span dtype shape checked_math cpu_features fixed_array memory memory_block
    status_without_text)
  list(APPEND base_headers kernels/base/${name}.h)
endforeach()
# install_header(SOURCE TARGET): both relative.
function(micrort_installed_header from to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${from})
  file(READ ${PROJECT_SOURCE_DIR}/${from} text)
  string(REPLACE "#include \"kernels/base/" "#include \"micrort/kernels/base/" text "${text}")
  file(CONFIGURE OUTPUT ${installed_headers}/${to} CONTENT "${text}" @ONLY)
endfunction()
foreach(header ${public_headers})
  micrort_installed_header(runtime/include/${header} ${header})
endforeach()
foreach(header ${base_headers})
  micrort_installed_header(${header} micrort/${header})
endforeach()
install(DIRECTORY ${installed_headers}/micrort DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# flatc knows alignments up to 32 bytes; mnnconvert --realign does the rest.
file(READ schema/micrort.fbs schema_text)
string(REPLACE "force_align: 64" "force_align: 32" schema_text "${schema_text}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/micrort.fbs CONTENT "${schema_text}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/schema/micrort.fbs)
install(FILES ${PROJECT_BINARY_DIR}/micrort.fbs DESTINATION ${CMAKE_INSTALL_DATADIR}/micrort COMPONENT development)

# Headers of the kernels, for ahead-of-time C++: below a folder that only MicroRT::kernels has in its include path.
install(DIRECTORY kernels x86 arm wasm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/micrort/ahead_of_time COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN reference EXCLUDE PATTERN has_int16.h EXCLUDE)  # the latter needs a header of this build
install(TARGETS micrort_kernel_archive EXPORT MicroRTTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT development)
install(FILES cmake/MicroRTAddModel.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT development)
if(MICRORT_CPUINFO)
  install(FILES cmake/MicroRTCpuinfo.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT development)
endif()
if(MICRORT_XNNPACK)
  install(FILES cmake/MicroRTXnnpack.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT development)
  install(TARGETS micrort_xnnpack EXPORT MicroRTTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
install(TARGETS micrort EXPORT MicroRTTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(MICRORT_SHARED)
  install(TARGETS micrort_shared EXPORT MicroRTSharedTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT development RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  # A file of its own: it is installed with the shared library, which programs with the static one need not have.
  install(EXPORT MicroRTSharedTargets NAMESPACE MicroRT:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT library)
endif()
install(EXPORT MicroRTTargets NAMESPACE MicroRT:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT development)
configure_package_config_file(cmake/MicroRTConfig.cmake.in ${PROJECT_BINARY_DIR}/MicroRTConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/MicroRTConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/MicroRTConfig.cmake ${PROJECT_BINARY_DIR}/MicroRTConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/MicroRT COMPONENT development)

# The file finds the prefix from its own place, so that the installed tree can be moved.
file(RELATIVE_PATH MICRORT_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# The library is C++: a C compiler that links it needs to be told of the standard library.
# Named in full, because libmicrort.so beside it has the C interface alone.
set(MICRORT_PC_LIBS "-Wl,--gc-sections -l:libmicrort.a -lstdc++ -lm")
if(MICRORT_THREADS)
  string(APPEND MICRORT_PC_LIBS " -pthread")
endif()
if(MICRORT_CPUINFO)
  string(APPEND MICRORT_PC_LIBS " -lcpuinfo")
endif()
list(TRANSFORM MICRORT_PUBLIC_DEFINITIONS PREPEND " -D" OUTPUT_VARIABLE MICRORT_PC_CFLAGS)
list(JOIN MICRORT_PC_CFLAGS "" MICRORT_PC_CFLAGS)
configure_file(cmake/micrort.pc.in ${PROJECT_BINARY_DIR}/micrort.pc @ONLY)
configure_file(cmake/micrort-shared.pc.in ${PROJECT_BINARY_DIR}/micrort-shared.pc @ONLY)
if(MICRORT_SHARED)
  install(FILES ${PROJECT_BINARY_DIR}/micrort-shared.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()
install(FILES ${PROJECT_BINARY_DIR}/micrort.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(MICRORT_SEALED)
  install(FILES sealed/include/micrort/sealed.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/micrort COMPONENT development)
  install(TARGETS micrort_sealed ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  configure_file(cmake/micrort-sealed.pc.in ${PROJECT_BINARY_DIR}/micrort-sealed.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/micrort-sealed.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

if(MICRORT_TEXT)
  file(GLOB text_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/text/include/micrort/text/*.h)
  foreach(header ${text_headers})
    get_filename_component(name ${header} NAME)
    micrort_installed_header(text/include/micrort/text/${name} micrort/text/${name})
  endforeach()
  install(TARGETS micrort_text ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  configure_file(cmake/micrort-text.pc.in ${PROJECT_BINARY_DIR}/micrort-text.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/micrort-text.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

# Manual pages are made from --help-all, where the programs run on the machine that builds them.
find_program(MICRORT_HELP2MAN help2man)
function(micrort_install_program program component)
  if(NOT TARGET ${program})
    return()
  endif()
  install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  install(FILES tools/completion/micrort.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
    RENAME ${program} COMPONENT ${component})
  if(NOT MICRORT_HELP2MAN OR CMAKE_CROSSCOMPILING OR MICRORT_SANITIZE)
    return()
  endif()
  set(page ${PROJECT_BINARY_DIR}/man/${program}.1)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/man)
  add_custom_command(OUTPUT ${page} DEPENDS ${program} COMMENT "Writing ${program}.1"
    COMMAND ${MICRORT_HELP2MAN} --no-info --help-option=--help-all --output ${page} $<TARGET_FILE:${program}>)
  add_custom_target(man_${program} ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()
foreach(program micrort-run micrort-bench micrort-info micrort-generate micrort-transcribe)
  micrort_install_program(${program} runtime)
endforeach()
micrort_install_program(micrort-seal converter)
micrort_install_program(mnnconvert converter)
set(licensed runtime:micrort converter:micrort-converter development:libmicrort-dev)
if(MICRORT_SHARED)
  list(APPEND licensed library:libmicrort)
endif()
# A folder for each, because packages must not share files.
foreach(component_and_package ${licensed})
  string(REPLACE : ";" component_and_package ${component_and_package})
  list(GET component_and_package 0 component)
  list(GET component_and_package 1 package)
  install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package} COMPONENT ${component})
endforeach()
