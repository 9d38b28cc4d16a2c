#pragma once
// TensorFlow: GraphDef, binary or as text, and SavedModel.

#include "converter/frontend/frontend.h"

namespace micrort::frontend::tensorflow {

bool LooksLikeTensorflow(Span<const uint8_t> bytes);

// As Format::import.
Status ImportTensorflow(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                        ImportDiagnostics* diagnostics);

}  // namespace micrort::frontend::tensorflow
