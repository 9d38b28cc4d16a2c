#pragma once
// The inputs of a model while a frontend adds them, with the shapes and values that the user gives.

#include <string>
#include <vector>

#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// Gives an input the shape that the options have for it, by its name or by its position ("#0"); without one
// it keeps its own. Then checks it: an input needs a shape, with dimensions that fit.
Status SettleInputShape(const ImportOptions& options, size_t position, ir::Value* input);

// Inputs are added in the order of the source, which is that of positions.
class ModelInputs {
 public:
  // All outlive this.
  ModelInputs(const ImportOptions& options, ir::Graph* graph, ImportDiagnostics* diagnostics)
      : options_(options), graph_(*graph), diagnostics_(*diagnostics) {}

  // Whether the given name means the next input.
  bool IsNext(const std::string& given, const std::string& name) const;
  bool HasShape(const std::string& name) const;
  bool HasValue(const std::string& name) const { return FindValue(name, names_.size()) != nullptr; }

  // An input of the graph, or a constant, if the user gives its value. Where the source knows no type or no
  // shape, a value tells it.
  Result<ir::ValueId> Add(ir::Value input);
  // The value for the next one, which HasValue, and which the graph need not hold.
  Status TakeNextValue(ir::Value* input);
  // The same for one that is no tensor: what was given for it.
  std::string TakeNextText(const std::string& name);
  // The same before it is taken; empty without.
  std::string NextText(const std::string& name) const;
  // An input that cannot be added has its position, too.
  void PassOver(const std::string& name) { names_.push_back(name); }
  // One that has no position, as its value is not asked for: a constant if the user gives one by its name,
  // else kNoValue.
  Result<ir::ValueId> AddOptional(ir::Value input);

  // kInvalidArgument if the options speak of something that is no input.
  Status CheckOptions() const;

 private:
  const InputValue* FindValue(const std::string& name, size_t position) const;
  Status Take(const InputValue& given, ir::Value* input);
  bool IsInput(const std::string& name) const;
  std::string InputsText() const;

  const ImportOptions& options_;
  ir::Graph& graph_;
  ImportDiagnostics& diagnostics_;
  std::vector<std::string> names_;     // by position
  std::vector<std::string> optional_;  // that were given values
};

}  // namespace micrort::frontend
