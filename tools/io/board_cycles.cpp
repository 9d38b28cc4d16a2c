#include "tools/io/board_cycles.h"

#include <algorithm>

#include "runtime/model/schema_text.h"

namespace micrort::io {
namespace {

// The first reads each weight for many outputs; a matrix product for one row does not.
constexpr double kConvolution = 2.45, kDepthwise = 13.5, kMatrix = 5;
constexpr double kOutput = 18;  // rounding
constexpr double kOther = 10;

int64_t Elements(Span<const int32_t> shape) {
  int64_t elements = 1;
  for (const int32_t d : shape) elements *= std::max(1, d);
  return elements;
}

class Operands {
 public:
  Operands(const schema::Subgraph& graph, const schema::Operator& op)
      : graph_(graph), inputs_(Ints(op.inputs())), outputs_(Ints(op.outputs())) {}

  Span<const int32_t> input(size_t i) const { return Ints(Tensor(inputs_[i]).shape()); }
  DType input_type(size_t i) const { return TypeOf(Tensor(inputs_[i])); }
  bool has_inputs(size_t count) const { return inputs_.size() >= count && inputs_[count - 1] >= 0; }
  int64_t output_elements() const {
    return outputs_.empty() ? 0 : Elements(Ints(Tensor(outputs_[0]).shape()));
  }
  int64_t most_elements() const {
    int64_t most = output_elements();
    for (const int32_t input : inputs_) {
      if (input >= 0) most = std::max(most, Elements(Ints(Tensor(input).shape())));
    }
    return most;
  }

 private:
  const schema::Tensor& Tensor(int32_t index) const {
    return *graph_.tensors()->Get(static_cast<uint32_t>(index));
  }

  const schema::Subgraph& graph_;
  Span<const int32_t> inputs_, outputs_;
};

// Multiply-adds of one output element.
int64_t DepthOf(schema::OpCode code, const Operands& operands) {
  if (code == schema::OpCode::MatMul) {
    const Span<const int32_t> rows = operands.input(0);
    return rows.empty() ? 1 : rows[rows.size() - 1];
  }
  const Span<const int32_t> weights = operands.input(1);
  if (code == schema::OpCode::DepthwiseConv2D) return Elements({weights.data(), weights.size() - 1});
  return Elements({weights.data() + 1, weights.size() - 1});
}

}  // namespace

LayerWork LayerWorkOf(const schema::Subgraph& graph) {
  LayerWork work;
  for (uint32_t i = 0; i < Count(graph.operators()); ++i) {
    const schema::Operator& op = *graph.operators()->Get(i);
    const Operands operands(graph, op);
    const bool is_depthwise = op.code() == schema::OpCode::DepthwiseConv2D;
    const bool is_matrix = op.code() == schema::OpCode::MatMul;
    if ((!is_depthwise && !is_matrix && op.code() != schema::OpCode::Conv2D) || !operands.has_inputs(2)) {
      if (op.code() != schema::OpCode::Reshape) work.others += operands.most_elements();
      continue;
    }
    const int64_t outputs = operands.output_elements();
    int64_t& of_kind = is_depthwise ? work.depthwise : is_matrix ? work.matrix : work.convolution;
    of_kind += outputs * DepthOf(op.code(), operands);
    work.outputs += outputs;
    work.is_int8 &= operands.input_type(0) == DType::kInt8 && operands.input_type(1) == DType::kInt8;
  }
  return work;
}

bool HasCycleModel(const std::string& target) { return target == "cortex-m4" || target == "cortex-m33"; }

double EstimatedCycles(const schema::Subgraph& graph, const std::string& target) {
  const LayerWork work = LayerWorkOf(graph);
  if (!HasCycleModel(target) || !work.is_int8) return 0;
  const auto cycles = [](int64_t elements, double each) { return static_cast<double>(elements) * each; };
  return cycles(work.convolution, kConvolution) + cycles(work.depthwise, kDepthwise) +
         cycles(work.matrix, kMatrix) + cycles(work.outputs, kOutput) + cycles(work.others, kOther);
}

}  // namespace micrort::io
