#pragma once
// The variables of a model: constants of its checkpoint, or, of those that it changes, states, which the
// interpreter keeps from run to run.

#include <map>
#include <set>
#include <string>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tensorflow/checkpoint.h"

namespace micrort::frontend::tensorflow {

// What the node of a handle calls its variable.
std::string SharedName(const ::tensorflow::NodeDef& handle);

class Variables {
 public:
  // kept: those that are states. The checkpoint outlives this.
  Variables(Checkpoint& checkpoint, std::set<std::string> kept)
      : checkpoint_(checkpoint), kept_(std::move(kept)) {}

  // As Checkpoint::CheckHandle; OK where there is no checkpoint.
  Status CheckHandle(const std::string& variable, const ::tensorflow::NodeDef& handle) const;
  // The variable holds an input of the graph at first. `is_state`: which is a state, whatever the model does
  // with it, of what the checkpoint has, or zeros.
  void Give(const std::string& variable, ir::ValueId input, bool is_state);
  // Before the graph's nodes: its inputs that hold the states.
  Status DeclareStates(ir::Graph* graph);
  // What the variable holds at this moment, in the outermost graph; `name` is the node's that reads it.
  Result<ir::ValueId> Read(const std::string& variable, const std::string& name, GraphAssembler* outermost);
  void Change(const std::string& variable, ir::ValueId value);
  // After the model's outputs.
  Status AddStates(GraphAssembler* outermost) const;

  const std::set<std::string>& changed() const { return changed_; }

 private:
  Result<ConstantTensor> Load(const std::string& variable) const;

  Checkpoint& checkpoint_;
  const std::set<std::string> kept_;
  std::map<std::string, ir::ValueId> now_, inputs_;  // inputs_: of the states
  std::set<std::string> changed_, given_;            // given_: as states
};

}  // namespace micrort::frontend::tensorflow
