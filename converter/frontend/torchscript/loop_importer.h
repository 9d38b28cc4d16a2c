#pragma once
// A loop that the values of inputs decide becomes a Loop.

#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/stacked_lists.h"

namespace micrort::frontend::torchscript {

class LoopImporter {
 public:
  // trip_count: None for a `while`, whose first condition is `condition`.
  LoopImporter(Evaluator& evaluator, const Stmt& stmt, const Value& trip_count, const Value& condition)
      : evaluator_(evaluator),
        state_(evaluator.state()),
        stmt_(stmt),
        trip_count_(trip_count),
        condition_(condition) {}

  Status Import();

 private:
  bool has_count() const { return !trip_count_.is_none(); }

  Status Try(const FilledLists& lists, bool* is_done);
  void FindInitial(OpContext& around);
  Result<bool> ImportBody(const FilledLists& lists);
  Status BindInputs(GraphAssembler& inner);
  Status HandOutResults(Branch* results);
  Status HandOutCondition(Branch* results);
  Status TakeResults(const std::vector<ir::ValueId>& ids);
  // The carried names, with these values in the place of what they were before the loop.
  void SetNames(const std::vector<Value>& leaves);

  Evaluator& evaluator_;
  ImportState& state_;
  const Stmt& stmt_;
  const Value trip_count_, condition_;
  // What iterations hand on: values of names, then tensors that they change in place.
  std::vector<std::string> names_;
  std::vector<std::shared_ptr<Tensor>> changed_;
  std::vector<Carried> carried_;  // leaves, then tensors
  // State of the current try:
  Names before_;
  std::vector<Value> leaves_;  // of names, before the loop
  ImportedBody body_;
};

}  // namespace micrort::frontend::torchscript
