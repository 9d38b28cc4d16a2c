#include "converter/frontend/torchscript/decided_by_run.h"

#include <algorithm>

#include "converter/frontend/common/what_decides.h"

namespace micrort::frontend::torchscript {

bool HoldsUndecided(const Value& value) {
  if (!value.is_comparable()) return true;
  return value.items != nullptr && std::any_of(value.items->begin(), value.items->end(), HoldsUndecided);
}

std::string ThatARunDecides(const Value& number) {
  if (!number.is_computed()) return "";
  const Tensor& tensor = *number.tensor;
  const bool has_value = tensor.assembler != nullptr && tensor.id != ir::kNoValue;
  return " that a run decides" + (has_value ? WhatDecides(*tensor.assembler, tensor.id) : "");
}

}  // namespace micrort::frontend::torchscript
