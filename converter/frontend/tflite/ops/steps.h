#pragma once
// Layers that compute step after step, along the first dimension of their input.

#include <functional>
#include <vector>

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

struct StepCall {
  ir::Builder& build;
  // A value of the layer's graph where the step is computed, which may be the body of a loop.
  std::function<ir::ValueId(ir::ValueId)> outer;
  ir::ValueId x;  // of this step, without the first dimension
};

// Computes one step: *states become the next ones, *y is what the step gives.
using Step = std::function<Status(const StepCall& call, std::vector<ir::ValueId>* states, ir::ValueId* y)>;

struct StepsResult {
  ir::ValueId y = ir::kNoValue;  // of all steps, stacked along a new first dimension
  std::vector<ir::ValueId> states;
};

// x [T, ...], from the given states, whose shapes the steps keep; `reverse`: from the last step to the first,
// y in the order of x. A few steps come one behind another, where layers of later passes see them; more, or
// as many as x turns out to have, are a Loop.
Status RunSteps(OpContext& c, ir::ValueId x, std::vector<ir::ValueId> states, bool reverse, const Step& step,
                StepsResult* result);

}  // namespace micrort::frontend::tflite
