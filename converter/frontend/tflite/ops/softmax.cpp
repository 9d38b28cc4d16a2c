// SOFTMAX and LOG_SOFTMAX, over the last dimension.

#include <cmath>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/elementwise/softmax_s16.h"

namespace micrort::frontend::tflite {

namespace {

// x times beta is x with another scale.
bool HasInt16Softmax(OpContext& c, float beta, ir::Quantization* x) {
  ir::Quantization y;
  if (!ComputesInt16(c, 1) || !ReadQuantization(c.op.tensor(0), x).ok() ||
      !ReadQuantization(c.op.output_tensor(0), &y).ok()) {
    return false;
  }
  x->scales[0] *= beta;
  if (!(x->scales[0] > 0) || !std::isfinite(x->scales[0])) return false;
  const int64_t row = c.value(c.stored(0)).shape.back();
  return row != ir::kDynamic && row <= static_cast<int64_t>(kMaxSoftmaxS16Row) &&
         std::fabs(y.scales[0] / kSoftmaxS16Scale - 1.0f) <= kSoftmaxS16Tolerance;
}

Status ImportSoftmax(OpContext& c) {
  const float beta = c.op.Options<fb::SoftmaxOptionsT>().beta;
  if (c.x().rank() < 1) return Invalid("the softmax of a scalar");
  if (ir::Quantization scaled; HasInt16Softmax(c, beta, &scaled)) {
    schema::SoftmaxOptionsT options;
    options.axis = c.x().rank() - 1;
    return ReturnInt16(c, options, {beta == 1.0f ? c.stored(0) : Relabelled(c.build, c.stored(0), scaled)});
  }
  ir::ValueId x = c.input(0);
  if (beta != 1.0f) x = c.build.Mul(x, c.build.Scalar(beta));
  return c.Return(c.build.Softmax(x, c.x().rank() - 1));
}

Status ImportLogSoftmax(OpContext& c) {
  if (c.x().rank() < 1) return Invalid("the softmax of a scalar");
  return c.Return(c.build.Softmax(c.input(0), c.x().rank() - 1, true));
}

constexpr TypeSet kSoftmaxed = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList SoftmaxImporters = {
    {"LOG_SOFTMAX", 1, 1, ImportLogSoftmax, Types(kSoftmaxed)},
    {"SOFTMAX", 1, 1, ImportSoftmax, Types(kSoftmaxed)},
};

}  // namespace micrort::frontend::tflite
