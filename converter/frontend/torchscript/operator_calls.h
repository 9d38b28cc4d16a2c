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
  Result<Value> Call(const std::string& name, std::vector<Value> arguments, Keywords keywords);
  // By an importer or a composition, whatever the arguments are; `op` is "relu".
  Result<Value> ImportAsIs(const std::string& op, std::vector<Value> arguments, Keywords keywords);

 private:
  Answer CallSpecial(const std::string& name, const std::vector<Value>& arguments, const Keywords& keywords);
  Answer CallPlain(const std::string& name, const std::vector<Value>& arguments, const Keywords& keywords);
  Result<Value> CallOnTensors(const std::string& name, std::vector<Value> arguments, Keywords keywords);
  Status Raise(const std::vector<Value>& arguments);
  Result<Value> Assert(const std::vector<Value>& arguments);
  Answer ConvertNumber(const std::string& op, const std::vector<Value>& arguments);
  Result<Value> Compose(const Function& function, bool in_place, std::vector<Value> arguments,
                        Keywords keywords);
  Result<Value> Append(const OpImporter& importer, bool in_place, const ir::Origin& origin,
                       std::vector<Value> given, Keywords keywords);
  Result<Value> WriteInPlace(const Value& self, const Value& result);

  ImportState& state_;
};

}  // namespace micrort::frontend::torchscript
