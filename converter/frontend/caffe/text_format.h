#pragma once
// A network as text. Forks have fields of their own, so unknown ones do not end the import: they are noted
// where they may change what a layer computes.

#include "converter/frontend/caffe/model_reader.h"

namespace micrort::frontend::caffe {

// Fills `proto` as it is written, V1 layers included; the index of a V1 layer in `unknown_fields` is that in
// `layers`.
Status ParseNetText(Span<const uint8_t> bytes, CaffeNet* out);

}  // namespace micrort::frontend::caffe
