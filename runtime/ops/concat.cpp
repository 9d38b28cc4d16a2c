// Concat: its inputs one after another along an axis. Quantized int8 inputs are requantized to the output's
// scale where theirs is another.

#include <climits>

#include "kernels/base/checked_math.h"
#include "kernels/copy/interleave.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/concat_part.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {
namespace concat_op {
namespace {

struct State {
  int axis;
  ConcatCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ConcatOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->axis = options->axis();
  return Status();
}

// kInvalidModel unless the tensors differ in nothing but their size along the axis.
Status ExpectAlike(const Tensor& first, const Tensor& other, int index, int axis) {
  Shape expected = first.shape;
  if (other.shape.rank == expected.rank) expected[axis] = other.shape[axis];
  if (other.shape == expected && other.dtype == first.dtype) return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "input %d: expected %s of shape %s but for axis %d, found %s of shape %s", index,
                       Name(first.dtype), ShapeString(first.shape).c_str(), axis, Name(other.dtype),
                       ShapeString(other.shape).c_str());
}

bool CanMove(const Tensor& in, const Tensor& out) {
  return in.quantization.empty() || out.quantization.empty() ||
         SameQuantization(in.quantization, out.quantization);
}

Status CheckQuantization(const Tensor& in, const Tensor& out, int index) {
  if (CanMove(in, out)) return Status();
  if (in.dtype != DType::kInt8) {
    return MICRORT_ERROR(kUnsupported, "input %d: cannot requantize %s", index, Name(in.dtype));
  }
  float scale = 0;
  int32_t zero_point = 0;
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(in, &scale, &zero_point));
  return ReadPerTensor(out, &scale, &zero_point);
}

// Whether every input has one element a row. A few at most: more are seldom.
constexpr int kMaxInterleaved = 8;
bool CanInterleave(const PrepareContext& context, int axis) {
  if (context.input_count() > kMaxInterleaved) return false;
  for (int i = 0; i < context.input_count(); ++i) {
    const Shape& shape = context.input(i).shape;
    if (shape.product(axis, shape.rank) != 1) return false;
  }
  return true;
}

Status Prepare(PrepareContext& context) {
  const int count = context.input_count();
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(count > 0 ? count : 1, INT_MAX, 1));
  State& s = context.state<State>();
  const Tensor& first = context.input(0);
  int& axis = s.call.axis;
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, first.shape.rank, &axis));
  Shape shape = first.shape;
  int64_t& size = shape[axis];
  for (int i = 1; i < count; ++i) {
    const Tensor& in = context.input(i);
    MICRORT_RETURN_IF_ERROR(ExpectAlike(first, in, i, axis));
    if (!CheckedAdd(size, in.shape[axis], &size)) {
      return MICRORT_ERROR(kInvalidModel, "axis %d of the output is too large", axis);
    }
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, first.dtype, shape));
  bool moves_all = true;
  for (int i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(CheckQuantization(context.input(i), context.output(0), i));
    moves_all = moves_all && CanMove(context.input(i), context.output(0));
  }
  if (moves_all) context.SetConcatAxis(axis);
  s.call.interleaves = moves_all && CanInterleave(context, axis);
  context.SetCall(&s.call);
  return Status();
}

void InterleaveInputs(const RunContext& context) {
  const void* sources[kMaxInterleaved];
  for (size_t i = 0; i < context.inputs.size(); ++i) sources[i] = context.inputs[i]->data;
  const Tensor& first = context.input(0);
  Interleave(SizeOf(first.dtype), {sources, context.inputs.size()}, first.elements(), context.output(0).data,
             *context.parallel);
}

Status Run(const RunContext& context) {
  const ConcatCall& call = context.state<State>().call;
  if (call.interleaves) {
    InterleaveInputs(context);
    return Status();
  }
  const Tensor& out = context.output(0);
  int64_t column = 0;
  for (const Tensor* in : context.inputs) {
    const ConcatPart part = PartOf(*in, out, call.axis, column);
    RunConcatPart(part, in->data, out.data, *context.parallel);
    column += part.cols;
  }
  return Status();
}

}  // namespace
}  // namespace concat_op

ConcatPart PartOf(const Tensor& in, const Tensor& out, int axis, int64_t column) {
  ConcatPart part = {};
  part.rows = in.shape.product(0, axis);
  part.cols = in.shape.product(axis, in.shape.rank);
  part.out_cols = out.shape.product(axis, out.shape.rank);
  part.column = column;
  part.element_bytes = SizeOf(in.dtype);
  part.requantizes = !concat_op::CanMove(in, out);
  if (!part.requantizes) return part;
  part.scale = in.quantization.scale();
  part.zero_point = in.quantization.zero_point();
  part.out_scale = out.quantization.scale();
  part.out_zero_point = out.quantization.zero_point();
  return part;
}

MICRORT_OPERATOR(Concat, concat_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
