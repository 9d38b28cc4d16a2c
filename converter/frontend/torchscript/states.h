#pragma once
// What a model keeps in its attributes from one run to the next: each such tensor is an input of the graph
// that the interpreter keeps, and the output that replaces it.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/frontend/torchscript/tensor_table.h"

namespace micrort::frontend::torchscript {

class States {
 public:
  // Looks at all attributes of the model, before it runs. Those of `names` become inputs, after its own.
  Status Declare(const Value& root, const std::set<std::string>& names, TensorTable* table);
  // After it ran: names of tensors that have been replaced or changed in place. Other attributes that have
  // changed are warned of.
  std::set<std::string> Changed(ImportDiagnostics* diagnostics) const;
  // After the model's outputs: those declared, unless nothing reads them.
  Status AddStates(const ZipArchive& archive, TensorTable* table) const;

 private:
  struct Attribute {
    std::string name;  // "encoder.h"
    std::shared_ptr<Object> object;
    size_t place = 0;  // among the object's attributes, which are never removed
    Value before;
    size_t elements = 0;               // of a list
    ir::ValueId input = ir::kNoValue;  // of what is declared
  };
  void Watch(const Value& value, std::set<const Object*>* seen);

  std::vector<Attribute> attributes_;
  std::set<std::string> watched_;  // their names
};

}  // namespace micrort::frontend::torchscript
