# Random models with open sizes beside the same with fixed ones (./dev sizes); a test runs a few.

set(sources ${CMAKE_CURRENT_SOURCE_DIR}/open_sizes/main.cpp)
foreach(source converted graph_testing onnx_builder onnx_size_writer random_sizes torch_archive torch_size_writer)
  list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/converter/${source}.cpp)
endforeach()
add_executable(open_sizes EXCLUDE_FROM_ALL ${sources})
target_compile_options(open_sizes PRIVATE -O0)
micrort_test_code(open_sizes)
target_link_libraries(open_sizes PRIVATE micrort_converter micrort micrort_io ${MICRORT_ONNX} GTest::gtest)
