#ifndef MICRORT_CUSTOM_OP_H
#define MICRORT_CUSTOM_OP_H
/*
 * Custom operators, in C99 or C++. Only data are exchanged, so an operator calls no function of the library,
 * and one binary of it works in the program and in mnnconvert.
 *
 *   static micrort_status Prepare(micrort_custom_call* call) {
 *     call->outputs[0].dtype = call->inputs[0].dtype;
 *     call->outputs[0].shape = call->inputs[0].shape;
 *     return MICRORT_OK;
 *   }
 *   static micrort_status Run(micrort_custom_call* call) { ... }
 *   const micrort_custom_op kBlur = {sizeof(micrort_custom_op), "com.acme", "Blur", NULL, Prepare, Run, 0};
 *
 * To run a model with custom operators, use OpResolver::AddCustom in C++, micrort_options.custom_ops in C. To
 * convert one, use `mnnconvert --custom-domain com.acme`, which accepts the operators of that domain. Output
 * types and shapes are then those that the source model declares, unless `--custom-ops FILE.so` has the
 * operators: a shared library that exports
 *
 *   const micrort_custom_op* const* micrort_custom_ops(size_t* count);
 *
 * An operator is a function of its inputs and attributes alone: a call whose outputs are not read is
 * removed, mnnconvert may compute a call with constant inputs, and equal calls may become one. Both
 * functions may be called by several threads at once, for different interpreters.
 */

#include "micrort/micrort_c.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MICRORT_MAX_CUSTOM_TENSORS 16 /* inputs of one operator, and outputs */
#define MICRORT_MAX_CUSTOM_ATTRIBUTES 16

/* Integers, floats or a text; the others are empty. A list of strings becomes several attributes of one name.
 */
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
  /* An absent optional input has a null name. In prepare, data is null unless the input is a constant. Scale
   * and zero point are set for quantized tensors with one scale for all elements. */
  const micrort_tensor* inputs;
  size_t input_count;
  /* prepare sets dtype and shape, run writes data. Quantized outputs have their scale already in prepare. */
  micrort_tensor* outputs;
  size_t output_count;
  /* For each output, bit d means: data decide the size of dimension d, and prepare sets the largest size. run
   * then sets the actual shape. 0 before prepare. */
  uint32_t* open_dims;
  size_t scratch_bytes; /* set by prepare */
  void* scratch;        /* in run: that many bytes, aligned to 64 */
  uint64_t work; /* set by prepare: operations of a run, if they are more than the elements; an estimate is
                    enough */
  /* In run: calls body(argument, i, worker) for every i below count, by several threads at once; worker is
   * below `workers`. */
  void (*parallel_for)(const struct micrort_custom_call* call, size_t count,
                       void (*body)(void* argument, size_t i, int32_t worker), void* argument);
  const void* threads; /* of parallel_for */
  int32_t workers;     /* set in prepare, too */
  /* On an error, write the reason here as a terminated string. The library adds name and operator. */
  char* message;
  size_t message_bytes;
} micrort_custom_call;

typedef struct micrort_custom_op {
  size_t struct_bytes; /* sizeof(micrort_custom_op) */
  const char* domain;
  const char* name;
  void* user; /* passed to both functions */
  /* Called whenever shapes are planned: checks inputs and attributes, sets outputs and scratch. Shapes may
   * differ from those of the last call. Must not allocate if a run decides shapes. */
  micrort_status (*prepare)(micrort_custom_call* call);
  /* Computes. Inputs are those that prepare saw. Must not allocate. */
  micrort_status (*run)(micrort_custom_call* call);
  uint32_t flags; /* MICRORT_CUSTOM_INT8 or 0 */
} micrort_custom_op;

/* The operator can also compute in int8. All its inputs must be floats in the source model, and it must have
 * one output. With `mnnconvert --quant int8 --calib` inputs and output may then all be int8, with one scale
 * and zero point each. prepare recognizes this by the type of inputs[0]. */
#define MICRORT_CUSTOM_INT8 1u

/* Returns the first attribute of that name; NULL if there is none. */
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
