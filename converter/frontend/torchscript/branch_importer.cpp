#include "converter/frontend/torchscript/branch_importer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/torchscript/asked_elements.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

bool AreKnownAndEqual(const Value& a, const Value& b) {
  return a.is_scalar() && !a.is_computed() && !b.is_computed() && a == b;
}

// Results that are attributes go by these names, which no code has.
std::string KeyOf(size_t attribute) { return "." + std::to_string(attribute); }
bool IsKey(const std::string& name) { return name[0] == '.'; }
size_t PlaceOf(const std::string& key) { return std::stoul(key.substr(1)); }

// Whether what both branches hand out under one name can be one value: of one form, types and ranks.
bool CanMerge(const Branch (&branches)[2], const HandedOut& first, const HandedOut& second) {
  if (!HaveSameForm(first.value, second.value)) return false;
  for (size_t i = 0; i < first.leaves.size(); ++i) {
    const size_t p = first.first + i, q = second.first + i;
    const bool same =
        branches[0].dtypes[p] == branches[1].dtypes[q] && branches[0].ranks[p] == branches[1].ranks[q];
    if (!same && !AreKnownAndEqual(first.leaves[i], second.leaves[i])) return false;
  }
  return true;
}

}  // namespace

Status BranchImporter::Import() {
  MICRORT_RETURN_IF_ERROR(ImportInScope());
  if (branches_[0].has_raised || branches_[1].has_raised) return SkipRaising();
  return of_elements_ >= 0 ? SkipOfNothing() : SetAttributes();
}

Status BranchImporter::ImportInScope() {
  DecidedByRun scope(state_);
  MICRORT_RETURN_IF_ERROR(scope.CheckDepth());
  std::set<std::string> assigned, read;
  AssignedNames(stmt_.body, &assigned);
  AssignedNames(stmt_.otherwise, &assigned);
  NamesReadOutside(state_.frame->function->body, stmt_, &read);
  std::set_intersection(assigned.begin(), assigned.end(), read.begin(), read.end(),
                        std::inserter(asked_for_, asked_for_.end()));
  // Once more where a branch turns out to change a tensor in place, or to set a name that the other one does
  // not: that is an output of both.
  for (bool is_done = false; !is_done;) {
    scope.StartTry();
    MICRORT_RETURN_IF_ERROR(Try(&is_done));
  }
  return Status();
}

Status BranchImporter::Try(bool* is_done) {
  known_changed_ = changed_.size();
  known_set_ = set_.size();
  MICRORT_RETURN_IF_ERROR(RunBranches());
  const bool has_raised = branches_[0].has_raised || branches_[1].has_raised;
  const bool has_stand_ins = !has_raised && FindStandIns();
  const bool has_new = changed_.size() > known_changed_ || set_.size() > known_set_ || has_stand_ins;
  *is_done = has_raised || !has_new;
  if (has_raised || has_new) return Status();
  MICRORT_RETURN_IF_ERROR(FindBranchOfElements());
  return of_elements_ >= 0 ? Status() : Merge();
}

Status BranchImporter::RunBranches() {
  Names& names = state_.frame->names;
  const Names before = names;
  const auto run = [&](size_t b, ImportedBody* body) {
    const Status status = RunBranch(b == 0 ? stmt_.body : stmt_.otherwise, body, &branches_[b]);
    names = before;
    return body->misfits ? status.WithPrefix("the branch at line %d", stmt_.line) : status;
  };
  MICRORT_RETURN_IF_ERROR(ImportEachBranch(run, &bodies_));
  for (size_t b = 0; b < 2; ++b) {
    if (bodies_[b].misfits) branches_[b] = branches_[1 - b];
  }
  return Status();
}

Status BranchImporter::RunBranch(const std::vector<Stmt>& block, ImportedBody* body, Branch* branch) {
  *body = ImportedBody();
  *branch = Branch();
  for (const std::string& name : asked_for_) branch->results[name];
  body->graph = std::make_shared<ir::Graph>();
  body->graph->name = "branch";
  BodyScope scope(state_.table, body->graph.get());
  const AttributeScope attributes(state_, AttributeScope::Of::kBranch);
  const Status status = StatementRunner(evaluator_).RunInside(block, "branch");
  branch->has_raised = !status.ok() && std::exchange(state_.has_raised, false);
  if (branch->has_raised) return Status();
  body->misfits = !status.ok() && std::exchange(state_.misfits, false);
  MICRORT_RETURN_IF_ERROR(status);
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  MICRORT_RETURN_IF_ERROR(HandOutResults(branch));
  scope.NoteChanged(&changed_);
  attributes.AddPlaces(&set_);
  body->captures = scope.inner().captures();
  return Status();
}

