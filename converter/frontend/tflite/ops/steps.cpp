#include "converter/frontend/tflite/ops/steps.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/subgraph_importer.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::tflite {

namespace {

constexpr int64_t kMostUnrolled = 8;

Status Unroll(OpContext& c, ir::ValueId x, std::vector<ir::ValueId> states, bool reverse, const Step& step,
              StepsResult* result) {
  const int64_t steps = c.value(x).dim(0);
  std::vector<ir::ValueId> outputs;
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t t = reverse ? steps - 1 - i : i;
    const ir::ValueId of_step = Moved(c.build, c.build.Slice(x, 0, t, t + 1), c.value(x).quantization);
    const StepCall call = {c.build, [](ir::ValueId id) { return id; },
                           Moved(c.build, c.build.DropDim(of_step, 0), c.value(x).quantization)};
    ir::ValueId y = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(step(call, &states, &y));
    MICRORT_RETURN_IF_ERROR(c.build.status());
    outputs.push_back(Moved(c.build, c.build.InsertDim(y, 0), c.value(y).quantization));
  }
  if (reverse) std::reverse(outputs.begin(), outputs.end());
  *result = {Moved(c.build, c.build.Concat(outputs, 0), c.value(outputs[0]).quantization), std::move(states)};
  return c.build.status();
}

ir::ValueId Reversed(OpContext& c, ir::ValueId x) {
  return Moved(c.build, c.build.Reversed(x, {0}), c.value(x).quantization);
}

// The body of a loop whose iterations are the steps of x.
class StepBody {
 public:
  StepBody(OpContext& c, ir::ValueId x, const std::vector<ir::ValueId>& states)
      : c_(c),
        x_(x),
        states_(states),
        body_{std::make_shared<ir::Graph>(), {}, false},
        assembler_(c.subgraph.assembler(), body_.graph.get()) {}

  Status Build(const Step& step, ImportedBody* out) {
    const InsideBody inside(assembler_, *body_.graph);
    MICRORT_RETURN_IF_ERROR(BuildInside(step));
    body_.captures = assembler_.captures();
    *out = std::move(body_);
    return Status();
  }

 private:
  Status BuildInside(const Step& step) {
    AddLoopScalars(body_.graph.get(), "step");
    std::vector<ir::ValueId> states;
    for (const ir::ValueId id : states_)
      states.push_back(AddCarriedInput(assembler_, {id, c_.value(id).name, "", 0}));
    const std::string& name = c_.build.origin.name;
    ir::Builder build = assembler_.BuilderFor(c_.build.origin, name);
    const ir::ValueId of_step = build.Gather(assembler_.Capture(x_), body_.graph->inputs[0], 0);
    const StepCall call = {build, [this](ir::ValueId id) { return assembler_.Capture(id); },
                           Moved(build, of_step, c_.value(x_).quantization)};
    ir::ValueId y = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(step(call, &states, &y));
    MICRORT_RETURN_IF_ERROR(build.status());
    states.push_back(y);
    for (size_t i = 0; i < states.size(); ++i) {
      const ir::ValueId result = states[i];
      MICRORT_ASSIGN_OR_RETURN(states[i], assembler_.AddOutput(name + "/" + std::to_string(i), result));
      Moved(build, states[i], body_.graph->value(result).quantization);
    }
    return CheckStates();
  }

  Status CheckStates() {
    for (size_t i = 0; i < states_.size(); ++i) {
      const ir::ValueId before = body_.graph->inputs[kLoopScalars + i], after = body_.graph->outputs[i];
      uint32_t differing = 0;
      MICRORT_RETURN_IF_ERROR(assembler_.inference().DifferingDims(before, after, &differing));
      if (differing == 0 && body_.graph->value(before).rank() == body_.graph->value(after).rank()) continue;
      return Invalid("state {} changes its shape from one step to the next", i);
    }
    return Status();
  }

  OpContext& c_;
  const ir::ValueId x_;
  const std::vector<ir::ValueId>& states_;
  ImportedBody body_;
  GraphAssembler assembler_;
};

Status AddStepLoop(OpContext& c, ir::ValueId x, const std::vector<ir::ValueId>& states, const Step& step,
                   StepsResult* result) {
  MICRORT_RETURN_IF_ERROR(CheckMayEnter(c.subgraph.assembler()));
  const int64_t steps = c.value(x).dim(0);
  const ir::ValueId length =
      steps != ir::kDynamic ? c.build.Integer(steps) : c.build.DropDim(c.build.DimOf(x, 0), 0);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  ImportedBody body;
  MICRORT_RETURN_IF_ERROR(StepBody(c, x, states).Build(step, &body));
  std::vector<ir::ValueId> all = AddLoop(c.build, length, ir::kNoValue, states, body, false);
  for (size_t i = 0; i < all.size(); ++i)
    Moved(c.build, all[i], body.graph->value(body.graph->outputs[i]).quantization);
  result->y = all.back();
  all.pop_back();
  result->states = std::move(all);
  return c.build.status();
}

}  // namespace

Status RunSteps(OpContext& c, ir::ValueId x, std::vector<ir::ValueId> states, bool reverse, const Step& step,
                StepsResult* result) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const int64_t steps = c.value(x).dim(0);
  if (steps == 0) return Invalid("a layer without steps");
  if (steps != ir::kDynamic && steps <= kMostUnrolled)
    return Unroll(c, x, std::move(states), reverse, step, result);
  MICRORT_RETURN_IF_ERROR(AddStepLoop(c, reverse ? Reversed(c, x) : x, states, step, result));
  if (reverse) result->y = Reversed(c, result->y);
  return c.build.status();
}

}  // namespace micrort::frontend::tflite
