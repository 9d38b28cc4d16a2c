#pragma once
// States in attributes of a model: the interpreter keeps each such tensor or number from one run to the next.
// It is an input of the graph, and the output that replaces it.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/attribute_start.h"
#include "converter/frontend/torchscript/import_state.h"

namespace micrort::frontend::torchscript {

// How attributes are when a run begins; others are as the file has them.
struct StatePlan {
  std::set<std::string> tensors;  // of the file: a state each
  Starts starts;
  // The tensors of `starts` are constants instead of states.
  bool as_constants = false;
};

// An attribute that a run has changed, or one of the plan.
struct ChangedAttribute {
  bool is_seen = false;          // the run has read what it was before
  bool is_tensor_alike = false;  // a tensor of the file whose type and shape stay
  bool is_changed = false;
  Value before;
  Status described;  // an error if it cannot be what a run begins with
  AttributeStart after;
  std::vector<ir::ValueId> ids;  // of `after`, what is not known
};
using ChangedAttributes = std::map<std::string, ChangedAttribute>;

class States {
 public:
  States(const ZipArchive& archive, const StatePlan& plan, ImportState* state)
      : archive_(archive), plan_(plan), state_(*state) {}

  // Looks at all attributes of the model, before it runs. States become inputs, after the model's own.
  Status Declare(const Value& root);
  // Call this after the model ran.
  Status FindChanged(ChangedAttributes* out);
  // Those declared become states, unless nothing reads them. Call this after the outputs are there.
  Status AddStates();

 private:
  struct Attribute {
    std::string name;  // "encoder.h"
    std::shared_ptr<Object> object;
    size_t place = 0;  // among the object's attributes, which are never removed
    Value before;
    std::vector<ir::ValueId> inputs;  // states that are declared for it
    std::vector<std::shared_ptr<const ir::Bytes>> initial;

    const Value& now() const { return object->attributes[place].second; }
  };
  Status Watch(const Value& value, std::set<const Object*>* seen);
  Status DeclareTensor(Attribute* a);
  void DeclareStart(const AttributeStart& start, Attribute* a);
  bool IsInput(const StartLeaf& leaf) const;
  ir::ValueId AddInput(const std::string& name, DType dtype, const std::vector<int64_t>& shape);
  bool HasChanged(const Attribute& a) const;
  Status Describe(const Attribute& a, ChangedAttribute* out) const;
  Status FindInitial(const Attribute& a, ChangedAttribute* out) const;
  Status NextOf(const Attribute& a, std::vector<ir::ValueId>* ids) const;

  const ZipArchive& archive_;
  const StatePlan& plan_;
  ImportState& state_;
  std::vector<Attribute> attributes_;
  std::set<std::string> watched_;  // their names
};

}  // namespace micrort::frontend::torchscript
