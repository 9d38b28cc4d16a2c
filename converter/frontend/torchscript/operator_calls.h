#pragma once
// Calls of PyTorch's operators: what is known is computed, operators on tensors are appended to the graph.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/import_state.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

class OperatorCalls {
 public:
  explicit OperatorCalls(ImportState& state) : state_(state) {}

  // `name` is "aten::relu". One that cannot be imported is noted, and gives what cannot be reached.
  Status Call(const std::string& name, std::vector<Value> arguments, Keywords keywords, Value* out);
  // By an importer or a composition, whatever the arguments are; `op` is "relu".
  Status ImportAsIs(const std::string& op, std::vector<Value> arguments, Keywords keywords, Value* out);

 private:
  Status CallSpecial(const std::string& name, const std::vector<Value>& arguments, Value* out, bool* handled);
  Status CallPlain(const std::string& name, const std::vector<Value>& arguments, const Keywords& keywords,
                   Value* out, bool* handled);
  Status CallOnTensors(const std::string& name, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status Raise(const std::vector<Value>& arguments);
  Status Assert(const std::vector<Value>& arguments, Value* out);
  Status ConvertNumber(const std::string& op, const std::vector<Value>& arguments, Value* out, bool* handled);
  Status Compose(const Function& function, bool in_place, std::vector<Value> arguments, Keywords keywords,
                 Value* out);
  Status Append(const OpImporter& importer, bool in_place, const ir::Origin& origin,
                std::vector<Value> arguments, Value* out);
  Status WriteInPlace(const Value& self, Value* out);

  ImportState& state_;
};

}  // namespace micrort::frontend::torchscript
