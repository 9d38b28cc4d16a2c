/* TensorFlow's first example of an operator: all elements but the first become zero. Here it has an
 * attribute, too: which element stays. */

#include <string.h>

#include "micrort/custom_op.h"

static int64_t PreserveIndex(const micrort_custom_call* call) {
  const micrort_attribute* index = micrort_find_attribute(call, "preserve_index");
  return index == NULL || index->int_count != 1 ? 0 : index->ints[0];
}

static micrort_status Refuse(micrort_custom_call* call, const char* why) {
  strncpy(call->message, why, call->message_bytes - 1);
  return MICRORT_INVALID_MODEL;
}

static micrort_status Prepare(micrort_custom_call* call) {
  if (call->input_count != 1 || call->output_count != 1)
    return Refuse(call, "expected one input and one output");
  if (call->inputs[0].dtype != MICRORT_INT32) return Refuse(call, "expected int32 elements");
  if (PreserveIndex(call) < 0) return Refuse(call, "expected a preserve_index of at least 0");
  call->outputs[0].dtype = call->inputs[0].dtype;
  call->outputs[0].shape = call->inputs[0].shape;
  return MICRORT_OK;
}

static micrort_status Run(micrort_custom_call* call) {
  const int32_t* x = (const int32_t*)call->inputs[0].data;
  int32_t* y = (int32_t*)call->outputs[0].data;
  const size_t index = (size_t)PreserveIndex(call);
  memset(y, 0, call->outputs[0].bytes);
  if (index < call->outputs[0].bytes / sizeof *y) y[index] = x[index];
  return MICRORT_OK;
}

const micrort_custom_op kZeroOut = {sizeof(micrort_custom_op), "com.acme", "ZeroOut", NULL, Prepare, Run, 0};
/* The same in a GraphDef, which has no domains. */
const micrort_custom_op kTensorflowZeroOut = {
    sizeof(micrort_custom_op), "tensorflow", "ZeroOut", NULL, Prepare, Run, 0};

/* What mnnconvert --custom-ops looks for in the shared library of this file. */
#if defined(_WIN32)
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
    const micrort_custom_op* const* micrort_custom_ops(size_t* count) {
  static const micrort_custom_op* const all[] = {&kZeroOut, &kTensorflowZeroOut};
  *count = sizeof all / sizeof all[0];
  return all;
}
