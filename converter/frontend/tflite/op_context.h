#pragma once
// What the importer of an operator sees: one operator of the file, its inputs as values of the graph, and a
// builder.
//
// Quantized tensors are seen as the real numbers that they stand for: inputs come dequantized, and what the
// importer returns is quantized as the output's tensor says. Passes make integer operators of that
// (converter/qdq). So most importers are the same for float, int8, uint8 and int16.

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/errors.h"
#include "converter/frontend/tflite/stated_operator.h"
#include "converter/ir/build.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/dims.h"

namespace micrort::frontend::tflite {

class SubgraphImporter;

class OpContext {
 public:
  OpContext(const fb::Operator& stated, ir::Builder& builder, SubgraphImporter& importer);

  const StatedOperator op;
  ir::Builder& build;
  SubgraphImporter& subgraph;  // that the operator is in

  // Input i as real numbers, or as it is where it is not quantized; kNoValue if it is absent. Its shape is
  // known, but after an error of the builder.
  ir::ValueId input(size_t i);
  // Input i as its integers.
  ir::ValueId stored(size_t i);
  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  const ir::Value& x(size_t i = 0) { return value(input(i)); }
  bool IsConstantInput(size_t i);
  // From now on complex inputs are seen as their real parts (0) or their imaginary ones (1).
  void SelectPart(int part) { part_ = part; }

  // Sets output i to real numbers, or to what it is where its tensor is not quantized. Integers of another
  // type than the tensor's are cast to it.
  void SetOutput(size_t i, ir::ValueId id);
  // Sets output i to the integers of a quantized tensor.
  void SetStoredOutput(size_t i, ir::ValueId id);
  // SetOutput(0, id), and the builder's status.
  Status Return(ir::ValueId id);
  Status Return(const Result<ir::ValueId>& id) { return id.ok() ? Return(id.value()) : id.status(); }
  Status Return(const std::vector<ir::ValueId>& ids) {
    for (size_t i = 0; i < ids.size(); ++i) SetOutput(i, ids[i]);
    return build.status();
  }
  // After the fused activation.
  Status Return(ir::ValueId id, fb::ActivationFunctionType activation);
  Status Activate(fb::ActivationFunctionType activation, ir::ValueId* id);
  // To [lowest, highest], unless the quantization of output 0 does that anyway.
  Status Clamp(float lowest, float highest, ir::ValueId* id);

  struct Output {
    ir::ValueId id = ir::kNoValue;
    bool is_stored = false;
  };
  const std::vector<Output>& outputs() const { return outputs_; }

  // Output i is a handle of the variable.
  void BindVariable(size_t i, const std::string& variable);
  // Input i is a tensor that the operator changes, as real numbers. After an error of the builder, variables
  // stay as they were: values made then have no shape.
  Result<ir::ValueId> ReadVariable(size_t i);
  Status AssignVariable(size_t i, ir::ValueId id);
  // State `i` that the operator keeps inside itself (ops/hidden_states.h).
  Result<ir::ValueId> ReadHidden(size_t i);
  void AssignHidden(size_t i, ir::ValueId id);

  // The axis as an index from 0; kInvalidModel if it is not in [-rank, rank).
  Result<int> Axis(int64_t axis, int rank) const { return NormalizeAxis(axis, rank); }
  // kUnsupported with a message that names the input unless it is a constant of integers (of floats).
  Result<std::vector<int64_t>> ConstantIntegers(size_t i);
  Result<std::vector<float>> ConstantFloats(size_t i);
  Result<int64_t> ConstantScalar(size_t i);
  // Input i as int64, for operators that take shapes.
  ir::ValueId Int64(size_t i);
  // A scalar of the given type.
  ir::ValueId Scalar(DType dtype, float v);
  // kInvalidModel unless input i has this rank.
  Status CheckRank(size_t i, int rank);

 private:
  std::vector<Output> outputs_;
  int part_ = -1;  // none
  // int16 tensors are seen as their integers, which the operator only moves.
  const bool integers_;
};

}  // namespace micrort::frontend::tflite
