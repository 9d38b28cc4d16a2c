# The page about operators, as the registry of importers has it; a test compares the one in docs/ with it.

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/operator_table/*.cpp)
find_library(MICRORT_ONNX onnx REQUIRED)
add_executable(operator_table ${sources} converter/onnx_builder.cpp)
target_compile_options(operator_table PRIVATE -O0)
micrort_unity(operator_table)
target_link_libraries(operator_table PRIVATE micrort_converter ${MICRORT_ONNX})
add_test(NAME docs.operators COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/operator_table/compare.sh $<TARGET_FILE:operator_table>
  ${PROJECT_SOURCE_DIR}/docs/operators.md)
