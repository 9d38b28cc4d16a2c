# A program for each NAME.fb of MICRORT_DEVICE_MODELS that has a NAME_ops.h beside it: the model in the program, only its operators
# linked.

set(MICRORT_DEVICE_MODELS "" CACHE PATH "Folder of models to build programs for")
set(MICRORT_TRUSTED_MODELS "" CACHE STRING "Names of those that nobody can change in the program: these have no verifier")

# micrort_device_programs(sources...): device_NAME from these sources, and device_NAME_model, the model, for it to link;
# MICRORT_DEVICE_PROGRAMS are the names.
function(micrort_device_programs)
  file(GLOB models CONFIGURE_DEPENDS ${MICRORT_DEVICE_MODELS}/*.fb)
  set(names)
  set(embedding ${PROJECT_SOURCE_DIR}/examples/static_memory/model.cpp)
  foreach(model ${models})
    get_filename_component(name ${model} NAME_WE)
    list(APPEND names ${name})
    configure_file(${MICRORT_DEVICE_MODELS}/${name}_ops.h ${name}/model_ops.h COPYONLY)
    add_executable(device_${name} ${ARGN})
    if(name IN_LIST MICRORT_TRUSTED_MODELS)
      target_compile_definitions(device_${name} PRIVATE TRUST_MODEL)
    endif()
    target_include_directories(device_${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name})
    # An object of its own: its definition is one model's.
    add_library(device_${name}_model OBJECT ${embedding})
    set_property(SOURCE ${embedding} PROPERTY OBJECT_DEPENDS ${models})
    target_compile_definitions(device_${name}_model PRIVATE MODEL_FILE="${model}")
    # A compiler cache that asks the compiler what it read is not told of what the assembler reads.
    set_target_properties(device_${name}_model PROPERTIES CXX_COMPILER_LAUNCHER "")
    target_link_libraries(device_${name}_model PRIVATE micrort_device_flags)
  endforeach()
  set(MICRORT_DEVICE_PROGRAMS ${names} PARENT_SCOPE)
endfunction()
