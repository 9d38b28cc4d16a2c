#include "converter/frontend/common/imported_body.h"

#include <algorithm>
#include <utility>

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

}  // namespace

ir::Value BodyInputFor(const ir::Value& outer, uint32_t changing_dims) {
  ir::Value value = outer;
  value.data = nullptr;
  value.source_quantization = {};
  value.in_source = value.decides_shapes = false;
  for (size_t d = 0; d < value.shape.size(); ++d) {
    if ((changing_dims >> d & 1u) == 0) continue;
    value.shape[d] = ir::kDynamic;
    if (d < value.dim_names.size()) value.dim_names[d].clear();
  }
  return value;
}

std::vector<ir::ValueId> AlignCaptures(const ir::Graph& around, ImportedBody (&branches)[2]) {
  std::vector<ir::ValueId> captures = branches[0].captures;
  for (const ir::ValueId outer : branches[1].captures) {
    if (std::find(captures.begin(), captures.end(), outer) == captures.end()) captures.push_back(outer);
  }
  for (ImportedBody& branch : branches) Align(around, captures, &branch);
  return captures;
}

ImportedBody FailingBranch(const Status& reason, const ImportedBody& other) {
  ImportedBody branch;
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

}  // namespace micrort::frontend
