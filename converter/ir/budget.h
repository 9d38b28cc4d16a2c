#pragma once
// What one conversion may spend. Everything that infers or computes nodes draws on it, however deep in passes
// and importers, so it belongs to the thread as long as the conversion lasts.

#include "micrort/model_limits.h"
#include "runtime/ops/work_control.h"

namespace micrort::ir {

class ConversionBudget {
 public:
  explicit ConversionBudget(const ModelLimits& limits);
  ~ConversionBudget();
  ConversionBudget(const ConversionBudget&) = delete;
  ConversionBudget& operator=(const ConversionBudget&) = delete;

 private:
  WorkControl control_;
  WorkControl* outer_;
};

// The budget of the current conversion; null where there is none, and nothing is bounded.
WorkControl* CurrentBudget();
// The limits of the current conversion, or the default.
ModelLimits CurrentLimits();

}  // namespace micrort::ir
