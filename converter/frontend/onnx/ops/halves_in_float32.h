#pragma once
// Operators that compute in float64 too, but in float32 for halves.

#include "converter/frontend/onnx/ops/in_float32.h"

namespace micrort::frontend::onnx {

template <Status (*import)(NodeContext&)>
Status HalvesInFloat32(NodeContext& c) {
  return c.x().dtype == DType::kFloat64 ? import(c) : ImportInFloat32(c, import);
}

}  // namespace micrort::frontend::onnx
