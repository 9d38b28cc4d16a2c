#pragma once
// What pickles of PyTorch name: how tensors are put together from storages.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

// A storage as a tensor of one dimension. id: what the pickle names it by.
Result<Value> MakeStorage(const Value& id, const std::string& folder);

// Calls `global` ("torch._utils _rebuild_tensor_v2"); kUnsupported, with its name, for anything but the
// functions that make tensors and typed lists.
Result<Value> CallGlobal(const std::string& global, const std::vector<Value>& arguments);

}  // namespace micrort::frontend::torchscript
