#include "converter/frontend/torchscript/loop_importer.h"

#include <set>
#include <utility>

#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

Value Holding(Kind kind, std::shared_ptr<Tensor> tensor) {
  Value value = Value::Of(kind);
  value.tensor = std::move(tensor);
  return value;
}

}  // namespace

Status LoopImporter::Import() {
  DecidedByRun scope(state_);
  MICRORT_RETURN_IF_ERROR(scope.CheckDepth());
  std::set<std::string> assigned;
  AssignedNames(stmt_.body, &assigned);
  for (const std::string& name : assigned) {
    const auto found = state_.frame->names.find(name);
    if (found == state_.frame->names.end()) continue;
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(found->second));
    names_.push_back(name);
  }
  FilledLists lists(scope.around());
  if (has_count()) state_.filled_lists = &lists;
  // Once more where an iteration turns out to change a tensor in place, to fill a list, or to change the size
  // of what it hands on.
  for (bool is_done = false; !is_done;) {
    scope.StartTry();
    lists.StartTry();
    MICRORT_RETURN_IF_ERROR(Try(lists, &is_done));
  }
  return Status();
}

Status LoopImporter::Try(const FilledLists& lists, bool* is_done) {
  before_ = state_.frame->names;
  const ir::Origin origin = {state_.NodeName("loop"), "prim::Loop", 0};
  ir::Builder builder = state_.table.assembler().BuilderFor(origin, origin.name);
  OpContext around("loop", builder, state_.table, {});
  FindInitial(around);
  ir::ValueId trip_count = ir::kNoValue, condition = ir::kNoValue;
  if (has_count()) {
    trip_count = around.CastTo(around.TensorOf(trip_count_), DType::kInt64);
  } else {
    condition = around.CastTo(around.TensorOf(condition_), DType::kBool);
  }
  MICRORT_RETURN_IF_ERROR(around.status());
  MICRORT_RETURN_IF_ERROR(Take(ImportBody(lists), is_done));
  state_.frame->names = before_;
  if (!*is_done) return Status();
  const std::vector<ir::ValueId> ids =
      AddLoop(builder, trip_count, condition, FirstsOf(carried_), body_, !has_count());
  MICRORT_RETURN_IF_ERROR(builder.status());
  lists.TakeResults(state_.table, ids, carried_.size());
  return TakeResults(ids);
}

void LoopImporter::FindInitial(OpContext& around) {
  leaves_.clear();
  for (const std::string& name : names_) Leaves(before_.at(name), &leaves_);
  carried_.resize(leaves_.size() + changed_.size(), {ir::kNoValue, "", "a value of the loop", 0});
  auto next = carried_.begin();
  for (const Value& leaf : leaves_) (next++)->first = around.TensorOf(leaf);
  for (const auto& tensor : changed_) (next++)->first = around.TensorOf(Value::OfTensor(tensor));
}

Result<bool> LoopImporter::ImportBody(const FilledLists& lists) {
  const size_t known_changed = changed_.size();
  body_.graph = std::make_shared<ir::Graph>();
  body_.graph->name = "body";
  BodyScope scope(state_.table, body_.graph.get());
  const AttributeScope attributes(state_, AttributeScope::Of::kLoop);
  MICRORT_RETURN_IF_ERROR(BindInputs(scope.inner()));
  MICRORT_RETURN_IF_ERROR(StatementRunner(evaluator_).RunInside(stmt_.body, "loop"));
  Branch results;
  if (!has_count()) MICRORT_RETURN_IF_ERROR(HandOutCondition(&results));
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  MICRORT_RETURN_IF_ERROR(HandOutResults(&results));
  MICRORT_RETURN_IF_ERROR(lists.HandOutAll(state_.table, &results));
  bool widened = false;
  MICRORT_RETURN_IF_ERROR(WidenAll(scope.inner(), has_count() ? 0 : 1, &carried_, &widened));
  scope.NoteChanged(&changed_);
  body_.captures = scope.inner().captures();
  return !widened && changed_.size() == known_changed && !lists.has_new();
}

Status LoopImporter::BindInputs(GraphAssembler& inner) {
  AddLoopScalars(&inner.graph(), "", "");
  std::vector<Value> inside;
  for (size_t i = 0; i < carried_.size(); ++i) {
    const ir::ValueId id = AddCarriedInput(inner, carried_[i]);
    if (i < leaves_.size()) {
      inside.push_back(Holding(leaves_[i].kind, state_.table.Make(id)));
    } else {
      MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i - leaves_.size()], id));
    }
  }
  SetNames(inside);
  if (has_count())
    state_.frame->names[stmt_.targets[0].text] =
        Holding(Kind::kInt, state_.table.Make(inner.graph().inputs[0]));
  return Status();
}

Status LoopImporter::HandOutCondition(Branch* results) {
  MICRORT_ASSIGN_OR_RETURN(Value goes_on, evaluator_.Eval(stmt_.value));
  MICRORT_ASSIGN_OR_RETURN(goes_on, Numbers(state_).Convert(Kind::kBool, goes_on));
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  return HandOut(state_.table, goes_on, results);
}

Status LoopImporter::HandOutResults(Branch* results) {
  for (const std::string& name : names_) {
    const Value &before = before_.at(name), &after = state_.frame->names[name];
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(after));
    if (!HaveSameForm(before, after))
      return Unsupported("'{}' is {} before the loop and {} after an iteration", name, KindName(before.kind),
                         KindName(after.kind));
    std::vector<Value> values;
    Leaves(after, &values);
    for (const Value& value : values) MICRORT_RETURN_IF_ERROR(HandOut(state_.table, value, results));
  }
  for (size_t i = leaves_.size(); i < carried_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(HandOut(state_.table, Value::OfTensor(changed_[i - leaves_.size()]), results));
  return Status();
}

Status LoopImporter::TakeResults(const std::vector<ir::ValueId>& ids) {
  std::vector<Value> results;
  for (size_t i = 0; i < leaves_.size(); ++i)
    results.push_back(Holding(leaves_[i].kind, state_.table.Make(ids[i])));
  SetNames(results);
  for (size_t i = leaves_.size(); i < carried_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i - leaves_.size()], ids[i]));
  return Status();
}

void LoopImporter::SetNames(const std::vector<Value>& leaves) {
  size_t next = 0;
  for (const std::string& name : names_)
    state_.frame->names[name] = WithLeaves(before_.at(name), leaves, &next);
}

}  // namespace micrort::frontend::torchscript
