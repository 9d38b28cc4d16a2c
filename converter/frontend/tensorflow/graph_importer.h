#pragma once
// A TensorFlow graph into a graph of ours. Nodes are imported as outputs ask for them, so whatever these do
// not need is not looked at; calls of functions are put in place. An operator that cannot be imported is
// noted, and what comes after it is left out, so that all such operators are found.

#include <map>
#include <string>
#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/tensorflow/model_reader.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/frontend/tensorflow/scope.h"

namespace micrort::frontend::tensorflow {

class GraphImporter {
 public:
  GraphImporter(TensorflowModel& model, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics)
      : model_(model),
        options_(options),
        assembler_(graph),
        diagnostics_(diagnostics),
        main_("", nullptr, 0) {}

  Status Import();

 private:
  using NodeDef = ::tensorflow::NodeDef;

  Status AddInputs(const std::vector<Port>& inputs);
  Status AddOutputs(const std::vector<Port>& outputs);

  // The value of a tensor, after everything that it needs has been imported.
  Status Evaluate(Scope& scope, const std::string& tensor, TfValue* out);
  Status ImportUpTo(Scope& scope, const std::string& node);
  // Nodes that have to be imported before this one.
  Status Missing(const Scope& scope, const NodeDef& node, std::vector<std::string>* out) const;
  Status AddNode(Scope& scope, const NodeDef& node);
  Status GatherInputs(const Scope& scope, const NodeDef& node, std::vector<TfValue>* inputs) const;
  // Fills `results`, one an output.
  Status ImportNode(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                    std::vector<TfValue>* results);
  Status ImportCustom(Scope& scope, const NodeDef& node, OpContext& c);
  Status RunImporter(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                     std::vector<TfValue>* results);
  // Operators about what is no tensor: variables, calls, branches. False: it is another one.
  Status ImportSpecial(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                       std::vector<TfValue>* results, bool* is_special);
  Status ReadVariable(const Scope& scope, const NodeDef& node, const std::string& variable,
                      std::vector<TfValue>* results);
  Status ImportConstant(const Scope& scope, const NodeDef& node, std::vector<TfValue>* results);
  Status ImportCall(Scope& scope, const NodeDef& node, const std::string& function, const AttrMap* attributes,
                    const std::vector<TfValue>& inputs, std::vector<TfValue>* results);
  Status ImportIf(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                  std::vector<TfValue>* results);
  Status ImportSwitch(const std::vector<TfValue>& inputs, std::vector<TfValue>* results) const;
  Status ConstantCondition(const TfValue& value, bool* out) const;
  TfValue AddConstant(const Scope& scope, const NodeDef& node, ConstantTensor tensor);

  TensorflowModel& model_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ImportDiagnostics* diagnostics_;
  Scope main_;
  std::map<std::string, const ::tensorflow::FunctionDef*> functions_;
  std::map<std::string, TfValue> variables_;  // that were read
  size_t calls_ = 0;
};

}  // namespace micrort::frontend::tensorflow
