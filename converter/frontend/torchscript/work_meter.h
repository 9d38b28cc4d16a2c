#pragma once
// What an import of TorchScript may do beside appending nodes: everything that looks at values, which a model
// may make as large and look at as often as it likes, counts here by size.

#include <cstdint>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

class WorkMeter {
 public:
  // The work of one element of a list, dictionary or object that is copied or compared. A byte of text is
  // less.
  static constexpr uint64_t kElement = 4;
  static constexpr uint64_t kTextBytes = 16;

  // Before the work is done; a unit takes some 25 nanoseconds. kUnsupported where there was too much.
  Status Spend(uint64_t units);

 private:
  uint64_t spent_ = 0;
};

// The work of copying or reading this text.
inline uint64_t WorkOfText(const std::string& text) { return 1 + text.size() / WorkMeter::kTextBytes; }

// The work of copying what the value holds, and of finding an attribute.
uint64_t WorkOfCopy(const Value& value);
uint64_t WorkOfAttribute(const Object& object);
// Units that an operator on plain data takes, as plain_ops.h has them.
uint64_t WorkOfPlainOp(const std::string& op, const std::vector<Value>& arguments);
// The work of finding a key of a dictionary; elements of other containers are found at once.
uint64_t WorkOfElement(const Value& container, const Value& key);

}  // namespace micrort::frontend::torchscript
