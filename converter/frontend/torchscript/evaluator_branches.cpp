// Branches that the values of inputs decide become an If.

#include <utility>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "runtime/model/verify.h"

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

Status Evaluator::ExecBranches(const Stmt& stmt, const Value& condition) {
  if (table_.assembler().depth() == kMaxNesting) {
    return MICRORT_ERROR(kUnsupported, "more than %u branches and loops inside each other", kMaxNesting);
  }
  const std::map<std::string, int> node_names = node_names_;
  const std::set<const void*> frozen = frozen_.Save();
  for (const auto& [name, value] : frame_->names) frozen_.Add(value);
  std::vector<std::shared_ptr<Tensor>> changed;
  Status status;
  // Once more where a branch turns out to change a tensor in place, which then is an output of both.
  for (bool is_done = false; !is_done && status.ok();) {
    node_names_ = node_names;
    status = TryBranches(stmt, condition, &changed, &is_done);
  }
  frozen_.Restore(frozen);
  return status;
}

// Imports a branch. branch->results: names that are asked for.
Status Evaluator::RunBranch(const std::vector<Stmt>& block, size_t known_changed,
                            std::vector<std::shared_ptr<Tensor>>* changed, ImportedBody* body,
                            Branch* branch) {
  body->graph = std::make_shared<ir::Graph>();
  body->graph->name = "branch";
  BodyScope scope(table_, body->graph.get());
  Flow flow = Flow::kNext;
  const Status status = Exec(block, &flow);
  branch->has_raised = !status.ok() && std::exchange(has_raised_, false);
  if (branch->has_raised) return Status();
  MICRORT_RETURN_IF_ERROR(status);
  if (flow == Flow::kReturn) {
    return MICRORT_ERROR(kUnsupported, "a return inside a branch that the values of inputs decide");
  }
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*diagnostics_));
  for (auto result = branch->results.begin(); result != branch->results.end();) {
    const auto found = frame_->names.find(result->first);
    if (found == frame_->names.end()) {
      result = branch->results.erase(result);
      continue;
    }
    result->second = {found->second, branch->dtypes.size(), {}};
    Leaves(found->second, &result->second.leaves);
    for (const Value& leaf : result->second.leaves) MICRORT_RETURN_IF_ERROR(HandOut(table_, leaf, branch));
    ++result;
  }
  branch->first_changed = branch->dtypes.size();
  for (size_t i = 0; i < known_changed; ++i) {
    MICRORT_RETURN_IF_ERROR(HandOut(table_, Value::OfTensor((*changed)[i]), branch));
  }
  scope.NoteChanged(changed);
  body->captures = scope.inner().captures();
  return Status();
}

Status Evaluator::TryBranches(const Stmt& stmt, const Value& condition,
                              std::vector<std::shared_ptr<Tensor>>* changed, bool* is_done) {
  const Names before = frame_->names;
  std::set<std::string> assigned, read;
  AssignedNames(stmt.body, &assigned);
  AssignedNames(stmt.otherwise, &assigned);
  NamesReadOutside(frame_->function->body, stmt, &read);
  const size_t known_changed = changed->size();
  ImportedBody bodies[2];
  Branch branches[2];
  for (size_t b = 0; b < 2; ++b) {
    Branch& branch = branches[b];
    for (const std::string& name : assigned) {
      if (read.count(name) != 0) branch.results[name];
    }
    MICRORT_RETURN_IF_ERROR(
        RunBranch(b == 0 ? stmt.body : stmt.otherwise, known_changed, changed, &bodies[b], &branch));
    frame_->names = before;
  }
  *is_done = changed->size() == known_changed || branches[0].has_raised || branches[1].has_raised;
  if (!*is_done) return Status();
  // An exception is what a model must not come to: the other branch is taken.
  if (branches[0].has_raised || branches[1].has_raised) {
    const bool both = branches[0].has_raised && branches[1].has_raised;
    if (both) return MICRORT_ERROR(kUnsupported, "the model raises an exception in both branches");
    diagnostics_->warnings.push_back(frame_->function->file + ":" + std::to_string(stmt.line) +
                                     ": an exception that the values of inputs decide is never raised");
    Flow flow = Flow::kNext;
    return Exec(branches[0].has_raised ? stmt.otherwise : stmt.body, &flow);
  }

  return MergeBranches(stmt, condition, *changed, bodies, branches);
}

// What both branches hand out becomes the outputs of an If.
Status Evaluator::MergeBranches(const Stmt& stmt, const Value& condition,
                                const std::vector<std::shared_ptr<Tensor>>& changed,
                                ImportedBody (&bodies)[2], const Branch (&branches)[2]) {
  std::vector<ir::ValueId> outputs[2];
  const auto add_output = [&](size_t first, size_t second) {
    outputs[0].push_back(bodies[0].graph->outputs[first]);
    outputs[1].push_back(bodies[1].graph->outputs[second]);
  };
  struct Leaf {
    Value value;
    int output = -1;  // of the If; -1: the same in both branches
  };
  std::map<std::string, std::vector<Leaf>> merged;
  for (const auto& [name, first] : branches[0].results) {
    const auto found = branches[1].results.find(name);
    frame_->names[name] = Value::Of(Kind::kUninitialized);
    if (found == branches[1].results.end() || !CanMerge(branches, first, found->second)) continue;
    frame_->names[name] = first.value;
    std::vector<Leaf>& leaves = merged[name];
    for (size_t i = 0; i < first.leaves.size(); ++i) {
      leaves.push_back({first.leaves[i]});
      if (AreKnownAndEqual(first.leaves[i], found->second.leaves[i])) continue;
      leaves.back().output = static_cast<int>(outputs[0].size());
      add_output(first.first + i, found->second.first + i);
    }
  }
  const size_t first_changed = outputs[0].size();
  for (size_t i = 0; i < changed.size(); ++i) {
    add_output(branches[0].first_changed + i, branches[1].first_changed + i);
  }
  if (outputs[0].empty()) return Status();
  for (size_t b = 0; b < 2; ++b) bodies[b].graph->outputs = outputs[b];

  GraphAssembler& outer = table_.assembler();
  const ir::Origin origin = {NodeName("if"), "prim::If", 0};
  ir::Builder builder = outer.BuilderFor(origin, origin.name);
  const std::vector<ir::ValueId> captures = AlignCaptures(outer.graph(), bodies);
  OpContext c("if", builder, table_, {});
  std::vector<ir::ValueId> inputs = {c.CastTo(c.TensorOf(condition), DType::kBool)};
  MICRORT_RETURN_IF_ERROR(c.status());
  inputs.insert(inputs.end(), captures.begin(), captures.end());
  const std::vector<ir::ValueId> ids = builder.AddWithBodies(schema::IfOptionsT(), inputs, outputs[0].size(),
                                                             {bodies[0].graph, bodies[1].graph});
  if (!builder.status().ok()) return builder.status().WithPrefix("the branch at line %d", stmt.line);
  for (const auto& [name, leaves] : merged) {
    std::vector<Value> values;
    for (const Leaf& leaf : leaves) {
      values.push_back(leaf.value);
      if (leaf.output < 0) continue;
      values.back() = Value::Of(leaf.value.kind);
      values.back().tensor = table_.Make(ids[static_cast<size_t>(leaf.output)]);
    }
    size_t next = 0;
    frame_->names[name] = WithLeaves(frame_->names[name], values, &next);
  }
  for (size_t i = 0; i < changed.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(table_.Write(*changed[i], ids[first_changed + i]));
  }
  return Status();
}

}  // namespace micrort::frontend::torchscript
