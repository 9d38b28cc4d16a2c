#pragma once
// TFLite models.

#include "converter/frontend/frontend.h"
#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

// `bytes` is a file from anywhere. See ImportModel.
Status ImportTflite(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                    ImportDiagnostics* diagnostics);

// Every signature; of a file without such, its first subgraph.
Status ListTflite(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out);

}  // namespace micrort::frontend::tflite
