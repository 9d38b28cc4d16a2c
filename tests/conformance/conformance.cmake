# ONNX's backend test cases, one CTest entry a suite.

set(MICRORT_ONNX_TEST_DATA /usr/share/libonnx-testdata/data CACHE PATH "Suites of Debian's libonnx-testdata")
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/conformance/*.cpp)
add_executable(conformance_tests ${sources})
target_compile_options(conformance_tests PRIVATE -O0)
micrort_test_code(conformance_tests PLAIN)
micrort_unity(conformance_tests)
target_link_libraries(conformance_tests PRIVATE micrort_converter)
micrort_library_first(conformance_tests micrort_converter micrort)
foreach(suite node simple pytorch-converted pytorch-operator)
  if(EXISTS ${MICRORT_ONNX_TEST_DATA}/${suite})
    add_test(NAME conformance.${suite}
      COMMAND conformance_tests ${MICRORT_ONNX_TEST_DATA}/${suite} ${CMAKE_CURRENT_SOURCE_DIR}/conformance/not_passed.txt)
    # Nothing crashes, leaks or does what C++ leaves undefined.
    if(MICRORT_ASAN_BUILD)
      add_test(NAME asan.conformance.${suite} COMMAND ${MICRORT_ASAN_BUILD}/bin/conformance_tests
        ${MICRORT_ONNX_TEST_DATA}/${suite} ${CMAKE_CURRENT_SOURCE_DIR}/conformance/not_passed.txt)
    endif()
  endif()
endforeach()
