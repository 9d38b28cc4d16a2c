# What ./dev fuzz runs under libFuzzer (MICRORT_FUZZ, clang), and a test that runs a little of it with any compiler.

set(schemas)
foreach(schema tflite micrort)
  set(binary ${PROJECT_BINARY_DIR}/fuzz-schemas/${schema}.bfbs)
  add_custom_command(
    OUTPUT ${binary}
    COMMAND ${MICRORT_FLATC} --binary --schema -o ${PROJECT_BINARY_DIR}/fuzz-schemas ${PROJECT_SOURCE_DIR}/schema/${schema}.fbs
    DEPENDS ${PROJECT_SOURCE_DIR}/schema/${schema}.fbs
    VERBATIM)
  list(APPEND schemas ${binary})
endforeach()
add_custom_target(micrort_fuzz_schemas DEPENDS ${schemas})

micrort_test(fuzz micrort_converter)
target_sources(fuzz_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/runtime/allocation_hook.cpp)
target_link_options(fuzz_tests PRIVATE ${watched_memory})
set(programs fuzz_tests)
if(MICRORT_FUZZ)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  add_executable(fuzz ${sources} ${CMAKE_CURRENT_LIST_DIR}/libfuzzer/main.cpp)
  target_link_libraries(fuzz PRIVATE micrort_converter micrort micrort_schema micrort_flags GTest::gmock)
  target_link_options(fuzz PRIVATE -fsanitize=fuzzer)
  micrort_quick_sanitized(fuzz)
  list(APPEND programs fuzz)
  # What makes inputs is not what is looked at.
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
endif()
foreach(program ${programs})
  if(TARGET micrort_serve)
    file(GLOB serve_harnesses CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/serve/*.cpp)
    target_sources(${program} PRIVATE ${serve_harnesses})
    target_compile_definitions(${program} PRIVATE MICRORT_FUZZ_SERVE)
    target_link_libraries(${program} PRIVATE micrort_serve)
  endif()
  foreach(builder caffe_net converted graph_testing onnx_builder tensorflow_graph tflite_builder torch_archive)
    target_sources(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/converter/${builder}.cpp)
  endforeach()
  target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/examples/custom_op/zero_out.c)
  # Each harness has its own Seeds() and Run().
  set_target_properties(${program} PROPERTIES UNITY_BUILD OFF)
  target_compile_definitions(${program} PRIVATE MICRORT_FUZZ_SCHEMAS="${PROJECT_BINARY_DIR}/fuzz-schemas"
    MICRORT_FUZZ_FINDINGS="${CMAKE_CURRENT_LIST_DIR}/findings")
  add_dependencies(${program} micrort_fuzz_schemas)
endforeach()
