// Loops that the values of inputs decide become a Loop.

#include <algorithm>
#include <utility>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::torchscript {

// What iterations hand on: values of names, then tensors that they change in place.
struct Evaluator::Loop {
  std::vector<std::string> names;
  std::vector<std::shared_ptr<Tensor>> changed;
  std::vector<uint32_t> changing_dims;  // of each leaf and tensor: dimensions that iterations change
};

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

Status Evaluator::ExecLoop(const Stmt& stmt, const Value& trip_count, const Value& condition) {
  if (table_.assembler().depth() == kMaxNesting) {
    return MICRORT_ERROR(kUnsupported, "more than %u branches and loops inside each other", kMaxNesting);
  }
  Loop loop;
  std::set<std::string> assigned;
  AssignedNames(stmt.body, &assigned);
  for (const std::string& name : assigned) {
    if (frame_->names.count(name) != 0) loop.names.push_back(name);
  }
  const std::map<std::string, int> node_names = node_names_;
  const std::set<const void*> frozen = frozen_.Save();
  for (const auto& [name, value] : frame_->names) frozen_.Add(value);
  Status status;
  // Once more where an iteration turns out to change a tensor in place, or the size of what it hands on.
  for (bool is_done = false; !is_done && status.ok();) {
    node_names_ = node_names;
    status = TryLoop(stmt, trip_count, condition, &loop, &is_done);
  }
  frozen_.Restore(frozen);
  return status;
}

Status Evaluator::TryLoop(const Stmt& stmt, const Value& trip_count, const Value& condition, Loop* loop,
                          bool* is_done) {
  GraphAssembler& outer = table_.assembler();
  const Names before = frame_->names;
  const ir::Origin origin = {NodeName("loop"), "prim::Loop", 0};
  ir::Builder builder = outer.BuilderFor(origin, origin.name);
  OpContext around("loop", builder, table_, {});
  std::vector<Value> leaves;
  for (const std::string& name : loop->names) Leaves(before.at(name), &leaves);
  std::vector<ir::ValueId> initial;
  for (const Value& leaf : leaves) initial.push_back(around.TensorOf(leaf));
  for (const auto& tensor : loop->changed) initial.push_back(around.TensorOf(Value::OfTensor(tensor)));
  loop->changing_dims.resize(initial.size());
  const bool has_count = !trip_count.is_none();
  std::vector<ir::ValueId> operands = {
      has_count ? around.CastTo(around.TensorOf(trip_count), DType::kInt64) : ir::kNoValue,
      has_count ? ir::kNoValue : around.CastTo(around.TensorOf(condition), DType::kBool)};
  MICRORT_RETURN_IF_ERROR(around.status());

  const auto graph = std::make_shared<ir::Graph>();
  graph->name = "body";
  const size_t known_changed = loop->changed.size();
  {
    BodyScope scope(table_, graph.get());
    GraphAssembler& inner = scope.inner();
    const ir::ValueId iteration = AddBodyInput(inner, ScalarOf(DType::kInt64), ir::kNoValue, 0);
    AddBodyInput(inner, ScalarOf(DType::kBool), ir::kNoValue, 0);
    std::vector<Value> inside;
    for (size_t i = 0; i < initial.size(); ++i) {
      const ir::ValueId id =
          AddBodyInput(inner, outer.graph().value(initial[i]), initial[i], loop->changing_dims[i]);
      if (i < leaves.size()) {
        inside.push_back(Holding(leaves[i].kind, table_.Make(id)));
      } else {
        MICRORT_RETURN_IF_ERROR(table_.Write(*loop->changed[i - leaves.size()], id));
      }
    }
    size_t next = 0;
    for (const std::string& name : loop->names)
      frame_->names[name] = WithLeaves(before.at(name), inside, &next);
    if (has_count) frame_->names[stmt.targets[0].text] = Holding(Kind::kInt, table_.Make(iteration));
    Flow flow = Flow::kNext;
    MICRORT_RETURN_IF_ERROR(Exec(stmt.body, &flow));
    if (flow == Flow::kReturn) {
      return MICRORT_ERROR(kUnsupported, "a return inside a loop that the values of inputs decide");
    }
    Branch results;
    if (!has_count) {
      Value goes_on;
      MICRORT_RETURN_IF_ERROR(Eval(stmt.value, &goes_on));
      MICRORT_RETURN_IF_ERROR(Convert(Kind::kBool, goes_on, &goes_on));
      MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*diagnostics_));
      MICRORT_RETURN_IF_ERROR(HandOut(table_, goes_on, &results));
    }
    MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*diagnostics_));
    for (const std::string& name : loop->names) {
      const Value& after = frame_->names[name];
      if (!HaveSameForm(before.at(name), after)) {
        return MICRORT_ERROR(kUnsupported, "'%s' is %s before the loop and %s after an iteration",
                             name.c_str(), KindName(before.at(name).kind), KindName(after.kind));
      }
      std::vector<Value> values;
      Leaves(after, &values);
      for (const Value& value : values) MICRORT_RETURN_IF_ERROR(HandOut(table_, value, &results));
    }
    for (size_t i = 0; i < known_changed; ++i) {
      MICRORT_RETURN_IF_ERROR(HandOut(table_, Value::OfTensor(loop->changed[i]), &results));
    }
    const size_t first = has_count ? 0 : 1;
    bool widened = false;
    for (size_t i = 0; i < initial.size(); ++i) {
      const ir::ValueId from = graph->inputs[2 + i], to = graph->outputs[first + i];
      if (graph->value(from).dtype != graph->value(to).dtype ||
          graph->value(from).rank() != graph->value(to).rank()) {
        return MICRORT_ERROR(kUnsupported,
                             "a value of the loop changes its type or rank from one iteration to the next");
      }
      uint32_t differing = 0;
      MICRORT_RETURN_IF_ERROR(inner.inference().DifferingDims(from, to, &differing));
      widened |= (differing & ~loop->changing_dims[i]) != 0;
      loop->changing_dims[i] |= differing;
    }
    scope.NoteChanged(&loop->changed);
    const std::vector<ir::ValueId>& captures = inner.captures();
    operands.insert(operands.end(), initial.begin(), initial.end());
    operands.insert(operands.end(), captures.begin(), captures.end());
    *is_done = !widened && loop->changed.size() == known_changed;
  }
  frame_->names = before;
  if (!*is_done) return Status();

  schema::LoopOptionsT options;
  options.carried = static_cast<uint32_t>(initial.size());
  options.has_condition = !has_count;
  const std::vector<ir::ValueId> ids =
      builder.AddWithBodies(std::move(options), operands, initial.size(), {graph});
  MICRORT_RETURN_IF_ERROR(builder.status());
  std::vector<Value> results;
  for (size_t i = 0; i < leaves.size(); ++i) results.push_back(Holding(leaves[i].kind, table_.Make(ids[i])));
  size_t next = 0;
  for (const std::string& name : loop->names)
    frame_->names[name] = WithLeaves(before.at(name), results, &next);
  for (size_t i = 0; i < known_changed; ++i) {
    MICRORT_RETURN_IF_ERROR(table_.Write(*loop->changed[i], ids[leaves.size() + i]));
  }
  return Status();
}

}  // namespace micrort::frontend::torchscript
