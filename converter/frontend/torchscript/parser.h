#pragma once
// TorchScript's code as a syntax tree.

#include <string>

#include "converter/frontend/torchscript/ast.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

// file: for messages. Errors name it and the line.
Status ParseSource(const std::string& file, const std::string& source, SourceFile* out);

}  // namespace micrort::frontend::torchscript
