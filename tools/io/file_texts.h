#pragma once
// The texts of a model file, of which many places may refer to one.

#include "micrort/model.h"

namespace micrort::io {

// kInvalidModel if texts are longer together than a program may copy: names of operators and dimensions,
// metadata and whatever else loading does not count. Converted files store equal names once, so that some are
// longer together than their file.
Status CheckTexts(const Model& model);

}  // namespace micrort::io
