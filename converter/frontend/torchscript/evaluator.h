#pragma once
// Runs TorchScript's code while the model is imported: what is known is computed, operators on tensors are
// appended to the graph.

#include <map>
#include <string>
#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/torchscript/bodies.h"
#include "converter/frontend/torchscript/code_library.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/frontend/torchscript/tensor_table.h"
#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

class Evaluator {
 public:
  // constants: the list that the code calls CONSTANTS.c0 and so on.
  Evaluator(CodeLibrary& code, TensorTable& table, Value constants, ImportDiagnostics* diagnostics)
      : code_(code), table_(table), constants_(std::move(constants)), diagnostics_(diagnostics) {}

  Status CallMethod(const Value& object, const std::string& method, std::vector<Value> arguments, Value* out);
  // Outside of functions: a constant expression, as defaults of parameters are.
  Status EvalConstant(const Expr& expr, Value* out);

 private:
  using Keywords = std::vector<std::pair<std::string, Value>>;
  using Names = std::map<std::string, Value>;

  struct Frame {
    const Function* function = nullptr;
    std::string path;  // of the module whose method it is
    Names names;
    Value result;
    int line = 0;
  };
  enum class Flow { kNext, kReturn };
  struct Loop;  // a loop that a run decides, while it is imported

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

  // evaluator_statements.cpp
  Status Exec(const std::vector<Stmt>& block, Flow* flow);
  Status ExecStatement(const Stmt& stmt, Flow* flow);
  Status ExecIf(const Stmt& stmt, Flow* flow);
  Status ExecFor(const Stmt& stmt, Flow* flow);
  Status ExecWhile(const Stmt& stmt, Flow* flow);
  Status Assign(const Stmt& stmt);
  Status AssignTo(const Expr& target, const Value& value);
  Status Truth(const Value& value, bool* is_known, bool* truth);
  Status CountWork();

  // evaluator_branches.cpp: what a run decides
  Status ExecBranches(const Stmt& stmt, const Value& condition);
  Status TryBranches(const Stmt& stmt, const Value& condition, std::vector<std::shared_ptr<Tensor>>* changed,
                     bool* is_done);
  Status RunBranch(const std::vector<Stmt>& block, size_t known_changed,
                   std::vector<std::shared_ptr<Tensor>>* changed, ImportedBody* body, Branch* branch);
  Status MergeBranches(const Stmt& stmt, const Value& condition,
                       const std::vector<std::shared_ptr<Tensor>>& changed, ImportedBody (&bodies)[2],
                       const Branch (&branches)[2]);
  // evaluator_loops.cpp
  Status ExecLoop(const Stmt& stmt, const Value& trip_count, const Value& condition);
  Status TryLoop(const Stmt& stmt, const Value& trip_count, const Value& condition, Loop* loop,
                 bool* is_done);

  // evaluator_expressions.cpp
  Status Eval(const Expr& expr, Value* out);
  Status EvalInside(const Expr& expr, Value* out);
  Status EvalName(const Expr& expr, Value* out);
  Status EvalAttribute(const Expr& expr, Value* out);
  Status AttributeOf(const Value& object, const std::string& name, Value* out);
  Status EvalItems(const Expr& expr, Kind kind, Value* out);
  Status EvalOperator(const Expr& expr, Value* out);
  Status EvalCall(const Expr& expr, Value* out);
  Status EvalArguments(const Expr& call, size_t first, std::vector<Value>* arguments, Keywords* keywords);
  Status EvalBuiltin(const Expr& call, Value* out, bool* handled);
  Status Convert(Kind kind, const Value& value, Value* out);
  Status IsInstance(const Value& value, const Expr& type, bool* out);
  bool DottedName(const Expr& expr, std::string* out) const;

  // evaluator_operators.cpp
  Status CallOperator(const std::string& name, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status CallSpecial(const std::string& name, const std::vector<Value>& arguments, Value* out, bool* handled);
  Status ImportOperator(const std::string& op, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status BindParameters(const OpImporter& importer, std::vector<Value> arguments, Keywords keywords,
                        std::vector<Value>* out) const;
  Status WrapScalar(const Value& result, Value* out);
  Status SizeOfDimension(const Value& tensor, const Value& axis, Value* out);
  Status Sizes(const Value& tensor, Value* out);
  std::string NodeName(const std::string& op);

  CodeLibrary& code_;
  TensorTable& table_;
  const Value constants_;
  ImportDiagnostics* const diagnostics_;
  Frame* frame_ = nullptr;
  std::map<std::string, int> node_names_;
  Frozen frozen_;
  bool has_raised_ = false;  // the error at hand is an exception of the model
  int depth_ = 0, call_depth_ = 0;
  int64_t work_ = 0;
};

}  // namespace micrort::frontend::torchscript
