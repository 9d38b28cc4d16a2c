#pragma once
// Runs TorchScript's code while the model is imported: what is known is computed, operators on tensors are
// appended to the graph. This is expressions and calls; statements are in statement_runner.h, operators in
// operator_calls.h.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/code_library.h"
#include "converter/frontend/torchscript/import_state.h"
#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

class Evaluator {
 public:
  // constants: the list that the code calls CONSTANTS.c0 and so on.
  Evaluator(CodeLibrary& code, TensorTable& table, Value constants, ImportDiagnostics* diagnostics,
            WorkMeter* meter);
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Result<Value> CallMethod(const Value& object, const std::string& method, std::vector<Value> arguments);
  // Outside of functions: a constant expression, as defaults of parameters are.
  Result<Value> EvalConstant(const Expr& expr);

  // Inside of the function that runs.
  Result<Value> Eval(const Expr& expr);
  Status EvalArguments(const Expr& call, size_t first, std::vector<Value>* arguments, Keywords* keywords);
  // "__torch__.Mode.FAST", if it is a member of an Enum.
  Answer EvalMember(const std::string& dotted);
  ImportState& state() { return state_; }

 private:
  // evaluator_calls.cpp
  Result<Value> CallFunction(const Function& function, const std::string& path, std::vector<Value> arguments,
                             Keywords keywords);
  Result<Names> BindArguments(const Function& function, std::vector<Value> arguments, Keywords keywords);
  Result<Value> CallByName(const std::string& name, std::vector<Value> arguments, Keywords keywords);
  Result<Value> CallValue(const Value& function, std::vector<Value> arguments, Keywords keywords);
  Result<Value> CallObject(const Value& object, const std::string& method, std::vector<Value> arguments,
                           Keywords keywords);
  Result<Value> Construct(const std::string& name, const Class& c, std::vector<Value> arguments,
                          Keywords keywords);
  Status Restore(Object& object);

  // evaluator_expressions.cpp
  Result<Value> EvalInside(const Expr& expr);
  Result<Value> EvalName(const Expr& expr);
  Result<Value> EvalAttribute(const Expr& expr);
  Result<Value> AttributeOf(const Value& object, const std::string& name);
  Result<Value> EvalItems(const Expr& expr, Kind kind);
  Result<Value> EvalOperator(const Expr& expr);
  Result<Value> EvalCondition(const Expr& expr);
  Result<Value> EvalCall(const Expr& expr);
  Result<Value> EvalNamedCall(const std::string& name, const Expr& call);
  Answer EvalBuiltin(const Expr& call);
  bool DottedName(const Expr& expr, std::string* out) const;

  CodeLibrary& code_;
  const Value constants_;
  ImportState state_;
  int depth_ = 0, call_depth_ = 0;
};

}  // namespace micrort::frontend::torchscript
