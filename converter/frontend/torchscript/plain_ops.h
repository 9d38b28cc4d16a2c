#pragma once
// Operators on plain data by its kind, for scalar_ops.h. *handled becomes false where there is none.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

using Arguments = std::vector<Value>;

inline bool IsPlainNumber(const Value& v) { return v.is_scalar() && !v.is_computed(); }

Status NumberOp(const std::string& op, const Arguments& arguments, Value* out, bool* handled);
Status ListOp(const std::string& op, const Arguments& arguments, Value* out, bool* handled);
Status DictOp(const std::string& op, const Arguments& arguments, Value* out, bool* handled);
// kUnsupported where whether `key` is one of the dictionary's is not known.
Status CheckKeys(const std::vector<Value>& entries, const Value& key);
// dict([(key, value), ...])
Status MakeDict(const std::vector<Value>& pairs, Value* out, bool* handled);
Status TextOp(const std::string& op, const Arguments& arguments, Value* out, bool* handled);

// As Python's str() has it.
std::string TextOf(const Value& value);

}  // namespace micrort::frontend::torchscript
