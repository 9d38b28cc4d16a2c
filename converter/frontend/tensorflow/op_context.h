#pragma once
// What the importer of an operator sees: one node, its inputs as values of the graph, and a builder.

#include <string>
#include <vector>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/composed_call.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/onnx_operator.h"
#include "converter/frontend/tensorflow/node_attributes.h"
#include "converter/ir/build.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/dims.h"

namespace micrort::frontend::tensorflow {

using ir::CopyDim;
using ir::kInferDim;

class OpContext : public NodeAttributes {
 public:
  // Each input has a type and a shape. call: attributes of the function call around, or null.
  OpContext(const ::tensorflow::NodeDef& node, const AttrMap* call, GraphAssembler& assembler,
            ir::Builder& builder, std::vector<ir::ValueId> inputs)
      : NodeAttributes(node, call), build(builder), assembler_(assembler), inputs_(std::move(inputs)) {}

  ir::Builder& build;

  GraphAssembler& assembler() const { return assembler_; }
  const std::string& op() const { return node().op(); }
  size_t input_count() const { return inputs_.size(); }
  ir::ValueId input(size_t i = 0) const { return inputs_[i]; }
  const std::vector<ir::ValueId>& inputs() const { return inputs_; }
  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  const ir::Value& x(size_t i = 0) const { return value(inputs_[i]); }
  int rank(size_t i = 0) const { return x(i).rank(); }

  void SetOutput(size_t i, ir::ValueId id) {
    if (outputs_.size() <= i) outputs_.resize(i + 1, ir::kNoValue);
    outputs_[i] = id;
  }
  // SetOutput(0, id), and the builder's status.
  Status Return(ir::ValueId id) {
    SetOutput(0, id);
    return build.status();
  }
  Status Return(const Result<ir::ValueId>& id) { return id.ok() ? Return(id.value()) : id.status(); }
  Status Return(const std::vector<ir::ValueId>& ids) {
    for (size_t i = 0; i < ids.size(); ++i) SetOutput(i, ids[i]);
    return build.status();
  }
  const std::vector<ir::ValueId>& outputs() const { return outputs_; }

  // The axis as an index from 0; kInvalidModel if it is not in [-rank, rank).
  Result<int> Axis(int64_t axis, int rank) const { return NormalizeAxis(axis, rank); }
  Result<std::vector<int32_t>> Axes(const std::vector<int64_t>& axes, int rank) const {
    return SortedAxes(axes, rank);
  }
  // kUnsupported, with a message that names the input, unless it is a constant of integers (of floats).
  Result<std::vector<int64_t>> ConstantIntegers(size_t i) const;
  Result<std::vector<float>> ConstantFloats(size_t i) const;
  Result<int64_t> ConstantInteger(size_t i) const;
  // Input i, one integer, as an axis from 0.
  Result<int> ConstantAxis(size_t i, int rank) const;
  // kInvalidModel unless the input has so many dimensions.
  Status ExpectRank(size_t i, int rank) const;

  // Appends what an operator of ONNX becomes, which has one output.
  Result<ir::ValueId> Onnx(const char* op, const std::vector<ir::ValueId>& inputs,
                           const std::vector<OnnxAttribute>& attributes = {});

  // Appends what an operator of PyTorch becomes for these tensors, and plain data after them.
  Result<std::vector<ir::ValueId>> Torch(const char* op, const std::vector<ir::ValueId>& tensors,
                                         const std::vector<ComposedOption>& others,
                                         const std::vector<bool>& is_complex = {});

  // A scalar of the given type.
  ir::ValueId Scalar(DType dtype, double v);
  // As int64, which shapes are to the file's operators.
  ir::ValueId AsInt64(ir::ValueId id);

 private:
  GraphAssembler& assembler_;
  std::vector<ir::ValueId> inputs_;
  std::vector<ir::ValueId> outputs_;
};

// kUnsupported unless all inputs are float32.
Status CheckFloat32(const OpContext& c);
// Returns what an operator of PyTorch, or another composition, gives for these tensors and plain data after
// them. Inputs are float32.
Status ReturnComposed(OpContext& c, const char* op, const std::vector<ir::ValueId>& tensors,
                      const std::vector<ComposedOption>& others = {});

// Input 1, a constant list of axes, each once: as reductions and ReverseV2 ask for.
Result<std::vector<int32_t>> ReadDistinctAxes(const OpContext& c);

}  // namespace micrort::frontend::tensorflow
