#pragma once

#include "converter/frontend/tflite/model_file.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::tflite {

// The elements of a constant that is stored sparsely, all of them; `out` has the tensor's type and shape
// already. kInvalidModel if indices leave the shape.
Status ReadSparseData(const ModelFile& file, const fb::Tensor& tensor, int64_t elements, ir::Value* out);

}  // namespace micrort::frontend::tflite
