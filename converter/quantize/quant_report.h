#pragma once
// What quantization did, for the summary.

#include <optional>
#include <string>
#include <vector>

namespace micrort::quantize {

// A layer that is not computed as asked, and why.
struct Exception {
  std::string node, op, reason;
};

// What --quant auto was to make best, and the loss of what it chose.
struct AutoChoice {
  std::string goal;     // "size", "speed"
  std::string measure;  // of the loss: "KL divergence"
  double loss, max_loss;
};

struct Report {
  int layers = 0;     // with weights
  int quantized = 0;  // of these, computed or stored as asked
  std::vector<Exception> exceptions;
  std::optional<AutoChoice> choice = std::nullopt;
};

}  // namespace micrort::quantize
