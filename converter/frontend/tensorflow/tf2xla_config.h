#pragma once
// tfcompile's configuration (--config): which tensors are fed and fetched.

#include <string>

#include "converter/frontend/tensorflow/model_reader.h"

namespace micrort::frontend::tensorflow {

// Reads the file, text or binary, and takes its feeds and fetches as the model's inputs and outputs; values
// of variables it feeds become inputs too. Errors name the file; kIo if it cannot be read.
Status ReadConfig(const std::string& path, TensorflowModel* out);

}  // namespace micrort::frontend::tensorflow
