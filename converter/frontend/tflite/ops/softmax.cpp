// SOFTMAX and LOG_SOFTMAX, over the last dimension.

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Status ImportSoftmax(OpContext& c) {
  const float beta = c.op.Options<fb::SoftmaxOptionsT>().beta;
  if (c.x().rank() < 1) return MICRORT_ERROR(kInvalidModel, "the softmax of a scalar");
  ir::ValueId x = c.input(0);
  if (beta != 1.0f) x = c.build.Binary(schema::BinaryKind::Mul, x, c.build.Scalar(beta));
  return c.Return(c.build.Softmax(x, c.x().rank() - 1));
}

Status ImportLogSoftmax(OpContext& c) {
  if (c.x().rank() < 1) return MICRORT_ERROR(kInvalidModel, "the softmax of a scalar");
  return c.Return(c.build.Softmax(c.input(0), c.x().rank() - 1, true));
}

constexpr TypeSet kSoftmaxed = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

Span<const OpImporter> SoftmaxImporters() {
  static constexpr OpImporter kImporters[] = {
      {"LOG_SOFTMAX", 1, 1, ImportLogSoftmax, Types(kSoftmaxed)},
      {"SOFTMAX", 1, 1, ImportSoftmax, Types(kSoftmaxed)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
