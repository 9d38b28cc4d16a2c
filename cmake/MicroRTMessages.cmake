# micrort_messages(TARGET SCHEMA...): classes for the messages of a frontend, made from its schemas
# (converter/frontend/SCHEMA.proto) with Debian's protoc. Includes name the headers as if they lay beside the schemas.
function(micrort_messages target)
  list(TRANSFORM ARGN PREPEND converter/frontend/ OUTPUT_VARIABLE schemas)
  list(TRANSFORM schemas PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE inputs)
  list(TRANSFORM inputs APPEND .proto)
  foreach(schema ${schemas})
    add_custom_command(
      OUTPUT ${MICRORT_GENERATED}/${schema}.pb.h ${MICRORT_GENERATED}/${schema}.pb.cc
      COMMAND protobuf::protoc --cpp_out=${MICRORT_GENERATED} --proto_path=${PROJECT_SOURCE_DIR}
              ${PROJECT_SOURCE_DIR}/${schema}.proto
      DEPENDS ${inputs}
      VERBATIM)
    list(APPEND sources ${MICRORT_GENERATED}/${schema}.pb.cc)
  endforeach()
  add_library(${target} STATIC ${sources})
  # Nobody can do anything about warnings in generated code.
  target_compile_options(${target} PRIVATE -w $<$<CONFIG:Release>:-O1>)
  target_include_directories(${target} SYSTEM PUBLIC ${MICRORT_GENERATED})
  target_link_libraries(${target} PUBLIC protobuf::libprotobuf)
  micrort_quick_sanitized(${target})
endfunction()
