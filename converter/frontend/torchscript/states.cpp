#include "converter/frontend/torchscript/states.h"

#include <algorithm>

#include "converter/ir/keep_states.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsStored(const Value& value) { return value.is_tensor() && value.tensor->stored != nullptr; }

size_t ElementsOf(const Value& value) { return value.items == nullptr ? 0 : value.items->size(); }

}  // namespace

void States::Watch(const Value& value, std::set<const Object*>* seen) {
  if (value.Is(Kind::kObject)) {
    if (!seen->insert(value.object.get()).second) return;
    const std::string prefix = value.object->path.empty() ? "" : value.object->path + ".";
    for (size_t place = 0; place < value.object->attributes.size(); ++place) {
      const auto& [name, attribute] = value.object->attributes[place];
      Watch(attribute, seen);
      // A pickle may hold two of a name, of which the code finds the first.
      if (attribute.Is(Kind::kObject) || !watched_.insert(prefix + name).second) continue;
      attributes_.push_back({prefix + name, value.object, place, attribute, ElementsOf(attribute)});
    }
  } else if (value.items != nullptr) {
    for (const Value& item : *value.items) Watch(item, seen);
  }
}

Status States::Declare(const Value& root, const std::set<std::string>& names, TensorTable* table) {
  std::set<const Object*> seen;
  Watch(root, &seen);
  ir::Graph& graph = table->graph();
  for (Attribute& a : attributes_) {
    if (names.count(a.name) == 0 || !IsStored(a.before)) continue;
    const StoredTensor& stored = *a.before.tensor->stored;
    ir::Value value;
    value.name = a.name;
    value.in_source = value.has_shape = true;
    value.dtype = stored.dtype;
    value.shape = stored.shape;
    const ir::ValueId id = graph.AddValue(std::move(value));
    graph.inputs.push_back(id);
    a.before.tensor->id = id;
    a.before.tensor->assembler = &table->assembler();
    a.input = id;
  }
  return Status();
}

std::set<std::string> States::Changed(ImportDiagnostics* diagnostics) const {
  std::set<std::string> names;
  for (const Attribute& a : attributes_) {
    const Value& now = a.object->attributes[a.place].second;
    if (a.object->state != nullptr) continue;
    if (IsStored(a.before) && now.is_tensor()) {
      if (now.tensor != a.before.tensor || now.tensor->version != 0) names.insert(a.name);
    } else if (!(now == a.before) || ElementsOf(now) != a.elements) {
      diagnostics->warnings.push_back("attribute '" + a.name + "' is changed, but not kept: it was " +
                                      KindName(a.before.kind) + "; each run finds what the file has");
    }
  }
  return names;
}

Status States::AddStates(const ZipArchive& archive, TensorTable* table) const {
  ir::Graph& graph = table->graph();
  struct Kept {
    ir::ValueId output, input;
    std::shared_ptr<const ir::Bytes> initial;
  };
  std::vector<Kept> kept;
  for (const Attribute& a : attributes_) {
    const ir::ValueId input = a.input;
    if (input == ir::kNoValue) continue;
    if (!ir::IsRead(graph, input)) {
      graph.inputs.erase(std::remove(graph.inputs.begin(), graph.inputs.end(), input), graph.inputs.end());
      continue;
    }
    ir::ValueId id = ir::kNoValue, output = ir::kNoValue;
    const Value& now = a.object->attributes[a.place].second;
    if (now.is_tensor()) MICRORT_RETURN_IF_ERROR(table->Read(*now.tensor, &id));
    const ir::Value& before = graph.value(input);
    if (!now.is_tensor() || before.dtype != graph.value(id).dtype || before.shape != graph.value(id).shape) {
      return MICRORT_ERROR(
          kUnsupported,
          "attribute '%s' is kept from run to run, but a run changes its type or shape; save the "
          "model after it has run once, with inputs of the final size",
          a.name.c_str());
    }
    auto initial = std::make_shared<ir::Bytes>();
    MICRORT_RETURN_IF_ERROR(LoadElements(archive, *a.before.tensor->stored, initial.get()));
    const bool is_zero =
        std::all_of(initial->begin(), initial->end(), [](uint8_t byte) { return byte == 0; });
    MICRORT_RETURN_IF_ERROR(table->assembler().AddOutput(a.name + "/next", id, &output));
    graph.value(output).in_source = false;
    kept.push_back({output, input, is_zero ? nullptr : std::move(initial)});
  }
  for (const Kept& state : kept) ir::AddState(state.output, state.input, state.initial, &graph);
  return Status();
}

}  // namespace micrort::frontend::torchscript
