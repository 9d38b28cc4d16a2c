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
  value.source_integers = nullptr;
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

}  // namespace micrort::frontend
