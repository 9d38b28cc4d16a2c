#pragma once
// Models whose weights are float16, as exporters' "half" option makes them.

#include <onnx/onnx_pb.h>

namespace micrort::frontend::onnx {

// Makes the model one of float32, whose layers fuse: tensors, casts and types inside become float32, with the
// same values; inputs and outputs keep their declared types by a Cast each. Nothing changes, and false is
// returned, unless a layer has weights of float16, or where something depends on the bits of halves.
bool WidenHalves(::onnx::ModelProto* model);

}  // namespace micrort::frontend::onnx
