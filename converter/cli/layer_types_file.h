#pragma once

#include <string>

#include "converter/quantize/layer_types.h"
#include "kernels/base/status.h"

namespace micrort::cli {

// Adds what a file for --layer-types says:
//   {"layers": {"conv1": "float32", "fc": "int8-weights"}}
// kIo if it cannot be read; kInvalidArgument, naming the place, if it says something else.
Status ReadLayerTypes(const std::string& path, quantize::LayerTypes* types);

}  // namespace micrort::cli
