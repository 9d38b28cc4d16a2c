# Makes micrort_generated.h from the schema with Debian's flatc.

find_program(MICRORT_FLATC flatc REQUIRED)
set(MICRORT_GENERATED ${PROJECT_BINARY_DIR}/generated)
# Twice: with the classes of flatc's object API, which the converter and tests use, and without. The library uses none of them, and they
# are most of what each of its files would take to compile: targets with the property MICRORT_SCHEMA_WITHOUT_OBJECTS see the other one.
set(MICRORT_SCHEMA_HEADERS)
foreach(flavour objects plain)
  set(header ${MICRORT_GENERATED}/${flavour}/schema/micrort_generated.h)
  set(object_api $<$<STREQUAL:${flavour},objects>:--gen-object-api>)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${MICRORT_FLATC} --cpp --cpp-std c++17 --scoped-enums "${object_api}" --reflect-names
            -o ${MICRORT_GENERATED}/${flavour}/schema ${PROJECT_SOURCE_DIR}/schema/micrort.fbs
    DEPENDS ${PROJECT_SOURCE_DIR}/schema/micrort.fbs
    VERBATIM COMMAND_EXPAND_LISTS)
  list(APPEND MICRORT_SCHEMA_HEADERS ${header})
endforeach()
add_custom_target(micrort_schema_header DEPENDS ${MICRORT_SCHEMA_HEADERS})
add_library(micrort_schema INTERFACE)
add_dependencies(micrort_schema micrort_schema_header)
target_include_directories(micrort_schema SYSTEM INTERFACE
  ${MICRORT_GENERATED}/$<IF:$<BOOL:$<TARGET_PROPERTY:MICRORT_SCHEMA_WITHOUT_OBJECTS>>,plain,objects> ${MICRORT_GENERATED})
target_link_libraries(micrort_schema INTERFACE micrort_header_libs)
# Buffers are aligned to 64 bytes; Debian's flatbuffers asserts at most 32 unless told otherwise.
target_compile_definitions(micrort_schema INTERFACE FLATBUFFERS_MAX_ALIGNMENT=64)

# TFLite's format, for the converter, and for tests that write such files.
set(MICRORT_TFLITE_HEADER ${MICRORT_GENERATED}/schema/tflite_generated.h)
add_custom_command(
  OUTPUT ${MICRORT_TFLITE_HEADER}
  COMMAND ${MICRORT_FLATC} --cpp --cpp-std c++17 --scoped-enums --gen-object-api --reflect-names
          -o ${MICRORT_GENERATED}/schema ${PROJECT_SOURCE_DIR}/schema/tflite.fbs
  DEPENDS ${PROJECT_SOURCE_DIR}/schema/tflite.fbs
  VERBATIM)
add_custom_target(micrort_tflite_schema DEPENDS ${MICRORT_TFLITE_HEADER})
