#pragma once

#include <cstddef>
#include <cstdint>

namespace micrort::quantize {

// Rounds a few of the weights (w = scale * q, q in [lowest, highest]) the other way, those that this harms
// least, until their errors add up to half a step at most. What a layer adds up has a mean (after a ReLU,
// say), which errors with a sum would shift; needs no data. The idea is that of SQuant (Guo et al., "SQuant:
// On-the-Fly Data-Free Quantization via Diagonal Hessian Approximation", ICLR 2022).
void BalanceErrors(const float* weights, size_t n, float scale, int lowest, int highest, int8_t* quantized);

}  // namespace micrort::quantize
