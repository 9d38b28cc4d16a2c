#include "converter/frontend/torchscript/bodies.h"

#include <algorithm>

namespace micrort::frontend::torchscript {

namespace {

void NamesOf(const Expr& expr, std::set<std::string>* out) {
  if (expr.kind == ExprKind::kName) out->insert(expr.text);
  for (const Expr& part : expr.parts) NamesOf(part, out);
  for (const auto& [name, value] : expr.keywords) NamesOf(value, out);
}

bool IsLeaf(const Value& value) { return value.is_tensor() || value.is_scalar(); }

}  // namespace

void Frozen::Add(const Value& value) {
  std::vector<const Value*> left = {&value};
  while (!left.empty()) {
    const Value& next = *left.back();
    left.pop_back();
    const void* thing = next.items ? static_cast<const void*>(next.items.get()) : next.object.get();
    if (thing == nullptr || !things_.insert(thing).second) continue;
    for (size_t i = 0; next.items != nullptr && i < next.items->size(); ++i)
      left.push_back(&(*next.items)[i]);
    if (next.object == nullptr) continue;
    for (const auto& [name, attribute] : next.object->attributes) left.push_back(&attribute);
  }
}

Status Frozen::CheckMayChange(const Value& value) const {
  const void* thing = value.items ? static_cast<const void*>(value.items.get()) : value.object.get();
  if (things_.count(thing) == 0) return Status();
  return Unsupported("{} is changed in a branch or loop that the values of inputs decide",
                     KindName(value.kind));
}

void AssignedNames(const std::vector<Stmt>& block, std::set<std::string>* out) {
  for (const Stmt& stmt : block) {
    for (const Expr& target : stmt.targets) {
      if (target.kind == ExprKind::kName) out->insert(target.text);
    }
    AssignedNames(stmt.body, out);
    AssignedNames(stmt.otherwise, out);
  }
}

void NamesReadOutside(const std::vector<Stmt>& block, const Stmt& except, std::set<std::string>* out) {
  for (const Stmt& stmt : block) {
    if (&stmt == &except) continue;
    NamesOf(stmt.value, out);
    for (const Expr& target : stmt.targets) {
      if (target.kind != ExprKind::kName) NamesOf(target, out);
    }
    NamesReadOutside(stmt.body, except, out);
    NamesReadOutside(stmt.otherwise, except, out);
  }
}

void Leaves(const Value& value, std::vector<Value>* out) {
  if (IsLeaf(value)) {
    out->push_back(value);
  } else if (value.items != nullptr) {
    for (const Value& item : *value.items) Leaves(item, out);
  }
}

Value WithLeaves(const Value& value, const std::vector<Value>& with, size_t* next) {
  if (IsLeaf(value)) return with[(*next)++];
  if (value.items == nullptr) return value;
  Value copy = Value::Sequence(value.kind);
  for (const Value& item : *value.items) copy.items->push_back(WithLeaves(item, with, next));
  return copy;
}

bool HaveSameForm(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.object != b.object || a.text != b.text) return false;
  if (a.Is(Kind::kStacked) && a.tensor != b.tensor) return false;
  if (a.items == nullptr || b.items == nullptr) return a.items == b.items;
  if (a.items->size() != b.items->size()) return false;
  for (size_t i = 0; i < a.items->size(); ++i) {
    if (!HaveSameForm((*a.items)[i], (*b.items)[i])) return false;
  }
  return true;
}

BodyScope::BodyScope(TensorTable& table, ir::Graph* graph)
    : table_(table),
      outer_(table.assembler()),
      inner_(outer_, graph),
      outer_journal_(table.journal),
      outer_parts_(table.noted_parts()) {
  outer_.inference().Enter(*graph);
  table_.SetAssembler(&inner_);
  table_.journal = &journal_;
}

BodyScope::~BodyScope() {
  for (size_t i = journal_.size(); i-- > 0;) *journal_[i].tensor = journal_[i].before;
  table_.LetGoOfParts(outer_parts_);
  outer_.inference().Leave();
  table_.SetAssembler(&outer_);
  table_.journal = outer_journal_;
}

void BodyScope::NoteChanged(std::vector<std::shared_ptr<Tensor>>* changed) const {
  for (const TensorTable::Change& change : journal_) {
    const bool was_there = change.before.base == nullptr && change.before.assembler != &inner_;
    const bool is_noted = std::find(changed->begin(), changed->end(), change.tensor) != changed->end();
    if (was_there && !is_noted) changed->push_back(change.tensor);
  }
}

Status HandOut(TensorTable& table, const Value& value, Branch* branch) {
  ir::Builder builder = table.assembler().BuilderFor(table.origin, "branch");
  OpContext c("branch", builder, table, {});
  const ir::ValueId id = c.TensorOf(value);
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(c.status());
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId output, table.assembler().AddOutput("", id));
  branch->dtypes.push_back(table.value(output).dtype);
  branch->ranks.push_back(table.value(output).rank());
  return Status();
}

}  // namespace micrort::frontend::torchscript
