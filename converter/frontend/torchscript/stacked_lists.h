#pragma once
// Lists that a loop which a run decides fills with a tensor in each iteration. Such a list has one item of
// Kind::kStacked, whose tensor has the others as its rows; while the loop is imported that is null.

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/bodies.h"
#include "converter/frontend/torchscript/operator_calls.h"

namespace micrort::frontend::torchscript {

bool IsStackedList(const Value& value);

// The lists that iterations of one loop fill.
class FilledLists {
 public:
  // around: what was there before a branch or loop around this one began.
  explicit FilledLists(std::set<const void*> around) : around_(std::move(around)) {}

  // Before an iteration is imported.
  void StartTry();
  // Whether an iteration has to be imported again, since it fills a list that it might have read before.
  bool has_new() const { return has_new_; }
  // kUnsupported unless the list is empty before the loop, and gets one tensor in each iteration.
  Status Append(const Value& list, const Value& item);
  // The tensors of an iteration become outputs of its body; kUnsupported where a list has got none.
  Status HandOutAll(TensorTable& table, Branch* results) const;
  // The outputs of the loop from `first` on.
  void TakeResults(TensorTable& table, const std::vector<ir::ValueId>& ids, size_t first) const;

 private:
  struct List {
    std::shared_ptr<std::vector<Value>> items;
    Value entry;  // of the iteration at hand; None: there is none yet
  };

  const std::set<const void*> around_;
  std::vector<List> lists_;
  bool has_new_ = false;
};

// What may be asked of such lists.
class StackedLists {
 public:
  explicit StackedLists(OperatorCalls& calls) : calls_(calls) {}

  static bool Concern(const std::vector<Value>& arguments);
  // len, stack, cat and elements; kUnsupported for others.
  Result<Value> Call(const std::string& name, const std::vector<Value>& arguments, const Keywords& keywords);

 private:
  Result<Value> Join(const std::string& op, const Value& rows, const Value& dim);

  OperatorCalls& calls_;
};

}  // namespace micrort::frontend::torchscript
