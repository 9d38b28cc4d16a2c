#include "converter/frontend/torchscript/branch_importer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "converter/frontend/common/undecided_branches.h"
#include "converter/frontend/torchscript/statement_runner.h"

namespace micrort::frontend::torchscript {

namespace {

bool AreKnownAndEqual(const Value& a, const Value& b) {
  return a.is_scalar() && !a.is_computed() && !b.is_computed() && a == b;
}

// Whether what both branches hand out under one name can be one value: of one form, types and ranks.
bool CanMerge(const Branch (&branches)[2], const Result& first, const Result& second) {
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
  MICRORT_RETURN_IF_ERROR(RunBranches());
  const bool has_raised = branches_[0].has_raised || branches_[1].has_raised;
  const bool has_stand_ins = !has_raised && FindStandIns();
  *is_done = has_raised || (changed_.size() == known_changed_ && !has_stand_ins);
  if (!*is_done) return Status();
  return has_raised ? SkipRaising() : Merge();
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
  const Status status = StatementRunner(evaluator_).RunInside(block, "branch");
  branch->has_raised = !status.ok() && std::exchange(state_.has_raised, false);
  if (branch->has_raised) return Status();
  body->misfits = !status.ok() && std::exchange(state_.misfits, false);
  MICRORT_RETURN_IF_ERROR(status);
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  MICRORT_RETURN_IF_ERROR(HandOutResults(branch));
  scope.NoteChanged(&changed_);
  body->captures = scope.inner().captures();
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
    MICRORT_RETURN_IF_ERROR(state_.CheckNesting(value));
    result->second = {value, branch->dtypes.size(), {}};
    Leaves(value, &result->second.leaves);
    for (const Value& leaf : result->second.leaves)
      MICRORT_RETURN_IF_ERROR(HandOut(state_.table, leaf, branch));
    ++result;
  }
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

// Of the condition, so that the zeros are no constants in the file.
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
    const ir::ValueId none =
        c.CastTo(builder.Binary(schema::BinaryKind::Xor, is_true, is_true), stand_in.dtypes[i]);
    leaves.back().tensor =
        state_.table.Make(builder.Add(schema::ExpandOptionsT(), {none, builder.Integers(shape)}));
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
    return MICRORT_ERROR(kUnsupported, "the model raises an exception in both branches");
  state_.WarnOfException(stmt_.line);
  return StatementRunner(evaluator_)
      .RunInside(branches_[0].has_raised ? stmt_.otherwise : stmt_.body, "branch");
}

// What both branches hand out becomes the outputs of an If.
Status BranchImporter::Merge() {
  PairResults();
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
    Value& value = state_.frame->names[name];
    value = WithLeaves(value, values, &next);
  }
  for (size_t i = 0; i < changed_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(state_.table.Write(*changed_[i], ids[first_changed + i]));
  return Status();
}

// Keeps those outputs of the branches that become one value, in one order: names, then what is changed in
// place.
void BranchImporter::PairResults() {
  std::vector<ir::ValueId> outputs[2];
  const auto add_output = [&](size_t first, size_t second) {
    outputs[0].push_back(bodies_[0].graph->outputs[first]);
    outputs[1].push_back(bodies_[1].graph->outputs[second]);
  };
  for (const auto& [name, first] : branches_[0].results) {
    const auto found = branches_[1].results.find(name);
    state_.frame->names[name] = Value::Of(Kind::kUninitialized);
    if (found == branches_[1].results.end() || !CanMerge(branches_, first, found->second)) continue;
    state_.frame->names[name] = first.value;
    std::vector<Leaf>& leaves = merged_[name];
    for (size_t i = 0; i < first.leaves.size(); ++i) {
      leaves.push_back({first.leaves[i]});
      if (AreKnownAndEqual(first.leaves[i], found->second.leaves[i])) continue;
      leaves.back().output = static_cast<int>(outputs[0].size());
      add_output(first.first + i, found->second.first + i);
    }
  }
  for (size_t i = 0; i < changed_.size(); ++i)
    add_output(branches_[0].first_changed + i, branches_[1].first_changed + i);
  for (size_t b = 0; b < 2; ++b) bodies_[b].graph->outputs = outputs[b];
}

Status BranchImporter::AppendIf(std::vector<ir::ValueId>* outputs) {
  GraphAssembler& outer = state_.table.assembler();
  const ir::Origin origin = {state_.NodeName("if"), "prim::If", 0};
  ir::Builder builder = outer.BuilderFor(origin, origin.name);
  const std::vector<ir::ValueId> captures = AlignCaptures(outer.graph(), bodies_);
  OpContext c("if", builder, state_.table, {});
  std::vector<ir::ValueId> inputs = {c.CastTo(c.TensorOf(condition_), DType::kBool)};
  MICRORT_RETURN_IF_ERROR(c.status());
  inputs.insert(inputs.end(), captures.begin(), captures.end());
  *outputs = builder.AddWithBodies(schema::IfOptionsT(), inputs, bodies_[0].graph->outputs.size(),
                                   {bodies_[0].graph, bodies_[1].graph});
  return builder.status().WithPrefix("the branch at line %d", stmt_.line);
}

}  // namespace micrort::frontend::torchscript
