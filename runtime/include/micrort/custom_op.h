#ifndef MICRORT_CUSTOM_OP_H
#define MICRORT_CUSTOM_OP_H
/*
 * Operators that a program brings along. C99, and usable from C++ as it is: nothing but data is exchanged, so
 * that an operator needs no function of the library and one binary of it serves program and mnnconvert.
 *
 *   static micrort_status Prepare(micrort_custom_call* call) {
 *     call->outputs[0].dtype = call->inputs[0].dtype;
 *     call->outputs[0].shape = call->inputs[0].shape;
 *     return MICRORT_OK;
 *   }
 *   static micrort_status Run(micrort_custom_call* call) { ... }
 *   const micrort_custom_op kBlur = {sizeof(micrort_custom_op), "com.acme", "Blur", NULL, Prepare, Run, 0};
 *
 * To run a model that has them: OpResolver::AddCustom in C++, micrort_options.custom_ops in C. To convert
 * one: `mnnconvert --custom-domain com.acme`, which lets the operators of that domain through. Output types
 * and shapes are then those that the source model states, unless `--custom-ops FILE.so` has the operators: a
 * shared library that exports
 *
 *   const micrort_custom_op* const* micrort_custom_ops(size_t* count);
 *
 * An operator is a function of its inputs and attributes alone: a call whose outputs nobody reads is left
 * out, one whose inputs are constant may be computed by mnnconvert, and equal calls may become one. Both
 * functions may be called by several threads at once, for different interpreters.
 */

#include "micrort/micrort_c.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MICRORT_MAX_CUSTOM_TENSORS 16 /* inputs of one operator; outputs, too */
#define MICRORT_MAX_CUSTOM_ATTRIBUTES 16

/* Integers, floats or text, in one of the three; a list of strings is as many attributes of one name. */
typedef struct micrort_attribute {
  const char* name;
  const int64_t* ints;
  size_t int_count;
  const float* floats;
  size_t float_count;
  const char* text; /* terminated, and without a zero before its end unless text_bytes says so; or NULL */
  size_t text_bytes;
} micrort_attribute;

/* Valid during the call only. */
typedef struct micrort_custom_call {
  size_t struct_bytes; /* of the library's micrort_custom_call, which may grow at its end */
  void* user;          /* micrort_custom_op.user */
  const micrort_attribute* attributes;
  size_t attribute_count;
  /* An optional input that is absent has a null name. In prepare, data is null unless it is known already
   * (constants). Scale and zero point are those of quantized tensors, where one scale is for all elements. */
  const micrort_tensor* inputs;
  size_t input_count;
  /* prepare sets dtype and shape, run writes data. Quantized outputs have their scale before prepare. */
  micrort_tensor* outputs;
  size_t output_count;
  /* Of each output, a bit a dimension: data decide its size, and prepare states the largest one. run then
   * sets the shape that came out. 0 before prepare. */
  uint32_t* open_dims;
  size_t scratch_bytes; /* set by prepare */
  void* scratch;        /* in run: so many bytes, aligned to 64 */
  uint64_t
      work; /* set by prepare: operations of a run, where these are more than elements; a guess will do */
  /* In run: calls body(argument, i, worker) for every i below count, by several threads at once; worker is
   * below `workers`. */
  void (*parallel_for)(const struct micrort_custom_call* call, size_t count,
                       void (*body)(void* argument, size_t i, int32_t worker), void* argument);
  const void* threads; /* of parallel_for */
  int32_t workers;     /* in prepare, too */
  /* What is wrong, for an error's message: write a terminated string. Name and operator are added. */
  char* message;
  size_t message_bytes;
} micrort_custom_call;

typedef struct micrort_custom_op {
  size_t struct_bytes; /* sizeof(micrort_custom_op) */
  const char* domain;
  const char* name;
  void* user; /* handed on to both functions */
  /* Whenever shapes are planned: checks inputs and attributes, states outputs and scratch. Shapes may be
   * those of another plan than the last one's. Allocates nothing where a run decides shapes. */
  micrort_status (*prepare)(micrort_custom_call* call);
  /* Computes. Inputs are as prepare had them. Allocates nothing. */
  micrort_status (*run)(micrort_custom_call* call);
  uint32_t flags; /* MICRORT_CUSTOM_INT8 or 0 */
} micrort_custom_op;

/* The operator computes in int8, too, where all its inputs are floats in the source model and it has one
 * output: with `mnnconvert --quant int8 --calib` they may then all be int8 with one scale and zero point
 * each, which inputs and output state. prepare sees which it is by the type of inputs[0]. */
#define MICRORT_CUSTOM_INT8 1u

/* The first attribute of that name; NULL if there is none. */
static inline const micrort_attribute* micrort_find_attribute(const micrort_custom_call* call,
                                                              const char* name) {
  size_t i;
  for (i = 0; i < call->attribute_count; ++i) {
    const char* a = call->attributes[i].name;
    const char* b = name;
    while (*a != '\0' && *a == *b) ++a, ++b;
    if (*a == *b) return &call->attributes[i];
  }
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif
