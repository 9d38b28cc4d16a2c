#pragma once
// ONNX models, opset 6 and up.

#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// `bytes` is a serialized ModelProto from anywhere. See ImportModel.
Status ImportOnnx(const std::string& path, Span<const uint8_t> bytes, const ImportOptions& options,
                  ir::Module* out, ImportDiagnostics* diagnostics);

}  // namespace micrort::frontend
