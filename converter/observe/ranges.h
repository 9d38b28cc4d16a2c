#pragma once
// What values activations take.

#include <map>
#include <string>

#include "micrort/micrort.h"

namespace micrort::observe {

// Smallest and largest value met; `finite` is false if a NaN or an infinity was.
struct Range {
  float min = 0.0f;
  float max = 0.0f;
  bool finite = true;
};

using Ranges = std::map<std::string, Range>;  // by value name

// Collects the ranges of all float32 tensors that operators read or write. Every range includes 0, which must
// be exactly representable once the tensor is quantized.
class RangeObserver final : public OpObserver {
 public:
  void BeforeOp(const OpInfo& op) override;
  void AfterOp(const OpInfo& op) override;
  const Ranges& ranges() const { return ranges_; }

 private:
  void Observe(Span<const TensorView> tensors);
  Ranges ranges_;
};

}  // namespace micrort::observe
