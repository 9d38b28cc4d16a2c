#pragma once
// One subgraph of the file into one graph of ours.

#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tflite/dilated_convs.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/variables.h"

namespace micrort::frontend::tflite {

// Operators are imported in order. One that cannot be imported is noted and its outputs are marked, so that
// all such operators are found.
class GraphImporter {
 public:
  GraphImporter(const ModelFile& file, size_t subgraph, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

  // For a subgraph that gives variables their first values (CALL_ONCE).
  Status ImportInitial(Variables::Initial* out);

  const ModelFile& file() const { return file_; }
  Variables& variables() { return variables_; }
  const DilatedConvs& dilated_convs() const { return dilated_convs_; }
  const fb::Tensor& TensorAt(int32_t index) const {
    return *subgraph_.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  }

  // For importers, of tensors that their operator reads. A quantized tensor has two forms, its integers and
  // the real numbers that these stand for; what is not there yet is computed.
  ir::ValueId RealValue(int32_t index, ir::Builder& builder);
  ir::ValueId StoredValue(int32_t index, ir::Builder& builder);

 private:
  struct TensorValue {
    ir::ValueId stored = ir::kNoValue, real = ir::kNoValue;
    bool is_unreachable = false;  // after an operator that cannot be imported
    bool is_set() const { return stored != ir::kNoValue || real != ir::kNoValue; }
  };

  Status DeclareVariables();
  Status SelectOutputs();
  std::vector<bool> NeededOperators() const;
  Status AddInputs();
  Status ImportOperators();
  Status AddOperator(const fb::Operator& op);
  Status ImportOperator(const fb::Operator& op, const SourceNode& source);
  Status CheckInputs(const OpImporter& importer, const fb::Operator& op) const;
  // What an operator reads is there, and constants among it are read.
  Status Prepare(int32_t index, bool* reachable);
  Status PrepareInputs(const fb::Operator& op, bool* reachable);
  Status AddConstant(int32_t index);
  Status TakeOutputs(const fb::Operator& op, const OpContext& c, ir::Builder& builder, ir::ValueId first_new);
  Status TakeOutput(int32_t index, const OpContext::Output& output, ir::Builder& builder,
                    ir::ValueId first_new);
  ir::ValueId Misused(int32_t index, ir::Builder& builder);
  Status AddOutputs();
  SourceNode Source(const fb::Operator& op) const;
  TensorValue& At(int32_t index) { return values_[static_cast<size_t>(index)]; }

  const ModelFile& file_;
  const fb::SubGraph& subgraph_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ir::Graph& graph_;  // the assembler's
  ImportDiagnostics* diagnostics_;
  Variables variables_;
  DilatedConvs dilated_convs_;
  std::vector<TensorValue> values_;  // by index of the tensor
  Status misuse_;                    // a variable was read as a value
  std::vector<int32_t> outputs_;     // of the subgraph, or those that the user wants
};

}  // namespace micrort::frontend::tflite
