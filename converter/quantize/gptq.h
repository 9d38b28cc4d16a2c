#pragma once
// Integers for weights, chosen so that what a layer adds up, not each weight, changes least on the samples.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converter/observe/moments.h"

namespace micrort::quantize {

// Weight k of channel c is near scales[c * groups() + k / group] * quantized[c * depth + k], with integers in
// [lowest, highest].
struct RoundedLayer {
  const float* weights;  // [channels][depth], in the order in which the layer reads
  size_t channels, depth;
  const float* scales;
  size_t group;
  int lowest, highest;
  int8_t* quantized;

  size_t groups() const { return (depth + group - 1) / group; }
  double scale(size_t c, size_t k) const { return static_cast<double>(scales[c * groups() + k / group]); }
  double error(size_t c, size_t k) const {
    return quantized[c * depth + k] * scale(c, k) - static_cast<double>(weights[c * depth + k]);
  }
};

// Sets rounded.quantized; `quantized` must hold the integers nearest to the weights. Minimizes the squared
// error of the layer's sums, which the moments of its inputs give (Nagel et al., "Up or Down? Adaptive
// Rounding for Post-Training Quantization", ICML 2020), block by block: first each weight in turn takes off
// the error of those before it (Frantar et al., "GPTQ", ICLR 2023), those with the strongest inputs first;
// then single weights move to the integer that is best while the others stay (Behdin et al., "QuantEase",
// 2023). Zeros stay zeros.
void RoundByMoments(const RoundedLayer& rounded, const observe::InputMoments& moments);

// What the errors of its weights add to the mean of each output channel.
std::vector<double> MeanErrors(const RoundedLayer& rounded, const observe::InputMoments& moments);

// The error of the layer's sums over these, as powers.
double NoiseOverSignal(const RoundedLayer& rounded, const observe::InputMoments& moments);

}  // namespace micrort::quantize
