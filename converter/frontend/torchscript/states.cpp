#include "converter/frontend/torchscript/states.h"

#include <algorithm>
#include <utility>

#include "converter/frontend/torchscript/op_context.h"
#include "converter/ir/keep_states.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsStored(const Value& value) { return value.is_tensor() && value.tensor->stored != nullptr; }

bool IsZero(const ir::Bytes& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

// A copy that what happens to lists does not change.
Value Copied(const Value& value) {
  std::vector<Value> leaves;
  Leaves(value, &leaves);
  size_t next = 0;
  return WithLeaves(value, leaves, &next);
}

}  // namespace

Status States::Watch(const Value& value, std::set<const Object*>* seen) {
  if (value.Is(Kind::kObject)) {
    if (!seen->insert(value.object.get()).second) return Status();
    const std::string prefix = value.object->path.empty() ? "" : value.object->path + ".";
    for (size_t place = 0; place < value.object->attributes.size(); ++place) {
      const auto& [name, attribute] = value.object->attributes[place];
      MICRORT_RETURN_IF_ERROR(state_.CheckNesting(attribute));
      // Its name is kept twice, and what it was.
      constexpr uint64_t kWatched = 12 * WorkMeter::kElement;
      MICRORT_RETURN_IF_ERROR(state_.meter.Spend(kWatched));
      MICRORT_RETURN_IF_ERROR(Watch(attribute, seen));
      // A pickle may hold two of a name, of which the code finds the first.
      if (!watched_.insert(prefix + name).second) continue;
      attributes_.push_back({prefix + name, value.object, place, Copied(attribute), {}, {}});
    }
  } else if (value.items != nullptr) {
    for (const Value& item : *value.items) MICRORT_RETURN_IF_ERROR(Watch(item, seen));
  }
  return Status();
}

Status States::Declare(const Value& root) {
  std::set<const Object*> seen;
  MICRORT_RETURN_IF_ERROR(Watch(root, &seen));
  for (Attribute& a : attributes_) {
    const auto start = plan_.starts.find(a.name);
    if (start != plan_.starts.end()) {
      DeclareStart(start->second, &a);
    } else if (plan_.tensors.count(a.name) != 0 && IsStored(a.before)) {
      MICRORT_RETURN_IF_ERROR(DeclareTensor(&a));
    }
  }
  return Status();
}

ir::ValueId States::AddInput(const std::string& name, DType dtype, const std::vector<int64_t>& shape) {
  ir::Graph& graph = state_.table.graph();
  ir::Value value;
  value.name = name;
  value.in_source = value.has_shape = true;
  value.dtype = dtype;
  value.shape = shape;
  const ir::ValueId id = graph.AddValue(std::move(value));
  graph.inputs.push_back(id);
  return id;
}

Status States::DeclareTensor(Attribute* a) {
  const StoredTensor& stored = *a->before.tensor->stored;
  ir::Bytes elements;
  MICRORT_RETURN_IF_ERROR(LoadElements(archive_, stored, &elements));
  a->inputs.push_back(AddInput(a->name, stored.dtype, stored.shape));
  a->initial.push_back(std::make_shared<const ir::Bytes>(std::move(elements)));
  a->before.tensor->id = a->inputs[0];
  a->before.tensor->assembler = &state_.table.assembler();
  return Status();
}

bool States::IsInput(const StartLeaf& leaf) const {
  return leaf.is_computed_always || !(leaf.is_known || leaf.is_fixed || plan_.as_constants);
}

void States::DeclareStart(const AttributeStart& start, Attribute* a) {
  std::vector<Value> leaves;
  for (const StartLeaf& leaf : start.leaves) {
    leaves.push_back(leaf.number);
    if (leaf.is_known) continue;
    const std::string name = StateName(a->name, start, leaves.size() - 1);
    ir::ValueId id = ir::kNoValue;
    if (IsInput(leaf)) {
      id = AddInput(name, leaf.dtype, leaf.shape);
      a->inputs.push_back(id);
      a->initial.push_back(leaf.initial);
    } else {
      id = state_.table.graph().AddConstant(name, leaf.dtype, leaf.shape, *leaf.initial);
    }
    leaves.back() = Value::Of(leaf.number.kind);
    leaves.back().tensor = state_.table.Make(id);
    leaves.back().tensor->is_complex = leaf.is_complex;
  }
  size_t next = 0;
  a->object->attributes[a->place].second = WithLeaves(start.form, leaves, &next);
  next = 0;
  a->before = WithLeaves(start.form, leaves, &next);
}

bool States::HasChanged(const Attribute& a) const {
  if (a.object->state != nullptr) return false;
  std::vector<Value> leaves;
  Leaves(a.now(), &leaves);
  const auto is_changed = [](const Value& leaf) {
    return leaf.tensor != nullptr && leaf.tensor->version != 0;
  };
  return !AreSame(a.before, a.now()) || std::any_of(leaves.begin(), leaves.end(), is_changed);
}

Status States::FindChanged(ChangedAttributes* out) {
  for (const Attribute& a : attributes_) {
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(a.now()));
    const bool is_planned = plan_.starts.count(a.name) != 0 || plan_.tensors.count(a.name) != 0;
    if (!is_planned && !HasChanged(a)) continue;
    MICRORT_RETURN_IF_ERROR(Describe(a, &(*out)[a.name]));
  }
  return Status();
}

