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
  Status AddInputs(const Object& module, std::vector<Value>* arguments);
  // Adds an output for each tensor of the result: "output", "output.0", keys of dictionaries.
  Status AddOutputs(const Value& result);

 private:
  Status MakeArgument(const std::string& name, const Expr& type, const Parameter* parameter, Value* out);
  Status MakeTensor(const std::string& name, Value* out);
  Status MakeNumber(const std::string& name, Kind kind, Value* out);
  Status MakeText(const std::string& name, Value* out);
  Status MakeMember(const std::string& name, const std::string& class_name, const Class& c, Value* out);
  Status MakeMany(const std::string& name, const Expr& type, Value* out);
  bool IsGiven(const std::string& name) const { return inputs_.HasShape(name) || inputs_.HasValue(name); }
  // The type that the user states for the next input.
  DType StatedType(const std::string& name, DType otherwise) const;
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
