#pragma once
// What a model keeps between runs: resource variables, by their names, and tensors that operators change
// (is_variable), by VariableKey. Each is an input of the graph that the interpreter keeps, and the output
// that replaces it. A subgraph that another one runs has its own, which know what was read or changed there.

#include <map>
#include <memory>
#include <set>
#include <string>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tflite/variable_uses.h"

namespace micrort::frontend::tflite {

class Variables {
 public:
  // What variables hold at first, by name.
  using Initial = std::map<std::string, ir::Value>;

  Variables() = default;
  // The variables of a subgraph that the caller's runs; the assembler is that of its nodes.
  Variables(Variables& caller, GraphAssembler* assembler) : caller_(&caller), assembler_(assembler) {}

  // Adds an input for each variable that is read and changed; constants for those that are only read. Before
  // the assembler starts with nodes.
  Status Declare(const VariableUses& uses, const Initial& initial, ir::Graph* out);
  // After the caller's outputs.
  Status AddStates(GraphAssembler* assembler);

  // Whether it has a value, here or in subgraphs that run this one.
  bool IsDeclared(const std::string& key) const;
  // What a read gives now, captured from the graph around if need be.
  Result<ir::ValueId> Read(const std::string& key);
  void Assign(const std::string& key, ir::ValueId id);
  // What it is inside, where a loop hands it on.
  void Remember(const std::string& key, ir::ValueId id) { variables_[key].current = id; }
  const std::set<std::string>& assigned() const { return assigned_; }
  // What nodes appended in place of a call have assigned.
  void TakeAssigned(const Variables& called);

  // The same as real numbers, as graphs inside operators read and give it.
  Result<ir::ValueId> ReadReal(const std::string& key, ir::Builder& builder);
  Status AssignReal(const std::string& key, ir::ValueId real, ir::Builder& builder);

  // For a subgraph that initializes: what others have assigned before, and what is assigned after it, which
  // kUnsupported tells if it is computed.
  void Start(const Initial& initial, ir::Graph* graph);
  Status TakeInitial(const ir::Graph& graph, Initial* out) const;

 private:
  struct Variable {
    ir::ValueId input = ir::kNoValue;    // kNoValue: a constant, or not declared
    ir::ValueId current = ir::kNoValue;  // what a read gives now
    std::shared_ptr<const ir::Bytes> initial;
  };

  ir::ValueId Find(const std::string& key) const;
  Status DeclareResource(const VariableUse& use, const Initial& initial, ir::Graph* out);
  Status DeclareTensor(const VariableUse& use, ir::Graph* out);
  void DeclareHidden(const VariableUse& use, ir::Graph* out);

  Variables* const caller_ = nullptr;
  GraphAssembler* const assembler_ = nullptr;
  std::map<std::string, Variable> variables_;
  std::set<std::string> assigned_;
};

}  // namespace micrort::frontend::tflite
