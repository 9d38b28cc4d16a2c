#include <cstring>

#include "kernels/base/fixed_array.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

bool SameQuantization(const schema::Tensor& a, const schema::Tensor& b) {
  const QuantizationView x = QuantizationOf(a), y = QuantizationOf(b);
  if (x.count != y.count || x.axis != y.axis) return false;
  for (size_t i = 0; i < x.count; ++i) {
    if (x.scale(i) != y.scale(i) || x.zero_point(i) != y.zero_point(i)) return false;
  }
  return true;
}

// A dynamic dimension of the value that is kept takes its size from a caller's input.
Status VerifyDim(VerifyContext& context, const schema::Subgraph& graph, const schema::Tensor& value,
                 int dim) {
  const Span<const int32_t> inputs = CallerInputs(graph);
  MICRORT_RETURN_IF_ERROR(context.Spend(inputs.size()));
  const char* name = DimName(value, dim);
  for (size_t i = 0; i < inputs.size() && *name != '\0'; ++i) {
    const schema::Tensor& input = InputTensor(graph, i);
    for (int d = 0; d < ShapeOf(input).rank; ++d) {
      if (std::strcmp(DimName(input, d), name) == 0) return Status();
    }
  }
  return MICRORT_ERROR(kInvalidModel,
                       "dimension %d: expected a size, or the name of a caller's, found '%.50s'", dim, name);
}

Status VerifyShapes(VerifyContext& context, const schema::Subgraph& graph, const schema::Tensor& value,
                    const schema::Tensor& computed) {
  const Shape from = ShapeOf(computed), to = ShapeOf(value);
  bool agree = from.rank == to.rank;
  for (int d = 0; agree && d < to.rank; ++d) agree = from[d] == to[d] || from[d] < 0;
  if (!agree) {
    return MICRORT_ERROR(kInvalidModel, "expected shape %s of '%.100s', found %s", ShapeString(to).c_str(),
                         Text(computed.name()), ShapeString(from).c_str());
  }
  for (int d = 0; d < to.rank; ++d) {
    if (to[d] < 0) MICRORT_RETURN_IF_ERROR(VerifyDim(context, graph, value, d));
  }
  return Status();
}

Status VerifyInitial(VerifyContext& context, const schema::Tensor& value, uint32_t initial) {
  if (initial == 0) return Status();
  const auto* buffers = context.model->buffers();
  if (initial >= buffers->size()) {
    return MICRORT_ERROR(kInvalidModel, "expected an initial value in a buffer below %u, found %u",
                         buffers->size(), initial);
  }
  const Shape shape = ShapeOf(value);
  int64_t elements = 0;
  if (!shape.CheckedElements(SizeOf(TypeOf(value)), &elements)) {
    return MICRORT_ERROR(kInvalidModel, "expected no initial value, as a dimension is dynamic");
  }
  const Span<const uint8_t> data = BytesOfBuffer(*context.model, initial);
  const uint64_t bytes = static_cast<uint64_t>(elements) * SizeOf(TypeOf(value));
  if (data.data() == nullptr || data.size() != bytes) {
    return MICRORT_ERROR(kInvalidModel, "expected an initial value of %llu bytes, found %zu in buffer %u",
                         static_cast<unsigned long long>(bytes), data.size(), initial);
  }
  if (TypeOf(value) != DType::kBool) return Status();
  MICRORT_RETURN_IF_ERROR(context.Spend(data.size()));
  for (const uint8_t element : data) {
    if (element > 1)
      return MICRORT_ERROR(kInvalidModel, "initial value: expected a bool of 0 or 1, found %u", element);
  }
  return Status();
}

Status VerifyState(VerifyContext& context, const schema::Subgraph& graph, const schema::Tensor& value,
                   const schema::Tensor& computed, uint32_t initial) {
  if (value.decides_shapes()) {
    return MICRORT_ERROR(kInvalidModel, "expected a value that decides no shapes");
  }
  if (value.dtype() != computed.dtype()) {
    return MICRORT_ERROR(kInvalidModel, "expected %s of '%.100s', found %s", Name(TypeOf(value)),
                         Text(computed.name()), Name(TypeOf(computed)));
  }
  MICRORT_RETURN_IF_ERROR(context.Spend(QuantizationOf(value).count));
  if (!SameQuantization(value, computed)) {
    return MICRORT_ERROR(kInvalidModel, "expected '%.100s' to be quantized alike", Text(computed.name()));
  }
  MICRORT_RETURN_IF_ERROR(VerifyShapes(context, graph, value, computed));
  return VerifyInitial(context, value, initial);
}

}  // namespace

Status VerifyStates(VerifyContext& context, const schema::Subgraph& subgraph) {
  const uint32_t states = Count(subgraph.states());
  if (states == 0) return Status();
  if (&subgraph != context.model->subgraphs()->Get(0))
    return MICRORT_ERROR(kInvalidModel, "expected states of the first subgraph only");
  const Span<const int32_t> inputs = Ints(subgraph.inputs()), outputs = Ints(subgraph.outputs());
  if (states > inputs.size() || states > outputs.size()) {
    return MICRORT_ERROR(kInvalidModel, "%u states: expected as many inputs and outputs, found %zu and %zu",
                         states, inputs.size(), outputs.size());
  }
  FixedArray<bool> is_kept;
  MICRORT_RETURN_IF_ERROR(is_kept.Allocate(Count(subgraph.tensors())));
  for (size_t i = inputs.size() - states; i < inputs.size(); ++i)
    is_kept[static_cast<size_t>(inputs[i])] = true;
  for (uint32_t k = 0; k < states; ++k) {
    const int32_t input = inputs[inputs.size() - states + k], output = outputs[outputs.size() - states + k];
    const schema::Tensor& value = *subgraph.tensors()->Get(static_cast<uint32_t>(input));
    const schema::Tensor& computed = *subgraph.tensors()->Get(static_cast<uint32_t>(output));
    Status s = is_kept[static_cast<size_t>(output)]
                   ? MICRORT_ERROR(kInvalidModel, "'%.100s' is a state, and cannot become the value of one",
                                   Text(computed.name()))
                   : VerifyState(context, subgraph, value, computed, subgraph.states()->Get(k)->initial());
    if (!s.ok()) return s.WithPrefix("state %u ('%.100s')", k, Text(value.name()));
  }
  return Status();
}

}  // namespace micrort
