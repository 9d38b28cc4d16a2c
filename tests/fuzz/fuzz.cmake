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

# Of these, a program links what it names.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/runtime/model_builder.cpp)
foreach(builder caffe_net converted graph_testing onnx_builder tensorflow_graph tflite_builder torch_archive)
  list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/converter/${builder}.cpp)
endforeach()
list(FILTER sources EXCLUDE REGEX "/fuzz/seeds\\.cpp$")
add_library(fuzz_harnesses STATIC EXCLUDE_FROM_ALL ${sources})
set(programs micrort_program_run micrort_program_bench micrort_program_info)
target_link_libraries(fuzz_harnesses PUBLIC ${programs} micrort_converter micrort micrort_schema micrort_flags GTest::gmock)
# What they look at beside the libraries.
add_library(fuzzed_examples STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/examples/custom_op/zero_out.c)
target_link_libraries(fuzzed_examples PUBLIC micrort micrort_flags)
target_link_libraries(fuzz_harnesses PUBLIC fuzzed_examples)
# All of them with their seeds; the server's, which only some builds have, are apart.
add_library(fuzz_seeds STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/seeds.cpp)
target_link_libraries(fuzz_seeds PUBLIC fuzz_harnesses)
if(TARGET micrort_serve)
  file(GLOB serve_harnesses CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/serve/*.cpp)
  target_sources(fuzz_seeds PRIVATE ${serve_harnesses})
  target_compile_definitions(fuzz_seeds PUBLIC MICRORT_FUZZ_SERVE)
  target_link_libraries(fuzz_seeds PUBLIC micrort_serve)
endif()
if(TARGET micrort_sealing)
  target_sources(fuzz_harnesses PRIVATE ${CMAKE_CURRENT_LIST_DIR}/sealed/sealed_fuzz.cpp)
  target_compile_definitions(fuzz_seeds PUBLIC MICRORT_FUZZ_SEALED)
  target_link_libraries(fuzz_harnesses PUBLIC micrort_sealing)
endif()
if(TARGET micrort_text)
  target_sources(fuzz_harnesses PRIVATE ${CMAKE_CURRENT_LIST_DIR}/text/tokenizer_fuzz.cpp)
  target_compile_definitions(fuzz_seeds PUBLIC MICRORT_FUZZ_TEXT)
  target_link_libraries(fuzz_harnesses PUBLIC micrort_text)
endif()
if(NOT TARGET micrort_text)
  # Sounds are read without the rest of the library, too.
  target_sources(fuzzed_examples PRIVATE ${PROJECT_SOURCE_DIR}/text/audio/wav.cpp ${PROJECT_SOURCE_DIR}/text/audio/resample.cpp
    ${PROJECT_SOURCE_DIR}/text/files/read_file.cpp)
  target_include_directories(fuzzed_examples PUBLIC ${PROJECT_SOURCE_DIR}/text/include)
endif()
micrort_test_code(fuzz_harnesses PLAIN)
micrort_test_code(fuzz_seeds)
micrort_quick_sanitized(fuzz_harnesses fuzz_seeds)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/tflite_fuzz.cpp ${CMAKE_CURRENT_LIST_DIR}/model_fuzz.cpp PROPERTIES COMPILE_DEFINITIONS
  MICRORT_FUZZ_SCHEMAS="${PROJECT_BINARY_DIR}/fuzz-schemas")
add_dependencies(fuzz_harnesses micrort_fuzz_schemas)

micrort_test(fuzz fuzz_seeds)
# The other files of the folder are in the library.
get_target_property(tests fuzz_tests SOURCES)
list(FILTER tests INCLUDE REGEX "(_test|repeat_command|temp_dir)\\.cpp$")
set_property(TARGET fuzz_tests PROPERTY SOURCES ${tests})
target_sources(fuzz_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/runtime/allocation_hook.cpp)
target_link_options(fuzz_tests PRIVATE ${watched_memory})
micrort_library_first(fuzz_tests micrort_converter micrort)
target_compile_definitions(fuzz_tests PRIVATE MICRORT_FUZZ_FINDINGS="${CMAKE_CURRENT_LIST_DIR}/findings")

if(MICRORT_FUZZ)
  # What makes inputs is not what is looked at.
  foreach(library fuzz_harnesses fuzz_seeds)
    target_compile_options(${library} PRIVATE -fno-sanitize=fuzzer-no-link)
  endforeach()
  # A program for each harness, as libFuzzer looks at all counters of a program after every try. ./dev fuzz reads their names there, too; some
  # lines name the target without which there is none.
  add_custom_target(fuzz)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/harnesses.txt harnesses)
  foreach(line ${harnesses})
    string(REPLACE " " ";" words ${line})
    list(POP_FRONT words harness)
    if(words AND NOT TARGET ${words})
      continue()
    endif()
    string(TOLOWER fuzz_${harness} program)
    add_executable(${program} ${CMAKE_CURRENT_LIST_DIR}/libfuzzer/main.cpp)
    target_compile_definitions(${program} PRIVATE MICRORT_FUZZ_HARNESS=k${harness})
    target_link_libraries(${program} PRIVATE fuzz_seeds)
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz ${program})
  endforeach()
else()
  target_compile_options(fuzz_harnesses PRIVATE -O0)
  target_compile_options(fuzz_seeds PRIVATE -O0)
  # Here one program links them all. Harnesses and mutators have functions of the same names.
  micrort_unity(fuzz_harnesses)
  get_target_property(sources fuzz_harnesses SOURCES)
  list(FILTER sources INCLUDE REGEX "/sealed/|/converter/cli/|(_fuzz|(model|protobuf)_mutator)\\.cpp$")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endif()
