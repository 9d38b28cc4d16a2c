#pragma once
// How near to the source model a converted one must be.

#include <optional>
#include <vector>

#include "converter/options.h"
#include "converter/report/verify.h"

namespace micrort::report {

// Below this, in dB, a conversion to these types is most likely broken, whatever the model.
double DefaultMinSnr(QuantMode quant);

// kUnsupported, naming the tensors and their figures, if one has less than `min_snr`; without one, if a float
// tensor has less than the default.
// Checks outputs against the source model (--verify):
Status CheckOutputs(const std::vector<ComparedTensor>& outputs, QuantMode quant,
                    std::optional<double> min_snr);
// Checks tensors in run order against what another program computed (--expect):
Status CheckExpected(const std::vector<ComparedTensor>& tensors, QuantMode quant,
                     std::optional<double> min_snr);

}  // namespace micrort::report
