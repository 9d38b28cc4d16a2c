#include "converter/frontend/common/undecided_branches.h"

#include <memory>
#include <utility>

namespace micrort::frontend {

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
