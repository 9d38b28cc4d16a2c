#pragma once
// Inputs and outputs of the model: arguments and the result of its method `forward`.

#include <string>
#include <vector>

#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/torchscript/evaluator.h"

namespace micrort::frontend::torchscript {

class Ports {
 public:
  Ports(const ImportOptions& options, CodeLibrary& code, Evaluator& evaluator, TensorTable& table)
      : options_(options),
        code_(code),
        evaluator_(evaluator),
        table_(table),
        inputs_(options, &table.graph(), evaluator.state().diagnostics) {}

  // Adds an input for each tensor that `forward` takes; of tuples, lists and dictionaries, "state.0".
  Result<std::vector<Value>> AddInputs(const Object& module);
  // Adds an output for each tensor of the result: "output", "output.0", keys of dictionaries.
  Status AddOutputs(const Value& result);

 private:
  Result<Value> MakeArgument(const std::string& name, const Expr& type, const Parameter* parameter);
  Result<Value> MakeTensor(const std::string& name);
  Result<Value> MakeNumber(const std::string& name, Kind kind);
  Result<Value> MakeText(const std::string& name);
  Result<Value> MakeMember(const std::string& name, const std::string& class_name, const Class& c);
  Result<Value> MakeMany(const std::string& name, const Expr& type);
  bool IsGiven(const std::string& name) const { return inputs_.HasShape(name) || inputs_.HasValue(name); }
  // The type that the user states for the next input.
  InputType StatedType(const std::string& name, DType otherwise) const;
  std::vector<std::string> GivenBelow(const std::string& name) const;
  Status MissingShapes() const;
  // Values inside, by name, in the place of what `forward` returns.
  Status KeepFetches();
  Status Flatten(const std::string& name, const Value& value);

  const ImportOptions& options_;
  CodeLibrary& code_;
  Evaluator& evaluator_;
  TensorTable& table_;
  ModelInputs inputs_;
  std::vector<std::string> without_shape_;
};

}  // namespace micrort::frontend::torchscript
