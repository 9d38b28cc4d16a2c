#include "kernels/base/fixed_array.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

// Follows the operators in run order and knows which tensors have values.
class WriteOrder {
 public:
  explicit WriteOrder(const schema::Subgraph& subgraph) : subgraph_(subgraph) {}

  Status Init() {
    MICRORT_RETURN_IF_ERROR(written_.Allocate(Count(subgraph_.tensors())));
    for (uint32_t i = 0; i < written_.size(); ++i) {
      written_[i] = subgraph_.tensors()->Get(i)->buffer() != 0;
    }
    return Status();
  }

  Status Write(int32_t tensor) {
    bool& written = written_[static_cast<size_t>(tensor)];
    if (written) {
      return MICRORT_ERROR(kInvalidModel, "tensor %d ('%.100s') is constant or has a value already", tensor,
                           NameOf(tensor));
    }
    written = true;
    return Status();
  }

  Status Read(int32_t tensor) const {
    if (written_[static_cast<size_t>(tensor)]) return Status();
    return MICRORT_ERROR(kInvalidModel, "tensor %d ('%.100s') is read before it is written", tensor,
                         NameOf(tensor));
  }

 private:
  const char* NameOf(int32_t tensor) const {
    return Text(subgraph_.tensors()->Get(static_cast<uint32_t>(tensor))->name());
  }

  const schema::Subgraph& subgraph_;
  FixedArray<bool> written_;
};

Status VerifyIndex(int32_t tensor, const schema::Subgraph& subgraph) {
  const uint32_t tensors = Count(subgraph.tensors());
  if (tensor >= 0 && static_cast<uint32_t>(tensor) < tensors) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected a tensor in [0, %u), found %d", tensors, tensor);
}

Status VerifyOutput(const schema::Tensor& tensor) {
  if (tensor.packed_only())
    return MICRORT_ERROR(kInvalidModel, "'%.100s' is stored packed, which only layers read",
                         Text(tensor.name()));
  if (TypeOf(tensor) != DType::kInt4) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%.100s' is int4, which only layers and Gather read",
                       Text(tensor.name()));
}

Status VerifyNode(WriteOrder& order, const schema::Operator& op) {
  for (const int32_t input : Ints(op.inputs())) {
    if (input >= 0) MICRORT_RETURN_IF_ERROR(order.Read(input));
  }
  for (const int32_t output : Ints(op.outputs())) MICRORT_RETURN_IF_ERROR(order.Write(output));
  return Status();
}

}  // namespace

Status VerifyOrder(VerifyContext&, const schema::Subgraph& subgraph) {
  WriteOrder order(subgraph);
  MICRORT_RETURN_IF_ERROR(order.Init());
  const Span<const int32_t> inputs = Ints(subgraph.inputs());
  for (size_t i = 0; i < inputs.size(); ++i) {
    Status s = VerifyIndex(inputs[i], subgraph);
    if (s.ok()) s = order.Write(inputs[i]);
    if (!s.ok()) return s.WithPrefix("graph input %zu", i);
  }
  for (uint32_t i = 0; i < Count(subgraph.operators()); ++i) {
    const schema::Operator& op = *subgraph.operators()->Get(i);
    if (Status s = VerifyNode(order, op); !s.ok()) {
      return s.WithPrefix("node %u ('%.100s', %s)", i, Text(op.name()), schema::EnumNameOpCode(op.code()));
    }
  }
  const Span<const int32_t> outputs = Ints(subgraph.outputs());
  if (outputs.empty()) return MICRORT_ERROR(kInvalidModel, "the graph has no outputs");
  for (size_t i = 0; i < outputs.size(); ++i) {
    Status s = VerifyIndex(outputs[i], subgraph);
    if (s.ok()) s = order.Read(outputs[i]);
    if (s.ok()) s = VerifyOutput(*subgraph.tensors()->Get(static_cast<uint32_t>(outputs[i])));
    if (!s.ok()) return s.WithPrefix("graph output %zu", i);
  }
  return Status();
}

}  // namespace micrort
