#pragma once
// Operators that compute in float32 whatever float their operands are, or in float32 for halves alone.

#include <initializer_list>

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Casts the inputs that are other floats to float32, imports, and casts the outputs that are float32 then:
// output i to the type that input typed_as[i] had, those beyond that list to that of input 0.
Status ImportInFloat32(NodeContext& c, Status (*import)(NodeContext& c),
                       std::initializer_list<size_t> typed_as = {});

template <Status (*import)(NodeContext&)>
Status InFloat32(NodeContext& c) {
  return ImportInFloat32(c, import);
}

template <Status (*import)(NodeContext&)>
Status HalvesInFloat32(NodeContext& c) {
  return c.x().dtype == DType::kFloat64 ? import(c) : ImportInFloat32(c, import);
}

}  // namespace micrort::frontend::onnx
