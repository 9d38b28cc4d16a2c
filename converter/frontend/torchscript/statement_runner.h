#pragma once
// Statements of the function that runs. Branches and loops that a run decides are left to branch_importer.h
// and loop_importer.h.

#include <vector>

#include "converter/frontend/torchscript/evaluator.h"

namespace micrort::frontend::torchscript {

class StatementRunner {
 public:
  explicit StatementRunner(Evaluator& evaluator) : evaluator_(evaluator), state_(evaluator.state()) {}

  Status RunFunction();
  // A block of it. *returned: it has come to a return.
  Status RunBlock(const std::vector<Stmt>& block, bool* returned);
  // One that runs inside a branch or loop that a run decides, where `what` says in which.
  Status RunInside(const std::vector<Stmt>& block, const char* what);
  // One that is defined in the function at hand, and reads its names.
  Result<Value> RunLocalFunction(const std::string& name);

 private:
  Status Run(const Stmt& stmt, bool* returned);
  Status RunIf(const Stmt& stmt, bool* returned);
  Status RunFor(const Stmt& stmt, bool* returned);
  Status RunWhile(const Stmt& stmt, bool* returned);
  Status RunWith(const Stmt& stmt, bool* returned);
  Result<std::vector<Value>> ItemsOf(const Expr& list);
  Result<std::vector<Value>> RangeOf(const std::vector<Value>& bounds);
  Status Assign(const Stmt& stmt);
  Status AssignTo(const Expr& target, const Value& value);
  Status AssignItem(const Stmt& loop, const Value& item);
  // A condition, or what else decides what is run.
  Result<Value> EvalDeciding(const Expr& expr);

  Evaluator& evaluator_;
  ImportState& state_;
};

}  // namespace micrort::frontend::torchscript
