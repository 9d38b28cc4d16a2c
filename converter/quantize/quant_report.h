#pragma once
// What quantization did, for the summary.

#include <string>
#include <vector>

namespace micrort::quantize {

// A layer that is not computed as asked, and why.
struct Exception {
  std::string node, op, reason;
};

struct Report {
  int layers = 0;     // with weights
  int quantized = 0;  // of these, computed or stored as asked
  std::vector<Exception> exceptions;
};

}  // namespace micrort::quantize
