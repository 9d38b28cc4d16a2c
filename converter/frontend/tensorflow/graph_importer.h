#pragma once
// A TensorFlow graph into a graph of ours. Nodes are imported as outputs ask for them, so whatever these do
// not need is not looked at; calls of functions are put in place. An operator that cannot be imported is
// noted, and what comes after it is left out, so that all such operators are found.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/tensorflow/model_reader.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/frontend/tensorflow/scope.h"
#include "converter/frontend/tensorflow/variables.h"

namespace micrort::frontend::tensorflow {

// Set in the attributes of a call: its nodes have the names of the graph around it already.
constexpr char kKeepsNames[] = "_micrort_keeps_names";

class GraphImporter {
 public:
  using NodeDef = ::tensorflow::NodeDef;

  // kept: variables that are states, as the model changes them.
  GraphImporter(TensorflowModel& model, const ImportOptions& options, const std::set<std::string>& kept,
                ir::Graph* graph, ImportDiagnostics* diagnostics)
      : model_(model),
        options_(options),
        variables_(model.checkpoint, kept),
        outermost_(graph),
        diagnostics_(diagnostics),
        main_("", nullptr, 0) {
    levels_.push_back(&outermost_);
  }

  Status Import();
  // After it: variables that the model changes.
  const std::set<std::string>& changed_variables() const { return variables_.changed(); }

  // For operators that run functions. Of the graph at hand.
  GraphAssembler& assembler() { return *levels_.back(); }
  // Null if there is none.
  const ::tensorflow::FunctionDef* FindFunction(const std::string& name) const;
  // Puts the function's nodes here.
  Result<TfValues> ImportCall(Scope& scope, const NodeDef& node, const ::tensorflow::NameAttrList& function,
                              const TfValues& inputs);
  // What `import` appends goes to a graph of its own. It misfits where a node cannot run with the sizes of
  // its inputs.
  Status ImportInside(const std::function<Status()>& import, ImportedBody* out);
  // The value in the graph at hand.
  TfValue Here(TfValue value);

 private:
  Status AddInputs(const std::vector<Port>& inputs);
  Status AddOutputs(const std::vector<Port>& outputs);

  // The value of a tensor, after everything that it needs has been imported.
  Result<TfValue> Evaluate(Scope& scope, const std::string& tensor);
  Status ImportUpTo(Scope& scope, const std::string& node);
  // Nodes that have to be imported before this one.
  Result<std::vector<std::string>> Missing(const Scope& scope, const NodeDef& node) const;
  Status AddNode(Scope& scope, const NodeDef& node);
  Result<TfValues> GatherInputs(const Scope& scope, const NodeDef& node);
  // The results: one an output.
  Result<TfValues> ImportNode(Scope& scope, const NodeDef& node, const TfValues& inputs);
  Status ImportCustom(Scope& scope, const NodeDef& node, OpContext& c);
  Result<TfValues> RunImporter(Scope& scope, const NodeDef& node, const TfValues& inputs);
  // Operators about what is no tensor: variables, calls, branches, lists. Nothing: it is another one.
  Result<std::optional<TfValues>> ImportSpecial(Scope& scope, const NodeDef& node, const TfValues& inputs);
  Result<ir::ValueId> ReadVariable(const Scope& scope, const NodeDef& node, const std::string& variable);
  Result<TfValues> ChangeVariable(const Scope& scope, const NodeDef& node, const TfValues& inputs);
  // A value of the outermost graph in the one at hand.
  ir::ValueId CaptureOutermost(ir::ValueId id);
  Result<TfValues> ImportConstant(const Scope& scope, const NodeDef& node);
  // Imports a Switch with a constant condition, outside of functions; others have become If before.
  Result<TfValues> ImportSwitch(const TfValues& inputs);

  TensorflowModel& model_;
  const ImportOptions& options_;
  Variables variables_;
  std::unique_ptr<Effects> effects_;
  GraphAssembler outermost_;
  std::vector<GraphAssembler*> levels_;  // from the outermost graph to the one at hand
  ImportDiagnostics* diagnostics_;
  Scope main_;
  std::map<std::string, const ::tensorflow::FunctionDef*> functions_;
  std::set<std::string> missing_;  // placeholders
  size_t calls_ = 0;
  bool misfits_ = false;  // the graph at hand
};

}  // namespace micrort::frontend::tensorflow
