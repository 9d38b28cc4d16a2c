#pragma once

#include "converter/frontend/frontend.h"

namespace micrort::frontend::caffe {

// A .prototxt or a .caffemodel.
bool LooksLikeCaffe(Span<const uint8_t> bytes);

// A .prototxt with the weights of options.weights, or a .caffemodel that describes its layers and inputs.
Status ImportCaffe(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                   ImportDiagnostics* diagnostics);

}  // namespace micrort::frontend::caffe
