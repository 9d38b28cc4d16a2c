// Shape: the dimensions [start, end) of its input as int64.

#include <algorithm>

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace shape_op {
namespace {

struct State {
  int start;
  int end;
  int first;  // `start` resolved for the input in force
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ShapeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  *static_cast<State*>(state) = {options->start(), options->end(), 0};
  return Status();
}

// As in a Python slice: counted from the end if negative, clamped to [0, rank].
int ResolveBound(int bound, int rank) { return std::clamp(bound < 0 ? bound + rank : bound, 0, rank); }

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const int rank = context.input(0).shape.rank;
  s.first = ResolveBound(s.start, rank);
  const int count = std::max(0, ResolveBound(s.end, rank) - s.first);
  context.KeepSizes();  // whatever sizes a run decides, there are as many
  return context.SetOutput(0, DType::kInt64, micrort::Shape::Of(count));
}

Status Run(const RunContext& context) {
  const int first = context.state<State>().first;
  Tensor& out = context.output(0);
  for (size_t i = 0; i < out.elements(); ++i) {
    out.as<int64_t>()[i] = context.input(0).shape[first + static_cast<int>(i)];
  }
  return Status();
}

}  // namespace
}  // namespace shape_op

MICRORT_OPERATOR(Shape, shape_op, sizeof(State), Parse, Prepare, nullptr, Run, true)

}  // namespace micrort
