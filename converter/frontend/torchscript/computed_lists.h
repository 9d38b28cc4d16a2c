#pragma once
// Operators that ask lists for the numbers in them, where a run decides one of these.

#include <cstddef>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/operator_calls.h"

namespace micrort::frontend::torchscript {

class ComputedLists {
 public:
  explicit ComputedLists(OperatorCalls& calls) : calls_(calls) {}

  // Whether `op`, without a namespace, asks for elements of lists that cannot be compared yet.
  static bool Concerns(const std::string& op, const std::vector<Value>& arguments);
  // By operators on the single numbers; kUnsupported where the result is a position or a number of elements.
  Result<Value> Call(const std::string& op, const std::vector<Value>& arguments);

 private:
  Result<Value> Same(const Value& a, const Value& b);
  Result<Value> Contains(const std::vector<Value>& items, const Value& wanted);
  Result<Value> Summary(const std::string& op, const std::vector<Value>& items);
  Status Sort(bool falls, std::vector<Value>* items);
  // Both take bools. Where one of these decides alone, no operator is added.
  Result<Value> And(const Value& a, const Value& b);
  Result<Value> Or(const Value& a, const Value& b);

  OperatorCalls& calls_;
  size_t elements_ = 0;  // compared so far
};

}  // namespace micrort::frontend::torchscript
