#pragma once
// What the importer of an operator sees: one ONNX node, its inputs as values of the graph, and a builder.

#include <string>
#include <vector>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/onnx/node_attributes.h"
#include "converter/frontend/onnx/sequences.h"
#include "converter/ir/build.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/dims.h"

namespace micrort::frontend::onnx {

class GraphImporter;

class NodeContext : public NodeAttributes {
 public:
  // inputs: kNoValue where an optional one is absent. Each has a dtype and a shape.
  // sequences: what ids of sequences and optionals stand for.
  // importer: for operators with graphs in their attributes, null for others.
  NodeContext(const ::onnx::NodeProto& proto, int opset, ir::Builder& builder, GraphImporter* importer,
              SequenceTable& sequences, std::vector<ir::ValueId> inputs);

  ir::Builder& build;
  GraphImporter* const graphs;
  // See ImportOptions.
  bool keeps_caches = false;
  std::vector<std::string> warnings;  // for the user, once the node is imported

  int opset() const { return opset_; }
  const std::string& op() const { return proto_.op_type(); }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i] != ir::kNoValue; }
  ir::ValueId input(size_t i) const { return i < inputs_.size() ? inputs_[i] : ir::kNoValue; }
  // What input(i) and x(i) give from now on; i < input_count().
  void ReplaceInput(size_t i, ir::ValueId id) { inputs_[i] = id; }
  const std::vector<ir::ValueId>& inputs() const { return inputs_; }
  // Inputs are tensors; but for those of which TakesSequence() says so.
  SequenceTable& sequences() { return sequences_; }
  // Shapes are those of the graph as far as it is built: valid for inputs and for results of builder calls,
  // but without dimensions after an error.
  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  const ir::Value& x(size_t i = 0) const { return value(inputs_[i]); }

  bool wants_output(size_t i) const {
    return i < static_cast<size_t>(proto_.output_size()) && !proto_.output(static_cast<int>(i)).empty();
  }
  size_t output_count() const { return static_cast<size_t>(proto_.output_size()); }
  const std::string& output_name(int i) const { return proto_.output(i); }  // i < output_count()
  void SetOutput(size_t i, ir::ValueId id);
  // SetOutput(0, id), and the builder's status.
  Status Return(ir::ValueId id);
  Status Return(const Result<ir::ValueId>& id) { return id.ok() ? Return(id.value()) : id.status(); }
  // The outputs that are wanted.
  Status Return(const std::vector<ir::ValueId>& ids);
  // By output index; kNoValue where nothing was set.
  const std::vector<ir::ValueId>& outputs() const { return outputs_; }

  // The node becomes one of ONNX's own operators on other inputs, for importers that hand over to another
  // one.
  void Delegate(std::vector<ir::ValueId> inputs, int opset) {
    inputs_ = std::move(inputs);
    opset_ = opset;
  }

  // The axis as an index from 0; kInvalidModel if it is not in [-rank, rank).
  Result<int> Axis(int64_t axis, int rank) const { return NormalizeAxis(axis, rank); }
  // The same for a list, sorted and without duplicates.
  Result<std::vector<int32_t>> Axes(const std::vector<int64_t>& axes, int rank) const {
    return SortedAxes(axes, rank);
  }
  // kUnsupported with a message that names the input unless it is a constant of integers (of floats).
  Result<std::vector<int64_t>> ConstantIntegers(size_t i) const;
  Result<std::vector<float>> ConstantFloats(size_t i) const;
  // A scalar of the given type.
  ir::ValueId Scalar(DType dtype, float v);

 private:
  int opset_;
  SequenceTable& sequences_;
  std::vector<ir::ValueId> inputs_;
  std::vector<ir::ValueId> outputs_;
};

}  // namespace micrort::frontend::onnx