Status BranchImporter::HandOutResult(const std::string& name, Value value, Branch* branch) {
  MICRORT_RETURN_IF_ERROR(state_.CheckNesting(value));
  HandedOut& result = branch->results[name];
  result = {value, branch->dtypes.size(), {}};
  Leaves(value, &result.leaves);
  for (const Value& leaf : result.leaves) MICRORT_RETURN_IF_ERROR(HandOut(state_.table, leaf, branch));
  return Status();
}

// branch->results: names that are asked for.
Status BranchImporter::HandOutResults(Branch* branch) {
  const Names& names = state_.frame->names;
  const auto& stand_ins = stand_ins_[branch - branches_];
  for (auto result = branch->results.begin(); result != branch->results.end();) {
    const auto found = names.find(result->first);
    if (found == names.end()) {
      result = branch->results.erase(result);
      continue;
    }
    Value value = found->second;
    const auto stand_in = stand_ins.find(result->first);
    if (value.Is(Kind::kUninitialized) && stand_in != stand_ins.end())
      MICRORT_RETURN_IF_ERROR(MakeUp(stand_in->second, &value));
    MICRORT_RETURN_IF_ERROR(HandOutResult((result++)->first, std::move(value), branch));
  }
  for (size_t i = 0; i < known_set_; ++i)
    MICRORT_RETURN_IF_ERROR(HandOutResult(KeyOf(i), set_[i].now(), branch));
  branch->first_changed = branch->dtypes.size();
  for (size_t i = 0; i < known_changed_; ++i)
    MICRORT_RETURN_IF_ERROR(HandOut(state_.table, Value::OfTensor(changed_[i]), branch));
  return Status();
}

bool BranchImporter::FindStandIns() {
  bool has_new = false;
  for (size_t b = 0; b < 2; ++b) {
    for (const auto& [name, result] : branches_[b].results) {
      const auto other = branches_[1 - b].results.find(name);
      if (!result.value.Is(Kind::kUninitialized) || other == branches_[1 - b].results.end()) continue;
      if (other->second.value.Is(Kind::kUninitialized) || stand_ins_[b].count(name) != 0) continue;
      StandIn& stand_in = stand_ins_[b][name];
      stand_in = {other->second.value, other->second.leaves, {}, {}};
      const ir::Graph& graph = *bodies_[1 - b].graph;
      for (size_t i = 0; i < stand_in.leaves.size(); ++i) {
        const ir::Value& output = graph.value(graph.outputs[other->second.first + i]);
        stand_in.dtypes.push_back(output.dtype);
        stand_in.shapes.push_back(output.shape);
      }
      has_new = true;
    }
  }
  return has_new;
}

// Made of the condition, so that the zeros are no constants in the file.
Status BranchImporter::MakeUp(const StandIn& stand_in, Value* out) {
  ir::Builder builder = state_.table.assembler().BuilderFor(state_.table.origin, "branch");
  OpContext c("if", builder, state_.table, {});
  std::vector<Value> leaves;
  for (size_t i = 0; i < stand_in.leaves.size(); ++i) {
    leaves.push_back(stand_in.leaves[i]);
    if (leaves.back().is_scalar() && !leaves.back().is_computed()) continue;
    std::vector<int64_t> shape = stand_in.shapes[i];
    std::replace(shape.begin(), shape.end(), ir::kDynamic, int64_t{1});
    const ir::ValueId is_true = builder.Reshape(c.CastTo(c.TensorOf(condition_), DType::kBool), {});
    const ir::ValueId none = c.CastTo(builder.Xor(is_true, is_true), stand_in.dtypes[i]);
    leaves.back().tensor = state_.table.Make(builder.Expand({none, builder.Integers(shape)}));
    leaves.back().tensor->is_complex = stand_in.leaves[i].tensor->is_complex;
  }
  size_t next = 0;
  *out = WithLeaves(stand_in.form, leaves, &next);
  MICRORT_RETURN_IF_ERROR(c.status());
  return builder.status();
}

// An exception is what a model must not come to: the other branch is taken.
Status BranchImporter::SkipRaising() {
  if (branches_[0].has_raised && branches_[1].has_raised)
    return Unsupported("the model raises an exception in both branches");
  state_.WarnOfException(stmt_.line);
  return StatementRunner(evaluator_)
      .RunInside(branches_[0].has_raised ? stmt_.otherwise : stmt_.body, "branch");
}

// Where the condition asks whether there are elements, and the branch for none of them gives what fits no one
// value with what the other gives, that one is taken.
Status BranchImporter::FindBranchOfElements() {
  const auto fits = [this](const auto& result) {
    const auto found = branches_[1].results.find(result.first);
    return found == branches_[1].results.end() || CanMerge(branches_, result.second, found->second);
  };
  if (std::all_of(branches_[0].results.begin(), branches_[0].results.end(), fits)) return Status();
  GraphAssembler& outer = state_.table.assembler();
  ir::Builder builder = outer.BuilderFor(state_.table.origin, "if");
  OpContext c("if", builder, state_.table, {});
  const ir::ValueId condition = c.TensorOf(condition_);
  MICRORT_RETURN_IF_ERROR(c.status());
  const AskedElements asked = WhatIsAsked(outer.graph(), condition, outer.inference());
  if (asked != AskedElements::kNotAsked) of_elements_ = asked == AskedElements::kSome ? 0 : 1;
  return Status();
}

