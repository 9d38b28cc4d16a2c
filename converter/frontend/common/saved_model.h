#pragma once
// TensorFlow's SavedModel, which looks like an ONNX model at first sight: both are protobuf messages whose
// first field is a small number.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

// A SavedModel message: no graph (field 7) as ONNX has, but meta graphs (field 2), which are messages.
bool IsSavedModel(Span<const uint8_t> bytes);

Status RefuseSavedModel();

// What to say where a folder stands for the model.
Status RefuseFolder(const std::string& path);

}  // namespace micrort::frontend
