#pragma once
// Old forms of networks in today's.

#include "converter/frontend/caffe/model_reader.h"

namespace micrort::frontend::caffe {

// Turns `layers` (with types as numbers, V1, or with one message for all parameters, V0) into `layer`.
// kInvalidModel if a network has both, or a layer of a type that there never was.
Status UpgradeNet(CaffeNet* net);

}  // namespace micrort::frontend::caffe
