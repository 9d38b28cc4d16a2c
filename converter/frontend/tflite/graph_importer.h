#pragma once
// The subgraph that a model runs, with its inputs, outputs and variables, as the graph of a module.

#include <string>
#include <vector>

#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/tflite/signature.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

class GraphImporter {
 public:
  GraphImporter(const ModelFile& file, EntryPoint entry, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

 private:
  Status SelectOutputs();
  Port OutputPort(int32_t index) const;
  std::vector<int32_t> OutputTensors() const;
  Status AddInputs();
  Status AddInput(const Port& port, ModelInputs* inputs);
  Status DeclareVariables();
  Status AddOutputs();
  Status AddOutput(int32_t index, const std::string& name, ir::ValueId* out);
  void Warn(std::string text);

  const ModelFile& file_;
  const EntryPoint entry_;
  const ImportOptions& options_;
  ir::Graph& graph_;
  ImportDiagnostics* const diagnostics_;
  SubgraphImporter subgraph_;
  TensorTable& tensors_;       // the subgraph's
  std::vector<Port> outputs_;  // the model's, or those that the user wants
};

}  // namespace micrort::frontend::tflite
