#pragma once
// ONNX models, opset 6 and up.

#include "converter/frontend/frontend.h"

namespace micrort::frontend::onnx {

// Whether the bytes begin as a ModelProto does.
bool LooksLikeModelProto(Span<const uint8_t> bytes);

// `bytes` is a serialized ModelProto from anywhere. See ImportModel.
Status ImportOnnx(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                  ImportDiagnostics* diagnostics);

// The model's inputs and outputs.
Status ListOnnx(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out);

}  // namespace micrort::frontend::onnx
