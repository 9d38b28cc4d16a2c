#include "kernels/base/fixed_array.h"
#include "runtime/model/operator_bodies.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

const schema::Tensor& TensorOf(const schema::Subgraph& graph, int32_t index) {
  return *graph.tensors()->Get(static_cast<uint32_t>(index));
}

// The k-th of some tensors of the graph around a body is the k-th of some of the body.
struct Correspondence {
  const char* what;
  const schema::Subgraph& outer;
  Span<const int32_t> outer_tensors;
  const schema::Subgraph& body;
  Span<const int32_t> body_tensors;
};

Status VerifySameTypes(const Correspondence& c) {
  if (c.outer_tensors.size() != c.body_tensors.size()) {
    return MICRORT_ERROR(kInvalidModel, "expected %zu %s, found %zu", c.outer_tensors.size(), c.what,
                         c.body_tensors.size());
  }
  for (size_t i = 0; i < c.outer_tensors.size(); ++i) {
    if (c.outer_tensors[i] < 0) return MICRORT_ERROR(kInvalidModel, "%s %zu is absent", c.what, i);
    const schema::Tensor& outer = TensorOf(c.outer, c.outer_tensors[i]);
    const schema::Tensor& inner = TensorOf(c.body, c.body_tensors[i]);
    if (outer.dtype() == inner.dtype()) continue;
    return MICRORT_ERROR(kInvalidModel, "%s %zu: expected %s as '%.100s', found %s as '%.100s'", c.what, i,
                         Name(TypeOf(outer)), Text(outer.name()), Name(TypeOf(inner)), Text(inner.name()));
  }
  return Status();
}

Status VerifyScalar(const schema::Subgraph& body, int32_t tensor, DType dtype, const char* what) {
  if (TypeOf(TensorOf(body, tensor)) == dtype) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s: expected %s, found %s", what, Name(dtype),
                       Name(TypeOf(TensorOf(body, tensor))));
}

Span<const int32_t> Part(Span<const int32_t> list, size_t first, size_t count) {
  return {list.data() + first, count};
}

Status VerifyBranch(const schema::Subgraph& graph, const schema::Operator& op, const schema::Subgraph& body) {
  const Span<const int32_t> inputs = Ints(op.inputs());
  if (inputs.empty() || inputs[0] < 0) return MICRORT_ERROR(kInvalidModel, "the condition is absent");
  MICRORT_RETURN_IF_ERROR(
      VerifySameTypes({"inputs", graph, Part(inputs, 1, inputs.size() - 1), body, Ints(body.inputs())}));
  return VerifySameTypes({"outputs", graph, Ints(op.outputs()), body, Ints(body.outputs())});
}

Status VerifyLoop(const schema::Subgraph& graph, const schema::Operator& op, const schema::Subgraph& body) {
  constexpr size_t kScalars = 2;  // trip count or iteration, condition
  const schema::LoopOptions& options = *op.options_as_LoopOptions();
  const Span<const int32_t> inputs = Ints(op.inputs()), body_inputs = Ints(body.inputs());
  const Span<const int32_t> outputs = Ints(op.outputs()), body_outputs = Ints(body.outputs());
  const size_t carried = options.carried(), first = options.has_condition() ? 1 : 0;
  if (carried > outputs.size() || inputs.size() < kScalars + carried || body_inputs.size() != inputs.size() ||
      body_outputs.size() != outputs.size() + first) {
    return MICRORT_ERROR(
        kInvalidModel,
        "%zu inputs, %zu outputs and %zu carried values do not fit a body of %zu inputs and %zu "
        "outputs",
        inputs.size(), outputs.size(), carried, body_inputs.size(), body_outputs.size());
  }
  MICRORT_RETURN_IF_ERROR(VerifyScalar(body, body_inputs[0], DType::kInt64, "iteration"));
  MICRORT_RETURN_IF_ERROR(VerifyScalar(body, body_inputs[1], DType::kBool, "condition"));
  if (first != 0) MICRORT_RETURN_IF_ERROR(VerifyScalar(body, body_outputs[0], DType::kBool, "condition"));
  const size_t others = inputs.size() - kScalars;
  MICRORT_RETURN_IF_ERROR(VerifySameTypes(
      {"inputs", graph, Part(inputs, kScalars, others), body, Part(body_inputs, kScalars, others)}));
  MICRORT_RETURN_IF_ERROR(VerifySameTypes(
      {"carried values", graph, Part(inputs, kScalars, carried), graph, Part(outputs, 0, carried)}));
  return VerifySameTypes({"outputs", graph, outputs, body, Part(body_outputs, first, outputs.size())});
}