Status States::Describe(const Attribute& a, ChangedAttribute* out) const {
  out->before = a.before;
  out->is_changed = HasChanged(a);
  out->is_seen = state_.attributes.IsReadFirst(*a.object, a.object->attributes[a.place].first);
  out->described = DescribeStart(a.now(), &state_.table, &out->after, &out->ids);
  if (!out->described.ok()) return Status();
  if (IsStored(a.before)) {
    const StoredTensor& stored = *a.before.tensor->stored;
    const bool is_tensor = out->after.form.is_tensor();
    out->is_tensor_alike = is_tensor && out->after.leaves[0].dtype == stored.dtype &&
                           out->after.leaves[0].shape == stored.shape &&
                           out->after.leaves[0].is_complex == stored.is_complex;
  }
  return FindInitial(a, out);
}

// A constant that the run leaves, else what the attribute was last before it was computed, be it in the file:
// all runs but the first one may find that. Else zeros.
Status States::FindInitial(const Attribute& a, ChangedAttribute* out) const {
  const AttributeLog::Elements* latest =
      state_.attributes.LatestConstant(*a.object, a.object->attributes[a.place].first);
  std::vector<Value> before;
  Leaves(a.before, &before);
  size_t next = 0;
  for (size_t i = 0; i < out->after.leaves.size(); ++i) {
    StartLeaf& leaf = out->after.leaves[i];
    if (leaf.is_known) continue;
    const auto& left = state_.table.value(out->ids[next++]).data;
    size_t size = SizeOf(leaf.dtype);
    for (const int64_t dim : leaf.shape) size *= static_cast<size_t>(dim);
    const bool fits = latest != nullptr && latest->size() == out->after.leaves.size() &&
                      (*latest)[i] != nullptr && (*latest)[i]->size() == size;
    leaf.initial = left != nullptr ? left : fits ? (*latest)[i] : nullptr;
    ir::Bytes stored;
    if (before.size() == out->after.leaves.size() && IsStored(before[i]))
      MICRORT_RETURN_IF_ERROR(LoadElements(archive_, *before[i].tensor->stored, &stored));
    if (size != 0 && stored.size() == size)
      leaf.in_file = std::make_shared<const ir::Bytes>(std::move(stored));
    if (leaf.initial == nullptr && latest == nullptr) leaf.initial = leaf.in_file;
    if (leaf.initial == nullptr) leaf.initial = std::make_shared<const ir::Bytes>(size);
  }
  return Status();
}

// The values that its states have after the run.
Status States::NextOf(const Attribute& a, std::vector<ir::ValueId>* ids) const {
  const ir::Graph& graph = state_.table.graph();
  ir::Builder builder = state_.table.assembler().BuilderFor(state_.table.origin, "state");
  OpContext c("state", builder, state_.table, {});
  const auto start = plan_.starts.find(a.name);
  const size_t planned = start == plan_.starts.end() ? 0 : start->second.leaves.size();
  std::vector<Value> leaves;
  Leaves(a.now(), &leaves);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i < planned && !IsInput(start->second.leaves[i])) continue;
    ids->push_back(ir::kNoValue);
    if (leaves[i].tensor == nullptr) {
      ids->back() = c.TensorOf(leaves[i]);
    } else {
      MICRORT_ASSIGN_OR_RETURN(ids->back(), state_.table.Read(*leaves[i].tensor));
    }
  }
  MICRORT_RETURN_IF_ERROR(c.status());
  bool are_alike = ids->size() == a.inputs.size();
  for (size_t i = 0; are_alike && i < ids->size(); ++i) {
    const ir::Value &before = graph.value(a.inputs[i]), &after = graph.value((*ids)[i]);
    are_alike = before.dtype == after.dtype && before.shape == after.shape;
  }
  if (are_alike) return builder.status();
  return Unsupported(
      "attribute '{}' is kept from run to run, but a run changes its type or shape; save the model after it "
      "has run once, with inputs of the final size",
      a.name);
}

Status States::AddStates() {
  ir::Graph& graph = state_.table.graph();
  struct Kept {
    ir::ValueId output, input;
    std::shared_ptr<const ir::Bytes> initial;
  };
  std::vector<Kept> kept;
  for (const Attribute& a : attributes_) {
    if (a.inputs.empty()) continue;
    std::vector<ir::ValueId> next;
    MICRORT_RETURN_IF_ERROR(NextOf(a, &next));
    for (size_t i = 0; i < next.size(); ++i) {
      const ir::ValueId input = a.inputs[i];
      if (!ir::IsRead(graph, input)) {
        graph.inputs.erase(std::remove(graph.inputs.begin(), graph.inputs.end(), input), graph.inputs.end());
        continue;
      }
      MICRORT_ASSIGN_OR_RETURN(
          ir::ValueId output, state_.table.assembler().AddOutput(graph.value(input).name + "/next", next[i]));
      graph.value(output).in_source = false;
      kept.push_back({output, input, IsZero(*a.initial[i]) ? nullptr : a.initial[i]});
    }
  }
  for (const Kept& state : kept) ir::AddState(state.output, state.input, state.initial, &graph);
  return Status();
}

}  // namespace micrort::frontend::torchscript
