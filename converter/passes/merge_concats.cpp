// A Concat of Concats along the same dimension is one Concat.

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"
#include "runtime/model/verify_steps.h"

namespace micrort::passes {
namespace {

// Parts that nothing else reads; those that are another Concat's result as it is would be copied twice.
bool IsNestedPart(const Site& site, size_t i) {
  const ir::Node* inner = site.own_producer(i);
  if (inner == nullptr || inner->code != schema::OpCode::Concat) return false;
  return inner->as<schema::ConcatOptionsT>().axis == site.node.as<schema::ConcatOptionsT>().axis &&
         site.input(i).quantization == site.output().quantization;
}

bool MergeConcat(const Site& site) {
  ir::Node& node = site.node;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!IsNestedPart(site, i)) continue;
    const std::vector<ir::ValueId> parts = site.producer(i)->inputs;
    // No file has more; and a chain of Concats would take time as the square of its length.
    if (node.inputs.size() + parts.size() > kMaxOpInputs + 1) continue;
    const auto at = node.inputs.erase(node.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    node.inputs.insert(at, parts.begin(), parts.end());
    return true;
  }
  return false;
}

}  // namespace

Status MergeConcats(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Concat}, MergeConcat);
  return Status();
}

}  // namespace micrort::passes
