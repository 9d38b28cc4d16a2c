#pragma once
// The operators of one subgraph of the file as nodes of a graph.

#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tflite/dilated_convs.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/tensor_table.h"
#include "converter/frontend/tflite/variables.h"

namespace micrort::frontend::tflite {

// Operators are imported in order. One that cannot be imported is noted and its outputs are marked, so that
// all such operators are found.
class SubgraphImporter {
 public:
  SubgraphImporter(const ModelFile& file, size_t subgraph, const ImportOptions& options, ir::Graph* graph,
                   ImportDiagnostics* diagnostics);
  // A subgraph that an operator of the caller's runs, with nodes that go to `graph`. Values come to it as
  // arguments only, but it sees the caller's variables.
  SubgraphImporter(SubgraphImporter& caller, size_t subgraph, ir::Graph* graph);

  size_t index() const { return index_; }
  const ModelFile& file() const { return file_; }
  const fb::SubGraph& stated() const { return subgraph_; }
  GraphAssembler& assembler() { return assembler_; }
  TensorTable& tensors() { return tensors_; }
  Variables& variables() { return variables_; }
  const DilatedConvs& dilated_convs() const { return dilated_convs_; }

  // `outputs`: tensors that are read by others than the subgraph's operators; only what they need is
  // imported, or all.
  Status ImportOperators(const std::vector<int32_t>& outputs, bool only_needed);

  // The value of a tensor that the operator at hand reads, or of one that the subgraph gives.
  Status Argument(int32_t index, TensorValue* out);
  // The same for graphs inside operators: real numbers alone where it is quantized.
  Status PassedArgument(int32_t index, ir::Builder& builder, TensorValue* out);

  // Whether operators after a CIRCULAR_BUFFER take part in this run; kNoValue: they do in all.
  ir::ValueId takes_part() const { return takes_part_; }
  void set_takes_part(ir::ValueId id) { takes_part_ = id; }

  // Whether the operator at hand may run the subgraph: it is there, takes so many arguments, and does not run
  // itself.
  Status CheckCall(int64_t subgraph, size_t arguments);
  // The operator at hand runs operators that cannot be imported, and are noted.
  Status Incomplete();
  bool is_incomplete() const { return is_incomplete_; }
  // Whether an operator cannot run with the sizes of its inputs.
  bool misfits() const { return misfits_; }

 private:
  std::vector<bool> NeededOperators(const std::vector<int32_t>& outputs) const;
  Status AddOperator(const fb::Operator& op);
  Status PrepareInputs(const fb::Operator& op, bool* reachable);
  Status CheckInputs(const OpImporter& importer, const fb::Operator& op) const;
  bool ReadsComplexNumbers(const fb::Operator& op) const;
  Status ImportOperator(const fb::Operator& op, const SourceNode& source);
  Status TakeOutputs(const fb::Operator& op, const OpContext& c, ir::Builder& builder, ir::ValueId first_new);
  SourceNode Source(const fb::Operator& op) const;

  const ModelFile& file_;
  const size_t index_;
  const fb::SubGraph& subgraph_;
  const ImportOptions& options_;
  ImportDiagnostics* const diagnostics_;
  SubgraphImporter* const caller_ = nullptr;
  std::shared_ptr<size_t> called_operators_ = std::make_shared<size_t>(0);
  GraphAssembler assembler_;
  TensorTable tensors_;
  Variables variables_;
  DilatedConvs dilated_convs_;
  ir::ValueId takes_part_ = ir::kNoValue;
  bool is_incomplete_ = false;
  bool misfits_ = false;
};

}  // namespace micrort::frontend::tflite
