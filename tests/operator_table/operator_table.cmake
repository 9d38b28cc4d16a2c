# The page about operators, as the registry of importers has it; a test compares the one in docs/ with it.

add_executable(operator_table operator_table/main.cpp operator_table/imported_types.cpp converter/onnx_builder.cpp)
target_link_libraries(operator_table PRIVATE micrort_converter)
add_test(NAME docs.operators COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/operator_table/compare.sh $<TARGET_FILE:operator_table>
  ${CMAKE_SOURCE_DIR}/docs/operators.md)
