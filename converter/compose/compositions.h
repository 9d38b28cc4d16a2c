#pragma once
// Operators that others are composed of, in the part of Python that TorchScript's code is written in, with
// PyTorch's names of operators: for all formats (converter/frontend/common/composed_call.h).

#include "kernels/base/span.h"

namespace micrort::compose {

// A file of this folder. Those in complex.py are for complex numbers.
struct CompositionFile {
  const char* name;  // "losses.py"
  const char* text;
};
Span<const CompositionFile> CompositionFiles();

}  // namespace micrort::compose