Status BranchImporter::SkipOfNothing() {
  state_.Warn(stmt_.line,
              "a branch for no elements is left out, since it gives values of other types or ranks than that "
              "for some");
  return StatementRunner(evaluator_).RunInside(of_elements_ == 0 ? stmt_.body : stmt_.otherwise, "branch");
}

// What both branches hand out becomes the outputs of an If.
Status BranchImporter::Merge() {
  MICRORT_RETURN_IF_ERROR(PairResults());
  const size_t first_changed = bodies_[0].graph->outputs.size() - changed_.size();
  if (bodies_[0].graph->outputs.empty()) return Status();
  std::vector<ir::ValueId> ids;
  MICRORT_RETURN_IF_ERROR(AppendIf(&ids));
  for (const auto& [name, leaves] : merged_) {
    std::vector<Value> values;
    for (const Leaf& leaf : leaves) {
      values.push_back(leaf.value);
      if (leaf.output < 0) continue;
      values.back() = Value::Of(leaf.value.kind);
      values.back().tensor = state_.table.Make(ids[static_cast<size_t>(leaf.output)]);
    }
    size_t next = 0;
    Value* value = MergedPlace(name);
    *value = WithLeaves(*value, values, &next);
  }
  for (size_t i = 0; i < changed_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i], ids[first_changed + i]));
  return Status();
}

// Keeps those outputs of the branches that become one value, in one order: names, then what is changed in
// place.
Status BranchImporter::PairResults() {
  std::vector<ir::ValueId> outputs[2];
  attributes_.resize(set_.size());
  for (const auto& [name, first] : branches_[0].results) {
    const auto found = branches_[1].results.find(name);
    *MergedPlace(name) = Value::Of(Kind::kDiffering);
    if (found == branches_[1].results.end() || !CanMerge(branches_, first, found->second)) continue;
    *MergedPlace(name) = first.value;
    PairLeaves(name, first, found->second, &outputs);
  }
  for (size_t i = 0; i < set_.size(); ++i) {
    if (!attributes_[i].Is(Kind::kDiffering)) continue;
    return Unsupported(
        "the branches at line {}, between which the values of inputs decide, leave attribute '{}' of "
        "different types or lengths ({} and {})",
        stmt_.line, set_[i].name, KindName(branches_[0].results.at(KeyOf(i)).value.kind),
        KindName(branches_[1].results.at(KeyOf(i)).value.kind));
  }
  for (size_t i = 0; i < changed_.size(); ++i) {
    for (size_t b = 0; b < 2; ++b)
      outputs[b].push_back(bodies_[b].graph->outputs[branches_[b].first_changed + i]);
  }
  for (size_t b = 0; b < 2; ++b) bodies_[b].graph->outputs = outputs[b];
  return Status();
}

void BranchImporter::PairLeaves(const std::string& name, const HandedOut& first, const HandedOut& second,
                                std::vector<ir::ValueId> (*outputs)[2]) {
  std::vector<Leaf>& leaves = merged_[name];
  for (size_t i = 0; i < first.leaves.size(); ++i) {
    leaves.push_back({first.leaves[i]});
    if (AreKnownAndEqual(first.leaves[i], second.leaves[i])) continue;
    leaves.back().output = static_cast<int>((*outputs)[0].size());
    (*outputs)[0].push_back(bodies_[0].graph->outputs[first.first + i]);
    (*outputs)[1].push_back(bodies_[1].graph->outputs[second.first + i]);
  }
}

Value* BranchImporter::MergedPlace(const std::string& name) {
  return IsKey(name) ? &attributes_[PlaceOf(name)] : &state_.frame->names[name];
}

// Hands the attributes that the branches set on to the code behind them, which may be a branch itself.
Status BranchImporter::SetAttributes() {
  for (size_t i = 0; i < set_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(
        state_.SetAttribute(Value::OfObject(set_[i].object), set_[i].name, attributes_[i]));
  return Status();
}

Status BranchImporter::AppendIf(std::vector<ir::ValueId>* outputs) {
  GraphAssembler& outer = state_.table.assembler();
  const ir::Origin origin = {state_.NodeName("if"), "prim::If", 0};
  ir::Builder builder = outer.BuilderFor(origin, origin.name);
  OpContext c("if", builder, state_.table, {});
  const ir::ValueId condition = c.CastTo(c.TensorOf(condition_), DType::kBool);
  MICRORT_RETURN_IF_ERROR(c.status());
  *outputs = AddIf(builder, condition, bodies_);
  return builder.status().WithPrefix("the branch at line %d", stmt_.line);
}

}  // namespace micrort::frontend::torchscript
