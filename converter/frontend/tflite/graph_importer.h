#pragma once
// The subgraph that a model runs, with its inputs, outputs and variables, as the graph of a module.

#include <map>
#include <string>
#include <vector>

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
  Status AddInputs();
  Status DeclareVariables();
  Status AddOutputs();
  Status AddOutput(int32_t index, const std::string& name);
  // What an input or output is called.
  std::string PortName(int32_t index, const std::map<int32_t, std::string>& names) const;

  const ModelFile& file_;
  const EntryPoint entry_;  // names are those of the model's inputs and outputs
  const ImportOptions& options_;
  ir::Graph& graph_;
  ImportDiagnostics* const diagnostics_;
  SubgraphImporter subgraph_;
  TensorTable& tensors_;          // the subgraph's
  std::vector<int32_t> outputs_;  // of the subgraph, or those that the user wants
};

}  // namespace micrort::frontend::tflite
