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

  Status CallMethod(const Value& object, const std::string& method, std::vector<Value> arguments, Value* out);
  // Outside of functions: a constant expression, as defaults of parameters are.
  Status EvalConstant(const Expr& expr, Value* out);

  // Inside of the function that runs.
  Status Eval(const Expr& expr, Value* out);
  Status EvalArguments(const Expr& call, size_t first, std::vector<Value>* arguments, Keywords* keywords);
  // "__torch__.Mode.FAST", if it is a member of an Enum.
  Status EvalMember(const std::string& dotted, Value* out, bool* is_member);
  ImportState& state() { return state_; }

 private:
  // evaluator_calls.cpp
  Status CallFunction(const Function& function, const std::string& path, std::vector<Value> arguments,
                      Keywords keywords, Value* out);
  Status BindArguments(const Function& function, std::vector<Value> arguments, Keywords keywords, Names* out);
  Status CallByName(const std::string& name, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status CallValue(const Value& function, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status CallObject(const Value& object, const std::string& method, std::vector<Value> arguments,
                    Keywords keywords, Value* out);
  Status Construct(const std::string& name, const Class& c, std::vector<Value> arguments, Keywords keywords,
                   Value* out);
  Status Restore(Object& object);

  // evaluator_expressions.cpp
  Status EvalInside(const Expr& expr, Value* out);
  Status EvalName(const Expr& expr, Value* out);
  Status EvalAttribute(const Expr& expr, Value* out);
  Status AttributeOf(const Value& object, const std::string& name, Value* out);
  Status EvalItems(const Expr& expr, Kind kind, Value* out);
  Status EvalOperator(const Expr& expr, Value* out);
  Status EvalCondition(const Expr& expr, Value* out);
  Status EvalCall(const Expr& expr, Value* out);
  Status CallOperator(const std::string& name, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status EvalNamedCall(const std::string& name, const Expr& call, Value* out);
  Status EvalBuiltin(const Expr& call, Value* out, bool* handled);
  bool DottedName(const Expr& expr, std::string* out) const;

  CodeLibrary& code_;
  const Value constants_;
  ImportState state_;
  int depth_ = 0, call_depth_ = 0;
};

}  // namespace micrort::frontend::torchscript
