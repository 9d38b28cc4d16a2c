# Classes for Caffe's messages, made from their schema with Debian's protoc. Includes name the header as if it lay beside
# the schema.

set(caffe_schema converter/frontend/caffe/caffe)
add_custom_command(
  OUTPUT ${MICRORT_GENERATED}/${caffe_schema}.pb.h ${MICRORT_GENERATED}/${caffe_schema}.pb.cc
  COMMAND protobuf::protoc --cpp_out=${MICRORT_GENERATED} --proto_path=${PROJECT_SOURCE_DIR}
          ${PROJECT_SOURCE_DIR}/${caffe_schema}.proto
  DEPENDS ${PROJECT_SOURCE_DIR}/${caffe_schema}.proto
  VERBATIM)
add_library(micrort_caffe_proto STATIC ${MICRORT_GENERATED}/${caffe_schema}.pb.cc)
# Nobody can do anything about warnings in generated code.
target_compile_options(micrort_caffe_proto PRIVATE -w $<$<CONFIG:Release>:-O1>)
target_include_directories(micrort_caffe_proto SYSTEM PUBLIC ${MICRORT_GENERATED})
target_link_libraries(micrort_caffe_proto PUBLIC protobuf::libprotobuf)
micrort_quick_sanitized(micrort_caffe_proto)
