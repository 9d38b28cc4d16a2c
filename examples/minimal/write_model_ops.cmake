# cmake -DINFO=micrort-info -DMODEL=model.fb -DOUT=model_ops.h -P write_model_ops.cmake
# Writes a header with ModelOps(): a resolver with the operators of the model and no others.

execute_process(COMMAND ${INFO} --json ${MODEL} OUTPUT_VARIABLE info COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\"type\": \"[A-Za-z0-9]+\"" types "${info}")
list(TRANSFORM types REPLACE "\"type\": \"([A-Za-z0-9]+)\"" ".Add\\1()")
list(REMOVE_DUPLICATES types)
# Programs add operators of their own themselves.
list(REMOVE_ITEM types ".AddCustom()")
list(SORT types)
list(JOIN types "" calls)
file(WRITE ${OUT} "#pragma once
// Made from the model file: its operators and no others.

#include <micrort/op_resolver.h>

inline micrort::OpResolver ModelOps() { return micrort::OpResolver()${calls}; }
")
