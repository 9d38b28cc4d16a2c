#pragma once
// Pooling by its definition: the oracle of tests.

#include "kernels/pool/pool2d.h"

namespace micrort::reference {

// T: float, int8_t or uint8_t.
template <typename T>
void MaxPool2D(const Pool2DParams& params, const T* in, T* out);
void AveragePool2D(const Pool2DParams& params, const float* in, double* out);
void AveragePool2D(const Pool2DParams& params, const PoolQuantization& quantization, const int8_t* in,
                   int8_t* out);

}  // namespace micrort::reference
