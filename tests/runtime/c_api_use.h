#ifndef MICRORT_TESTS_RUNTIME_C_API_USE_H
#define MICRORT_TESTS_RUNTIME_C_API_USE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `file`: a model that transposes the float matrix x [?,2] into y. */
const char* UseCApi(const void* file, size_t size);

/* `file`: a model that reshapes the float vector x [6] to the value of target [2], which decides shapes. */
const char* UseCApiWithValues(const void* file, size_t size);

/* `file`: a model that gives -(x + total) of two floats each, and keeps x + total as the next total. */
const char* UseCApiWithState(const void* file, size_t size);

#ifdef __cplusplus
}
#endif

#endif
