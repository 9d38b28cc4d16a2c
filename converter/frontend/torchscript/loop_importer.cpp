#include "converter/frontend/torchscript/loop_importer.h"

#include <set>
#include <utility>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

// An input of the body that stands for a value of the graph around it.
ir::ValueId AddBodyInput(GraphAssembler& inner, const ir::Value& like, ir::ValueId outer,
                         uint32_t changing_dims) {
  ir::Value value = BodyInputFor(like, changing_dims);
  value.name.clear();
  const ir::ValueId id = inner.graph().AddValue(std::move(value));
  inner.graph().inputs.push_back(id);
  if (outer != ir::kNoValue) inner.inference().Bind(inner.graph(), id, outer, false, changing_dims);
  return id;
}

ir::Value ScalarOf(DType dtype) {
  ir::Value value;
  value.dtype = dtype;
  value.has_shape = true;
  return value;
}

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
  // Once more where an iteration turns out to change a tensor in place, or the size of what it hands on.
  for (bool is_done = false; !is_done;) {
    scope.StartTry();
    MICRORT_RETURN_IF_ERROR(Try(&is_done));
  }
  return Status();
}

Status LoopImporter::Try(bool* is_done) {
  before_ = state_.frame->names;
  const ir::Origin origin = {state_.NodeName("loop"), "prim::Loop", 0};
  ir::Builder builder = state_.table.assembler().BuilderFor(origin, origin.name);
  OpContext around("loop", builder, state_.table, {});
  FindInitial(around);
  std::vector<ir::ValueId> operands(2, ir::kNoValue);
  if (has_count()) {
    operands[0] = around.CastTo(around.TensorOf(trip_count_), DType::kInt64);
  } else {
    operands[1] = around.CastTo(around.TensorOf(condition_), DType::kBool);
  }
  MICRORT_RETURN_IF_ERROR(around.status());
  MICRORT_RETURN_IF_ERROR(ImportBody(is_done));
  state_.frame->names = before_;
  if (!*is_done) return Status();
  operands.insert(operands.end(), initial_.begin(), initial_.end());
  operands.insert(operands.end(), captures_.begin(), captures_.end());
  schema::LoopOptionsT options;
  options.carried = static_cast<uint32_t>(initial_.size());
  options.has_condition = !has_count();
  const std::vector<ir::ValueId> ids =
      builder.AddWithBodies(std::move(options), operands, initial_.size(), {body_});
  MICRORT_RETURN_IF_ERROR(builder.status());
  return TakeResults(ids);
}

void LoopImporter::FindInitial(OpContext& around) {
  leaves_.clear();
  initial_.clear();
  for (const std::string& name : names_) Leaves(before_.at(name), &leaves_);
  for (const Value& leaf : leaves_) initial_.push_back(around.TensorOf(leaf));
  for (const auto& tensor : changed_) initial_.push_back(around.TensorOf(Value::OfTensor(tensor)));
  changing_dims_.resize(initial_.size());
}

Status LoopImporter::ImportBody(bool* is_done) {
  const size_t known_changed = changed_.size();
  body_ = std::make_shared<ir::Graph>();
  body_->name = "body";
  BodyScope scope(state_.table, body_.get());
  const AttributeScope attributes(state_, AttributeScope::Of::kLoop);
  MICRORT_RETURN_IF_ERROR(BindInputs(scope.inner()));
  MICRORT_RETURN_IF_ERROR(StatementRunner(evaluator_).RunInside(stmt_.body, "loop"));
  Branch results;
  if (!has_count()) MICRORT_RETURN_IF_ERROR(HandOutCondition(&results));
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  MICRORT_RETURN_IF_ERROR(HandOutResults(&results));
  bool widened = false;
  MICRORT_RETURN_IF_ERROR(Widen(scope.inner(), &widened));
  scope.NoteChanged(&changed_);
  captures_ = scope.inner().captures();
  *is_done = !widened && changed_.size() == known_changed;
  return Status();
}

Status LoopImporter::BindInputs(GraphAssembler& inner) {
  const ir::Graph& outer = inner.parent()->graph();
  const ir::ValueId iteration = AddBodyInput(inner, ScalarOf(DType::kInt64), ir::kNoValue, 0);
  AddBodyInput(inner, ScalarOf(DType::kBool), ir::kNoValue, 0);
  std::vector<Value> inside;
  for (size_t i = 0; i < initial_.size(); ++i) {
    const ir::ValueId id = AddBodyInput(inner, outer.value(initial_[i]), initial_[i], changing_dims_[i]);
    if (i < leaves_.size()) {
      inside.push_back(Holding(leaves_[i].kind, state_.table.Make(id)));
    } else {
      MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i - leaves_.size()], id));
    }
  }
  SetNames(inside);
  if (has_count())
    state_.frame->names[stmt_.targets[0].text] = Holding(Kind::kInt, state_.table.Make(iteration));
  return Status();
}

Status LoopImporter::HandOutCondition(Branch* results) {
  Value goes_on;
  MICRORT_RETURN_IF_ERROR(evaluator_.Eval(stmt_.value, &goes_on));
  MICRORT_RETURN_IF_ERROR(Numbers(state_).Convert(Kind::kBool, goes_on, &goes_on));
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  return HandOut(state_.table, goes_on, results);
}

Status LoopImporter::HandOutResults(Branch* results) {
  for (const std::string& name : names_) {
    const Value &before = before_.at(name), &after = state_.frame->names[name];
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(after));
    if (!HaveSameForm(before, after)) {
      return MICRORT_ERROR(kUnsupported, "'%s' is %s before the loop and %s after an iteration", name.c_str(),
                           KindName(before.kind), KindName(after.kind));
    }
    std::vector<Value> values;
    Leaves(after, &values);
    for (const Value& value : values) MICRORT_RETURN_IF_ERROR(HandOut(state_.table, value, results));
  }
  for (size_t i = leaves_.size(); i < initial_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(HandOut(state_.table, Value::OfTensor(changed_[i - leaves_.size()]), results));
  return Status();
}

Status LoopImporter::Widen(GraphAssembler& inner, bool* widened) {
  constexpr size_t kFirstInput = 2;  // after iteration and condition
  const size_t first_output = has_count() ? 0 : 1;
  for (size_t i = 0; i < initial_.size(); ++i) {
    const ir::ValueId from = body_->inputs[kFirstInput + i], to = body_->outputs[first_output + i];
    if (body_->value(from).dtype != body_->value(to).dtype ||
        body_->value(from).rank() != body_->value(to).rank()) {
      return MICRORT_ERROR(kUnsupported,
                           "a value of the loop changes its type or rank from one iteration to the next");
    }
    uint32_t differing = 0;
    MICRORT_RETURN_IF_ERROR(inner.inference().DifferingDims(from, to, &differing));
    *widened |= (differing & ~changing_dims_[i]) != 0;
    changing_dims_[i] |= differing;
  }
  return Status();
}

Status LoopImporter::TakeResults(const std::vector<ir::ValueId>& ids) {
  std::vector<Value> results;
  for (size_t i = 0; i < leaves_.size(); ++i)
    results.push_back(Holding(leaves_[i].kind, state_.table.Make(ids[i])));
  SetNames(results);
  for (size_t i = leaves_.size(); i < ids.size(); ++i)
    MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i - leaves_.size()], ids[i]));
  return Status();
}

void LoopImporter::SetNames(const std::vector<Value>& leaves) {
  size_t next = 0;
  for (const std::string& name : names_)
    state_.frame->names[name] = WithLeaves(before_.at(name), leaves, &next);
}

}  // namespace micrort::frontend::torchscript
