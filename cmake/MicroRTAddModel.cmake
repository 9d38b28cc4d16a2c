# micrort_add_model(NAME MODEL CPP_CLASS CLASS [TARGET T] [THREADS N] [THREAD_POOL none|single|multi]
#   [WEIGHTS_AS incbin|array] [FLAGS ...]): the library NAME, with the class CLASS that computes MODEL, as mnnconvert --emit cpp
# writes it: docs/aot.md. The target mnnconvert, the program of that name, or MICRORT_MNNCONVERT runs.
function(micrort_add_model name model)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "CPP_CLASS;TARGET;THREADS;THREAD_POOL;WEIGHTS_AS" "FLAGS")
  if(NOT arg_CPP_CLASS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "micrort_add_model(NAME MODEL CPP_CLASS CLASS ...): found CPP_CLASS '${arg_CPP_CLASS}' and '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(MICRORT_MNNCONVERT)
    set(mnnconvert ${MICRORT_MNNCONVERT})
  elseif(TARGET mnnconvert)
    set(mnnconvert mnnconvert)
  else()
    # Where this package lies, whatever else was found since.
    get_property(prefix GLOBAL PROPERTY MICRORT_PREFIX)
    find_program(MICRORT_MNNCONVERT mnnconvert HINTS ${prefix}/bin REQUIRED)
    set(mnnconvert ${MICRORT_MNNCONVERT})
  endif()
  set(flags)
  foreach(pair TARGET:--target THREADS:--target-threads THREAD_POOL:--thread-pool WEIGHTS_AS:--weights-as)
    string(REPLACE : ";" pair ${pair})
    list(GET pair 0 argument)
    list(GET pair 1 flag)
    if(arg_${argument})
      list(APPEND flags ${flag} ${arg_${argument}})
    endif()
  endforeach()

  # Files are named after the class, in words.
  string(REGEX REPLACE "^.*::" "" stem "${arg_CPP_CLASS}")
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" stem "${stem}")
  string(REGEX REPLACE "([A-Z])([A-Z][a-z])" "\\1_\\2" stem "${stem}")
  string(TOLOWER "${stem}" stem)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.model)
  if(arg_WEIGHTS_AS STREQUAL array)
    set(weights ${folder}/${stem}_weights.cpp)
  else()
    set(weights ${folder}/${stem}_weights.S)
    # A function cannot enable another language. Newer CMakes tell the compiler that it is C++ (CMP0119).
    set_source_files_properties(${weights} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;assembler-with-cpp"
      OBJECT_DEPENDS ${folder}/${stem}_weights.bin)
    set(bytes ${folder}/${stem}_weights.bin)
  endif()
  set(programs ${folder}/${stem}_test.cpp ${folder}/${stem}_benchmark.cpp)
  add_custom_command(
    OUTPUT ${folder}/${stem}.h ${folder}/${stem}.cpp ${weights} ${bytes} ${programs}
    COMMAND ${mnnconvert} ${model} -o ${folder} --emit cpp --cpp-class ${arg_CPP_CLASS} --quiet ${flags} ${arg_FLAGS}
    DEPENDS ${model} ${mnnconvert}
    COMMENT "${arg_CPP_CLASS} from ${model}"
    VERBATIM)
  add_library(${name} STATIC ${folder}/${stem}.cpp ${folder}/${stem}.h ${weights})
  target_include_directories(${name} PUBLIC ${folder})
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_link_libraries(${name} PUBLIC MicroRT::kernels)
  foreach(program test benchmark)
    add_executable(${name}_${program} EXCLUDE_FROM_ALL ${folder}/${stem}_${program}.cpp)
    target_link_libraries(${name}_${program} PRIVATE ${name})
  endforeach()
endfunction()
