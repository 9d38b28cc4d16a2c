# A build for Windows under Debian's wine (./dev test --all).

if(NOT MICRORT_WINDOWS_BUILD)
  return()
endif()
set(wine ${PROJECT_SOURCE_DIR}/cmake/toolchains/wine.sh)
set(windows ${CMAKE_CURRENT_LIST_DIR})
micrort_tests_of_build(windows "${MICRORT_WINDOWS_BUILD}" COST 200 EMULATOR ${wine} PROGRAMS kernels runtime tools sealed)
add_test(NAME windows.vector_moves COMMAND ${windows}/vector_moves.sh x86_64-w64-mingw32-objdump
  ${MICRORT_WINDOWS_BUILD}/bin/micrort-run.exe ${MICRORT_WINDOWS_BUILD}/bin/micrort.dll)
add_test(NAME windows.vector_moves_self_test COMMAND ${windows}/vector_moves_self_test.sh x86_64-w64-mingw32-as x86_64-w64-mingw32-objdump)
if(TARGET mnnconvert)
  add_test(NAME windows.converter_compiles COMMAND ${windows}/converter_compiles.py x86_64-w64-mingw32-g++-posix ${PROJECT_BINARY_DIR})
endif()
if(TARGET micrort-seal)
  add_test(NAME windows.seal COMMAND ${windows}/seal.sh ${wine} ${MICRORT_WINDOWS_BUILD}/bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    ${PROJECT_SOURCE_DIR}/examples/meter_reader/meter_digits.onnx)
endif()
if(TARGET mnnconvert AND TARGET micrort-run AND TARGET micrort-info)
  add_test(NAME windows.same_outputs COMMAND ${windows}/same_outputs.sh ${wine} ${MICRORT_WINDOWS_BUILD}/bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    ${PROJECT_SOURCE_DIR}/examples/meter_reader/meter_digits.onnx)
  add_test(NAME windows.custom_ops COMMAND ${windows}/custom_ops.sh ${wine} x86_64-w64-mingw32-gcc-posix ${MICRORT_WINDOWS_BUILD}/bin
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:mnnconvert>)
  add_test(NAME windows.c_program COMMAND ${windows}/c_program.sh ${wine} x86_64-w64-mingw32-gcc-posix ${MICRORT_WINDOWS_BUILD}
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:mnnconvert>)
endif()
