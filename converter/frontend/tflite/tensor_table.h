#pragma once
// The tensors of one subgraph as values of the graph, while the subgraph is imported.

#include <string>
#include <vector>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

// A quantized tensor has two forms, its integers and the real numbers that these stand for.
struct TensorValue {
  ir::ValueId stored = ir::kNoValue, real = ir::kNoValue;
  ir::ValueId outer = ir::kNoValue;  // of the graph around, captured when it is read
  std::string variable = {};         // of a handle: the name of what it stands for
  bool is_unreachable = false;       // after an operator that cannot be imported
  const fb::Tensor* tensor = nullptr;
  bool is_set() const { return stored != ir::kNoValue || real != ir::kNoValue || outer != ir::kNoValue; }
  ir::ValueId any() const { return stored != ir::kNoValue ? stored : real; }
};

// Floats with one more dimension, of two, to us.
bool IsComplex(const fb::Tensor& tensor);
// Whether it stands for a variable.
bool IsHandle(const fb::Tensor& tensor);

class TensorTable {
 public:
  TensorTable(const ModelFile& file, const fb::SubGraph& subgraph, GraphAssembler* assembler);

  size_t size() const { return values_.size(); }
  // As the file has it.
  const fb::Tensor& Stated(int32_t index) const {
    return *subgraph_.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  }
  TensorValue& At(int32_t index) { return values_[static_cast<size_t>(index)]; }

  // What an operator reads is there, and a constant is read. Clears *reachable if it is not, because of an
  // operator that cannot be imported.
  Status Prepare(int32_t index, bool* reachable);

  // The two forms of tensors that are prepared. A form that is not there yet is computed.
  ir::ValueId Real(int32_t index, ir::Builder& builder);
  ir::ValueId Stored(int32_t index, ir::Builder& builder);
  // An error once one of these was a variable.
  const Status& misuse() const { return misuse_; }

  // The tensor is what an operator computed: real numbers, or, if `is_stored` says so, integers. A value made
  // since `first_new` takes its name.
  Status Take(int32_t index, ir::ValueId id, bool is_stored, ir::Builder& builder, ir::ValueId first_new);

 private:
  Status AddConstant(int32_t index);
  Status Quantize(int32_t index, DType dtype, ir::Builder& builder, ir::ValueId* id);
  ir::ValueId Misused(int32_t index, ir::Builder& builder);

  const ModelFile& file_;
  const fb::SubGraph& subgraph_;
  GraphAssembler& assembler_;
  ir::Graph& graph_;                 // the assembler's
  std::vector<TensorValue> values_;  // by index of the tensor
  Status misuse_;
};

}  // namespace micrort::frontend::tflite
