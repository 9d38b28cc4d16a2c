#pragma once
// What a model keeps between runs: resource variables, by their names, and tensors that operators change
// (is_variable). Each is an input of the graph that the interpreter keeps, and the output that replaces it.

#include <map>
#include <string>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

class Variables {
 public:
  // What variables hold at first, by name.
  using Initial = std::map<std::string, ir::Value>;

  // Adds an input for each variable that the subgraph reads and changes; constants for those that it only
  // reads. Before the assembler starts with nodes.
  Status Declare(const ModelFile& file, const fb::SubGraph& graph, const Initial& initial, ir::Graph* out);
  // After the caller's outputs.
  Status AddStates(GraphAssembler* assembler);

  // For importers.
  Status BindHandle(int32_t tensor, const std::string& name);
  Status Read(int32_t handle, ir::ValueId* out) const;
  Status Assign(int32_t handle, ir::ValueId id);
  // Of a variable tensor, as real numbers.
  Status ReadTensor(int32_t tensor, ir::ValueId* out) const;
  Status AssignTensor(int32_t tensor, ir::ValueId id);

  // The constants that an initializing subgraph has assigned; kUnsupported if it computes some.
  Status TakeInitial(const ir::Graph& graph, Initial* out) const;

 private:
  struct Variable {
    ir::ValueId input = ir::kNoValue;    // kNoValue: a constant, or not declared
    ir::ValueId current = ir::kNoValue;  // what a read gives now
    std::shared_ptr<const ir::Bytes> initial;
  };

  Status DeclareResource(const std::string& name, const fb::Tensor& shown, bool is_changed,
                         const Initial& initial, ir::Graph* out);
  Status DeclareTensor(int32_t index, const fb::Tensor& tensor, ir::Graph* out);
  Status NameOf(int32_t handle, std::string* name) const;
  static std::string KeyOf(int32_t tensor) { return "#" + std::to_string(tensor); }

  std::map<std::string, Variable> variables_;  // by name; of tensors, by KeyOf
  std::map<int32_t, std::string> handles_;
};

// The name of the variable that a VAR_HANDLE stands for.
std::string VariableName(const fb::Operator& op);

}  // namespace micrort::frontend::tflite
