#include "converter/frontend/torchscript/import_state.h"

#include <algorithm>
#include <utility>

#include "converter/frontend/torchscript/scalar_ops.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::torchscript {

namespace {

// No real model comes near.
constexpr int64_t kMaxStatements = 1000000;
constexpr int kMaxContainers = 200;

}  // namespace

std::string ImportState::NodeName(const std::string& op) {
  std::string name = frame == nullptr || frame->path.empty() ? op : frame->path + "/" + op;
  const int count = ++node_names[name];
  return count == 1 ? name : name + "_" + std::to_string(count);
}

Status ImportState::CountStatement() {
  if (++statements_ <= kMaxStatements) return Status();
  return Unsupported("more than {} statements are run; is there a loop without an end?", kMaxStatements);
}

Answer ImportState::RunPlainOp(const std::string& op, const std::vector<Value>& arguments) {
  MICRORT_RETURN_IF_ERROR(meter.Spend(WorkOfPlainOp(op, arguments)));
  return RunScalarOp(op, arguments);
}

Result<Value> ImportState::GetElement(const Value& container, const Value& key) {
  if (container.Is(Kind::kDict)) {
    MICRORT_RETURN_IF_ERROR(CheckNesting(container));
    MICRORT_RETURN_IF_ERROR(meter.Spend(WorkOfElement(container, key)));
  }
  return ElementOf(container, key);
}

Status ImportState::CheckNesting(const Value& value) { return Walk(value, nullptr, 0); }

Status ImportState::CheckInsertion(const Value& value, const Value& container) {
  return Walk(value, &container, 0);
}

Status ImportState::SetAttribute(const Value& object, const std::string& name, const Value& value) {
  const Status may_change = frozen.CheckMayChange(object);
  if (!may_change.ok()) {
    const Value* before = object.object->Find(name);
    if (attribute_scope == nullptr || before == nullptr || !attribute_scope->MaySet()) return may_change;
    // Where the branch is not taken, what it was is seen.
    attributes.NoteRead(*object.object, name);
    attribute_scope->NoteChange({object.object, name}, *before);
  }
  MICRORT_RETURN_IF_ERROR(CheckInsertion(value, object));
  MICRORT_RETURN_IF_ERROR(meter.Spend(WorkOfAttribute(*object.object)));
  MICRORT_RETURN_IF_ERROR(attributes.NoteSet(*object.object, name, value, &table));
  object.object->Set(name, value);
  return Status();
}

void ImportState::Warn(int line, const std::string& text) {
  diagnostics->warnings.push_back(frame->function->file + ":" + std::to_string(line) + ": " + text);
}

void ImportState::WarnOfException(int line) {
  Warn(line, "an exception that the values of inputs decide is never raised");
}

// Objects are walked through only where one may hold the container.
Status ImportState::Walk(const Value& value, const Value* container, int depth) {
  const bool is_object = value.object != nullptr && container != nullptr;
  if (value.items == nullptr && !is_object) return Status();
  if (depth > kMaxContainers)
    return Unsupported("more than {} lists and objects inside each other", kMaxContainers);
  const bool is_itself = container != nullptr && (value.items != nullptr ? value.items == container->items
                                                                         : value.object == container->object);
  if (is_itself) return Unsupported("{} inside itself", KindName(container->kind));
  const size_t size = value.items != nullptr ? value.items->size() : value.object->attributes.size();
  // What holds nothing is soon seen; lists inside lists may double with each level.
  MICRORT_RETURN_IF_ERROR(meter.Spend((depth == 0 ? 1 : 16) + size / 4));
  for (size_t i = 0; value.items != nullptr && i < value.items->size(); ++i)
    MICRORT_RETURN_IF_ERROR(Walk((*value.items)[i], container, depth + 1));
  if (!is_object) return Status();
  for (const auto& [name, attribute] : value.object->attributes)
    MICRORT_RETURN_IF_ERROR(Walk(attribute, container, depth + 1));
  return Status();
}

AttributeScope::AttributeScope(ImportState& state, Of what)
    : state_(state), outer_(state.attribute_scope), what_(what) {
  state.attribute_scope = this;
}

AttributeScope::~AttributeScope() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
    change->place.object->Set(change->place.name, change->before);
  state_.attribute_scope = outer_;
}

void AttributeScope::NoteChange(AttributePlace place, const Value& before) {
  changes_.push_back({std::move(place), before});
}

void AttributeScope::AddPlaces(std::vector<AttributePlace>* places) const {
  for (const Change& change : changes_) {
    if (std::find(places->begin(), places->end(), change.place) == places->end())
      places->push_back(change.place);
  }
}

DecidedByRun::DecidedByRun(ImportState& state)
    : state_(state),
      node_names_(state.node_names),
      frozen_(state.frozen.Save()),
      filled_lists_(std::exchange(state.filled_lists, nullptr)) {
  for (const auto& [name, value] : state.frame->names) state.frozen.Add(value);
}

DecidedByRun::~DecidedByRun() {
  state_.frozen.Restore(frozen_);
  state_.filled_lists = filled_lists_;
}

Status DecidedByRun::CheckDepth() const {
  // Both are copied.
  MICRORT_RETURN_IF_ERROR(
      state_.meter.Spend(WorkMeter::kElement * (node_names_.size() + 2 * state_.frozen.size())));
  if (state_.table.assembler().depth() < kMaxNesting) return Status();
  return Unsupported("more than {} branches and loops inside each other", kMaxNesting);
}

}  // namespace micrort::frontend::torchscript
