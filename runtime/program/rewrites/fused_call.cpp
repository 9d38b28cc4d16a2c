#include "runtime/program/rewrites/fused_call.h"

#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/cast.h"
#include "kernels/elementwise/quantize.h"
#include "kernels/elementwise/unary.h"

namespace micrort {
namespace {

// False for the calls of all others.
class Describer {
 public:
  explicit Describer(FusedCall* call) : call_(*call) {}

  template <typename Other>
  bool operator()(const Other&) const {
    return false;
  }

  bool operator()(const UnaryTask* task) const {
    call_.function.unary = task->params.op;
    call_.inputs[0] = task->params.x;
    call_.output = task->params.y;
    return task->type == ComputeType::kF32 && task->params.rounding == Rounding::kExact;
  }

  bool operator()(const BinaryTask* task) const {
    call_.function.is_binary = true;
    call_.function.binary = task->params.kind;
    call_.after = task->params.activation;
    call_.inputs[0] = task->params.a;
    call_.inputs[1] = task->params.b;
    call_.output = task->params.y;
    return task->type == ComputeType::kF32 && task->params.rounding == Rounding::kExact;
  }

  bool operator()(const CastCall* cast) const {
    call_.inputs[0] = {cast->from, false, {}};
    call_.output = {cast->to, false, {}};
    return true;
  }

  bool operator()(const ConvertCall* convert) const {
    if (convert->slices.slices != 1) return false;
    const ElementFormat floats = {DType::kFloat32, false, {}};
    const ElementFormat integers = {
        convert->dtype,
        true,
        {convert->scales[0], convert->zero_points == nullptr ? 0 : convert->zero_points[0]}};
    call_.inputs[0] = convert->quantizes ? floats : integers;
    call_.output = convert->quantizes ? integers : floats;
    return true;
  }

 private:
  FusedCall& call_;
};

}  // namespace

bool DescribeFusedCall(const Step& step, FusedCall* call) {
  *call = FusedCall();
  if (step.call != CallKind::kOperator || step.fused == nullptr) return false;
  if (!step.kernel_call.Visit(Describer(call)) || !IsFusedNode(call->function)) return false;
  for (size_t i = 0; i < call->input_count(); ++i) {
    if (!IsFusedInputFormat(call->inputs[i])) return false;
  }
  return IsFusedOutputFormat(call->output);
}

}  // namespace micrort
