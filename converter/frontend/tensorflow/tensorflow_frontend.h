#pragma once
// TensorFlow: GraphDef, binary or as text, and SavedModel.

#include "converter/frontend/frontend.h"

namespace micrort::frontend::tensorflow {

bool LooksLikeTensorflow(Span<const uint8_t> bytes);

// As Format::import.
Status ImportTensorflow(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                        ImportDiagnostics* diagnostics);

// Every signature of every graph of a SavedModel; of a GraphDef, what it reads and gives.
Status ListTensorflow(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out);

}  // namespace micrort::frontend::tensorflow
