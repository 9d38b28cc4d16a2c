#pragma once

#include "converter/frontend/tflite/tflite_schema.h"

namespace micrort::frontend::tflite {

// The verifier of flatbuffers lets lists of 64-bit numbers lie at any multiple of 4, where reading one is
// undefined; writers put them at multiples of 8. Gives the name of the first field that has such a list,
// nullptr if none has. `model` is verified; takes as long as that.
const char* MisalignedList(const fb::Model& model);

}  // namespace micrort::frontend::tflite