class Nesting {
 public:
  explicit Nesting(const schema::Model& model) : graphs_(*model.subgraphs()) {}

  Status Verify() {
    MICRORT_RETURN_IF_ERROR(depth_.Allocate(graphs_.size()));
    depth_[0] = 1;
    for (uint32_t i = 0; i < graphs_.size(); ++i) {
      if (depth_[i] == 0) {
        return MICRORT_ERROR(kInvalidModel,
                             "subgraph %u ('%.100s') belongs to no node of a subgraph before it", i,
                             Text(graphs_.Get(i)->name()));
      }
      for (uint32_t k = 0; k < Count(graphs_.Get(i)->operators()); ++k) {
        const schema::Operator& op = *graphs_.Get(i)->operators()->Get(k);
        if (Status s = VerifyOperator(i, op); !s.ok()) {
          return s.WithPrefix("node %u ('%.100s', %s)", k, Text(op.name()),
                              schema::EnumNameOpCode(op.code()));
        }
      }
    }
    return Status();
  }

 private:
  Status VerifyOperator(uint32_t graph, const schema::Operator& op) {
    uint32_t bodies[kMaxBodies] = {};
    const int count = BodiesOf(op, bodies);
    for (int b = 0; b < count; ++b) {
      MICRORT_RETURN_IF_ERROR(Claim(graph, bodies[b]));
      const schema::Subgraph& body = *graphs_.Get(bodies[b]);
      Status status = VerifyResults(body);
      if (status.ok()) {
        status = op.code() == schema::OpCode::If ? VerifyBranch(*graphs_.Get(graph), op, body)
                                                 : VerifyLoop(*graphs_.Get(graph), op, body);
      }
      if (!status.ok()) return status.WithPrefix("body %u ('%.100s')", bodies[b], Text(body.name()));
    }
    return Status();
  }

  Status Claim(uint32_t graph, uint32_t body) {
    if (body <= graph || body >= graphs_.size()) {
      return MICRORT_ERROR(kInvalidModel, "expected a body in [%u, %u), found subgraph %u", graph + 1,
                           graphs_.size(), body);
    }
    if (depth_[body] != 0) {
      return MICRORT_ERROR(kInvalidModel, "subgraph %u is the body of another node already", body);
    }
    depth_[body] = depth_[graph] + 1;
    if (depth_[body] <= kMaxNesting) return Status();
    return MICRORT_ERROR(kUnsupported, "expected at most %u graphs inside each other", kMaxNesting);
  }

  // Operators write them, so that an iteration can read one carried value while it writes another.
  Status VerifyResults(const schema::Subgraph& body) {
    const Span<const int32_t> inputs = Ints(body.inputs()), outputs = Ints(body.outputs());
    FixedArray<bool> taken;
    MICRORT_RETURN_IF_ERROR(taken.Allocate(Count(body.tensors())));
    for (const int32_t input : inputs) taken[static_cast<size_t>(input)] = true;
    for (size_t i = 0; i < outputs.size(); ++i) {
      bool& is_taken = taken[static_cast<size_t>(outputs[i])];
      if (is_taken || TensorOf(body, outputs[i]).buffer() != 0) {
        return MICRORT_ERROR(kInvalidModel,
                             "output %zu: expected a tensor that a node writes, each once, found '%.100s'", i,
                             Text(TensorOf(body, outputs[i]).name()));
      }
      is_taken = true;
    }
    return Status();
  }

  const flatbuffers::Vector<flatbuffers::Offset<schema::Subgraph>>& graphs_;
  FixedArray<uint32_t> depth_;  // 0: belongs to nobody yet
};

}  // namespace

Status VerifyBodies(VerifyContext& context) { return Nesting(*context.model).Verify(); }

}  // namespace micrort
