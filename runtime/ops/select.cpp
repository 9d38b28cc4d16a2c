// Select: elements of its second or third input, as the first one says.

#include "kernels/elementwise/select.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/bounded_broadcast.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace select_op {
namespace {

using State = SelectCall;

Status Parse(const schema::Operator& op, void*) {
  const schema::SelectOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status CheckTypes(const Tensor& condition, const Tensor& a, const Tensor& b) {
  if (condition.dtype != DType::kBool || a.dtype != b.dtype) {
    return MICRORT_ERROR(kInvalidModel, "expected bool and two inputs of one type, found %s, %s and %s",
                         Name(condition.dtype), Name(a.dtype), Name(b.dtype));
  }
  if (!SameQuantization(a.quantization, b.quantization)) {
    return MICRORT_ERROR(kInvalidModel, "the inputs to choose from are quantized differently");
  }
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(3, 3, 1));
  const Tensor &condition = context.input(0), &a = context.input(1), &b = context.input(2);
  MICRORT_RETURN_IF_ERROR(CheckTypes(condition, a, b));
  Shape both, shape;
  Shape shapes[] = {condition.shape, a.shape, b.shape};
  FitBounds(context, 3, 3, shapes);
  if (!BroadcastShapes(shapes[1], shapes[2], &both) || !BroadcastShapes(shapes[0], both, &shape)) {
    return MICRORT_ERROR(kInvalidModel, "cannot broadcast %s, %s and %s",
                         ShapeString(condition.shape).c_str(), ShapeString(a.shape).c_str(),
                         ShapeString(b.shape).c_str());
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, a.dtype, shape));
  State& s = context.state<State>();
  s = {PlanBroadcast(shapes, shape), SizeOf(a.dtype)};
  context.SetCall(&s);
  AllowElementwiseInPlace(context, 3);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  SelectElements(s.plan, s.element_bytes, context.input(0).as<uint8_t>(), context.input(1).data,
                 context.input(2).data, context.output(0).data, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace select_op

MICRORT_OPERATOR(Select, select_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
