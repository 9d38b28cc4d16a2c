// Concat: its inputs one after another along an axis. Quantized int8 inputs are requantized to the output's
// scale where theirs is another.

#include <climits>

#include "kernels/base/checked_math.h"
#include "kernels/copy/interleave.h"
#include "kernels/copy/map_bytes.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {
namespace concat_op {
namespace {

struct State {
  int axis;
  int resolved_axis;
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

Status Prepare(PrepareContext& context) {
  const int count = context.input_count();
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(count > 0 ? count : 1, INT_MAX, 1));
  State& s = context.state<State>();
  const Tensor& first = context.input(0);
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, first.shape.rank, &s.resolved_axis));
  Shape shape = first.shape;
  int64_t& size = shape[s.resolved_axis];
  for (int i = 1; i < count; ++i) {
    const Tensor& in = context.input(i);
    MICRORT_RETURN_IF_ERROR(ExpectAlike(first, in, i, s.resolved_axis));
    if (!CheckedAdd(size, in.shape[s.resolved_axis], &size)) {
      return MICRORT_ERROR(kInvalidModel, "axis %d of the output is too large", s.resolved_axis);
    }
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, first.dtype, shape));
  bool moves_all = true;
  for (int i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(CheckQuantization(context.input(i), context.output(0), i));
    moves_all = moves_all && CanMove(context.input(i), context.output(0));
  }
  if (moves_all) context.SetJoinedAxis(s.resolved_axis);
  return Status();
}

// Copies an input into its columns of the output, both seen as matrices with the axis and all that follows it
// as columns. `column` is counted in elements.
void PlaceInput(const Tensor& in, const Tensor& out, int axis, int64_t column, const Parallel& parallel) {
  const int64_t rows = in.shape.product(0, axis);
  const int64_t cols = in.shape.product(axis, in.shape.rank);
  const int64_t out_cols = out.shape.product(axis, out.shape.rank);
  if (!CanMove(in, out)) {
    const ByteMap map = RequantizationMap(in.quantization.scale(), in.quantization.zero_point(),
                                          out.quantization.scale(), out.quantization.zero_point());
    MapBytes(map, static_cast<size_t>(rows), static_cast<size_t>(cols), in.as<int8_t>(),
             static_cast<size_t>(cols), out.as<int8_t>() + column, static_cast<size_t>(out_cols), parallel);
    return;
  }
  const int64_t element = static_cast<int64_t>(SizeOf(in.dtype));
  const CopyDim dims[] = {{rows, cols * element, out_cols * element}, {cols, element, element}};
  RunCopy(PlanCopy(SizeOf(in.dtype), dims), in.data, out.as<uint8_t>() + column * element, parallel);
}

// Whether every input has one element a row, of one quantization. A few at most: more are seldom.
constexpr size_t kMaxInterleaved = 8;
bool CanInterleave(const RunContext& context, int axis) {
  if (context.inputs.size() > kMaxInterleaved) return false;
  for (const Tensor* in : context.inputs) {
    if (in->shape.product(axis, in->shape.rank) != 1 || !CanMove(*in, context.output(0))) return false;
  }
  return true;
}

void InterleaveInputs(const RunContext& context) {
  const void* sources[kMaxInterleaved];
  for (size_t i = 0; i < context.inputs.size(); ++i) sources[i] = context.inputs[i]->data;
  const Tensor& first = context.input(0);
  Interleave(SizeOf(first.dtype), {sources, context.inputs.size()}, first.elements(), context.output(0).data,
             *context.parallel);
}

Status Run(const RunContext& context) {
  const int axis = context.state<State>().resolved_axis;
  if (CanInterleave(context, axis)) {
    InterleaveInputs(context);
    return Status();
  }
  int64_t column = 0;
  for (const Tensor* in : context.inputs) {
    PlaceInput(*in, context.output(0), axis, column, *context.parallel);
    column += in->shape.product(axis, in->shape.rank);
  }
  return Status();
}

}  // namespace
}  // namespace concat_op

const OpRegistration& ops::Concat() {
  using namespace concat_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Concat), "Concat", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
