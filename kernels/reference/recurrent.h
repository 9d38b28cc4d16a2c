#pragma once
// Recurrent layers in double precision: the oracle of tests.

#include "kernels/recurrent/recurrent.h"

namespace micrort::reference {

// r: [width][hidden]. The rest as RunRecurrent; tensors.packed is not read.
void Recurrent(const RecurrentParams& p, const float* r, const RecurrentTensors& tensors);

}  // namespace micrort::reference
