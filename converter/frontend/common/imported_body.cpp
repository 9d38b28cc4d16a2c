#include "converter/frontend/common/imported_body.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "runtime/model/verify.h"

namespace micrort::frontend {

namespace {

// Gives the branch the inputs `captures`, in this order; it has some of them already.
void Align(const ir::Graph& around, const std::vector<ir::ValueId>& captures, ImportedBody* branch) {
  std::vector<ir::ValueId> inputs;
  for (const ir::ValueId outer : captures) {
    const auto known = std::find(branch->captures.begin(), branch->captures.end(), outer);
    if (known != branch->captures.end()) {
      inputs.push_back(branch->graph->inputs[static_cast<size_t>(known - branch->captures.begin())]);
      continue;
    }
    ir::Value value = around.value(outer);
    value.in_source = value.decides_shapes = false;
    inputs.push_back(branch->graph->AddValue(std::move(value)));
  }
  branch->graph->inputs = std::move(inputs);
  branch->captures = captures;
}

// Gives both the same captures, in one order, and returns these.
std::vector<ir::ValueId> AlignCaptures(const ir::Graph& around, ImportedBody (&branches)[2]) {
  std::vector<ir::ValueId> captures = branches[0].captures;
  for (const ir::ValueId outer : branches[1].captures) {
    if (std::find(captures.begin(), captures.end(), outer) == captures.end()) captures.push_back(outer);
  }
  for (ImportedBody& branch : branches) Align(around, captures, &branch);
  return captures;
}

}  // namespace

Status CheckMayEnter(const GraphAssembler& around) {
  if (around.depth() < kMaxNesting) return Status();
  return Unsupported("more than {} graphs inside each other", kMaxNesting);
}

void AddLoopScalars(ir::Graph* body, const std::string& iteration, const std::string& condition) {
  for (const DType dtype : {DType::kInt64, DType::kBool}) {
    ir::Value value;
    value.name = dtype == DType::kBool ? condition : iteration;
    value.dtype = dtype;
    value.has_shape = true;
    body->inputs.push_back(body->AddValue(std::move(value)));
  }
}

ir::ValueId AddCarriedInput(GraphAssembler& body, const Carried& carried) {
  ir::Value value = body.parent()->graph().value(carried.first);
  value.name = carried.name;
  value.data = nullptr;
  value.source_quantization = {};
  value.source_integers = nullptr;
  value.in_source = value.decides_shapes = false;
  for (size_t d = 0; d < value.shape.size(); ++d) {
    if ((carried.changing_dims >> d & 1u) == 0) continue;
    value.shape[d] = ir::kDynamic;
    if (d < value.dim_names.size()) value.dim_names[d].clear();
  }
  const ir::ValueId id = body.graph().AddValue(std::move(value));
  body.graph().inputs.push_back(id);
  body.inference().Bind(body.graph(), id, carried.first, false, carried.changing_dims);
  return id;
}

Status Widen(const GraphAssembler& body, size_t k, size_t first_output, Carried* value, bool* widened) {
  const ir::Graph& graph = body.graph();
  if (first_output + k >= graph.outputs.size())
    return Invalid("the body has {} outputs", graph.outputs.size());
  const ir::ValueId before = graph.inputs[kLoopScalars + k], after = graph.outputs[first_output + k];
  const ir::Value &first = graph.value(before), &next = graph.value(after);
  if (first.dtype != next.dtype || first.rank() != next.rank())
    return Unsupported("{} changes its type or rank from one iteration to the next",
                       value->shown.empty() ? "the value '" + first.name + "'" : value->shown);
  uint32_t differing = 0;
  MICRORT_RETURN_IF_ERROR(body.inference().DifferingDims(before, after, &differing));
  *widened |= (differing & ~value->changing_dims) != 0;
  value->changing_dims |= differing;
  return Status();
}

std::vector<ir::ValueId> AddIf(ir::Builder& build, ir::ValueId condition, ImportedBody (&branches)[2]) {
  std::vector<ir::ValueId> operands = AlignCaptures(build.graph(), branches);
  operands.insert(operands.begin(), condition);
  return build.AddWithBodies(schema::IfOptionsT(), operands, branches[0].graph->outputs.size(),
                             {branches[0].graph, branches[1].graph});
}

std::vector<ir::ValueId> AddLoop(ir::Builder& build, ir::ValueId trip_count, ir::ValueId condition,
                                 const std::vector<ir::ValueId>& firsts, const ImportedBody& body,
                                 bool has_condition) {
  schema::LoopOptionsT options;
  options.carried = static_cast<uint32_t>(firsts.size());
  options.has_condition = has_condition;
  std::vector<ir::ValueId> operands = {trip_count, condition};
  operands.insert(operands.end(), firsts.begin(), firsts.end());
  operands.insert(operands.end(), body.captures.begin(), body.captures.end());
  const size_t outputs = body.graph->outputs.size() - (has_condition ? 1 : 0);
  return build.AddWithBodies(std::move(options), operands, outputs, {body.graph});
}

namespace {

// Gives what the other branch gives, by operators that fail where it is taken, for the reason that is their
// name.
ImportedBody FailingBranch(const Status& reason, const ImportedBody& other) {
  ImportedBody branch;
  branch.misfits = true;
  branch.graph = std::make_shared<ir::Graph>();
  branch.graph->name = other.graph->name + "/otherwise";
  for (const ir::ValueId id : other.graph->outputs) {
    ir::Value output = other.graph->value(id);
    output.data = nullptr;
    output.in_source = false;
    // Two elements cannot be broadcast to three.
    auto node = std::make_unique<ir::Node>();
    node->name = reason.message();
    node->code = schema::OpCode::Expand;
    node->as<schema::ExpandOptionsT>().shape = {3};
    node->inputs = {branch.graph->AddConstant("", output.dtype, {2}, ir::Bytes(2 * SizeOf(output.dtype)))};
    node->outputs = {branch.graph->AddValue(std::move(output))};
    branch.graph->outputs.push_back(node->outputs[0]);
    branch.graph->nodes.push_back(std::move(node));
  }
  return branch;
}

}  // namespace

Status ImportEachBranch(const std::function<Status(size_t branch, ImportedBody* out)>& import,
                        ImportedBody (*out)[2]) {
  Status status[2];
  for (size_t b = 0; b < 2; ++b) {
    status[b] = import(b, &(*out)[b]);
    if (!status[b].ok() && !(*out)[b].misfits) return status[b];
  }
  for (size_t b = 0; b < 2; ++b) {
    if (status[b].ok()) continue;
    if (!status[1 - b].ok()) return status[b];
    (*out)[b] = FailingBranch(status[b], (*out)[1 - b]);
  }
  return Status();
}

}  // namespace micrort::frontend
