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
  Status Call(const std::string& op, const std::vector<Value>& arguments, Value* out);

 private:
  Status Same(const Value& a, const Value& b, Value* out);
  Status Contains(const std::vector<Value>& items, const Value& wanted, Value* out);
  Status Summary(const std::string& op, const std::vector<Value>& items, Value* out);
  Status Sort(bool falls, std::vector<Value>* items);
  // Both take bools. Where one of these decides alone, no operator is added.
  Status And(const Value& a, const Value& b, Value* out);
  Status Or(const Value& a, const Value& b, Value* out);

  OperatorCalls& calls_;
  size_t elements_ = 0;  // compared so far
};

}  // namespace micrort::frontend::torchscript
