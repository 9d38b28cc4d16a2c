#pragma once
// Models in other formats, converted as they are loaded.

#include "serve/repository/repository.h"

namespace micrort::serve {

// Lets the repository hold model.onnx and its like beside model.fb.
void AllowSources(RepositoryOptions* options);

}  // namespace micrort::serve
