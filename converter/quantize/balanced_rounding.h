#pragma once

#include <cstddef>
#include <cstdint>

namespace micrort::quantize {

// Weights as integers: weight i is near scales[i / group] * quantized[i], with integers in [lowest, highest].
struct RoundedWeights {
  const float* weights;
  size_t n;
  const float* scales;
  size_t group;
  int lowest, highest;
  int8_t* quantized;
};

// Rounds a few of the weights the other way, those that this harms least, until their errors add up to half a
// step at most. What a layer adds up has a mean (after a ReLU, say), which errors with a sum would shift;
// needs no data. The idea is that of SQuant (Guo et al., "SQuant: On-the-Fly Data-Free Quantization via
// Diagonal Hessian Approximation", ICLR 2022).
void BalanceErrors(const RoundedWeights& w);

}  // namespace micrort::quantize
