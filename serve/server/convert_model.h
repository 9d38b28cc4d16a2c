#pragma once
// Models in other formats, converted as they are loaded: by a process of its own, so that one that takes too
// long can be ended, and one that fails takes nothing with it.

#include "serve/repository/repository.h"

namespace micrort::serve {

// Lets the repository hold model.onnx and its like beside model.fb.
void AllowSources(RepositoryOptions* options);

// Whether this process was started by AllowSources() to convert a model. Then `exit_code` is that of the
// conversion.
bool ConvertsHere(int argc, char** argv, int* exit_code);

}  // namespace micrort::serve
