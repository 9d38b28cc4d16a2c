#pragma once
// Operators on plain data by its kind, for scalar_ops.h.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

using Arguments = std::vector<Value>;

inline bool IsPlainNumber(const Value& v) { return v.is_scalar() && !v.is_computed(); }

Answer NumberOp(const std::string& op, const Arguments& arguments);
Answer ListOp(const std::string& op, const Arguments& arguments);
Answer DictOp(const std::string& op, const Arguments& arguments);
// kUnsupported where whether `key` is one of the dictionary's is not known.
Status CheckKeys(const std::vector<Value>& entries, const Value& key);
// dict([(key, value), ...])
Answer MakeDict(const std::vector<Value>& pairs);
Answer TextOp(const std::string& op, const Arguments& arguments);

// As Python's str() has it.
std::string TextOf(const Value& value);

}  // namespace micrort::frontend::torchscript
