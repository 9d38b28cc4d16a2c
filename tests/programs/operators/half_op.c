/* Halves its input, in float or int8: an operator of a program's own with an int8 form. */

#include "micrort/custom_op.h"

static micrort_status Prepare(micrort_custom_call* call) {
  const micrort_tensor* x = &call->inputs[0];
  if (x->dtype != MICRORT_FLOAT32 && x->dtype != MICRORT_INT8) return MICRORT_INVALID_MODEL;
  if (x->dtype == MICRORT_INT8 && (x->scale <= 0 || call->outputs[0].scale <= 0))
    return MICRORT_INVALID_MODEL;
  call->outputs[0].dtype = x->dtype;
  call->outputs[0].shape = x->shape;
  return MICRORT_OK;
}

static int8_t Half(int8_t q, const micrort_tensor* x, const micrort_tensor* y) {
  const float real = 0.5f * x->scale * (float)(q - x->zero_point);
  const float steps = real / y->scale + (float)y->zero_point;
  const float rounded = steps < 0 ? steps - 0.5f : steps + 0.5f;
  return rounded < -128 ? -128 : rounded > 127 ? 127 : (int8_t)rounded;
}

static micrort_status Run(micrort_custom_call* call) {
  const micrort_tensor *x = &call->inputs[0], *y = &call->outputs[0];
  size_t i;
  if (x->dtype == MICRORT_INT8) {
    for (i = 0; i < x->bytes; ++i) ((int8_t*)y->data)[i] = Half(((const int8_t*)x->data)[i], x, y);
  } else {
    for (i = 0; i < x->bytes / sizeof(float); ++i) ((float*)y->data)[i] = 0.5f * ((const float*)x->data)[i];
  }
  return MICRORT_OK;
}

/* Half has an int8 form, FloatHalf has none. */
static const micrort_custom_op kHalf = {sizeof(micrort_custom_op), "com.acme", "Half", NULL, Prepare, Run,
                                        MICRORT_CUSTOM_INT8};
static const micrort_custom_op kFloatHalf = {
    sizeof(micrort_custom_op), "com.acme", "FloatHalf", NULL, Prepare, Run, 0};

__attribute__((visibility("default"))) const micrort_custom_op* const* micrort_custom_ops(size_t* count) {
  static const micrort_custom_op* const all[] = {&kHalf, &kFloatHalf};
  *count = sizeof all / sizeof all[0];
  return all;
}
