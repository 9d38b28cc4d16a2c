#include "converter/frontend/onnx/ops/in_float32.h"

namespace micrort::frontend::onnx {

namespace {

bool IsOtherFloat(DType dtype) { return IsFloat(dtype) && dtype != DType::kFloat32; }

}  // namespace

Status ImportInFloat32(NodeContext& c, Status (*import)(NodeContext& c),
                       std::initializer_list<size_t> typed_as) {
  std::vector<DType> types;
  for (size_t i = 0; i < c.input_count(); ++i) {
    types.push_back(c.has_input(i) ? c.x(i).dtype : DType::kUnknown);
    if (IsOtherFloat(types[i])) c.ReplaceInput(i, c.build.Cast(c.input(i), DType::kFloat32));
  }
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(import(c));
  for (size_t i = 0; i < c.output_count(); ++i) {
    const ir::ValueId y = c.outputs()[i];
    const DType dtype = types[i < typed_as.size() ? typed_as.begin()[i] : 0];
    if (y == ir::kNoValue || c.value(y).dtype != DType::kFloat32 || !IsOtherFloat(dtype)) continue;
    c.SetOutput(i, c.build.Cast(y, dtype));
  }
  return c.build.status();
}

}  // namespace micrort::frontend::onnx
