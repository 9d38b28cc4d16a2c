#pragma once
// Numbers and truth values of the code: known while the model is imported, or computed by a run.

#include <string>

#include "converter/frontend/torchscript/import_state.h"

namespace micrort::frontend::torchscript {

class Numbers {
 public:
  explicit Numbers(ImportState& state) : state_(state) {}

  // As a bool, int or float (`kind`); of a tensor, its one element.
  Status Convert(Kind kind, const Value& value, Value* out);
  // The element of a tensor, of the kind that its type is.
  Status ElementOf(const Value& tensor, Value* out);
  Status Truth(const Value& value, bool* is_known, bool* truth);

 private:
  Status ConvertTensor(Kind kind, const Value& value, Value* out);

  ImportState& state_;
};

}  // namespace micrort::frontend::torchscript
