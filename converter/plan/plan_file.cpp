#include "converter/plan/plan_file.h"

#include <algorithm>

#include "micrort/op_resolver.h"
#include "runtime/interpreter/subgraph.h"

namespace micrort::plan {
namespace {

constexpr int kSearchSteps = 4000;

bool IsStatic(const schema::SubgraphT& subgraph) {
  return std::all_of(subgraph.tensors.begin(), subgraph.tensors.end(), [](const auto& tensor) {
    return std::all_of(tensor->shape.begin(), tensor->shape.end(), [](int32_t d) { return d >= 0; });
  });
}

std::vector<Shape> InputShapes(const schema::SubgraphT& subgraph) {
  std::vector<Shape> shapes;
  for (const int32_t input : subgraph.inputs) {
    Shape shape;
    for (const int32_t d : subgraph.tensors[static_cast<size_t>(input)]->shape) shape.dims[shape.rank++] = d;
    shapes.push_back(shape);
  }
  return shapes;
}

Status PlanSubgraph(const schema::Model& model, const schema::Subgraph& source, CpuFeatures features,
                    schema::SubgraphT* out) {
  Subgraph subgraph;
  MICRORT_RETURN_IF_ERROR(subgraph.Init(model, source, AllOps()));
  std::vector<Shape> shapes = InputShapes(*out);
  MICRORT_RETURN_IF_ERROR(subgraph.Prepare({shapes.data(), shapes.size()}, features, 1));
  MICRORT_RETURN_IF_ERROR(subgraph.Plan({kSearchSteps, false}));
  out->plan = std::make_unique<schema::MemoryPlanT>();
  for (size_t t = 0; t < subgraph.tensor_count(); ++t) out->plan->offsets.push_back(subgraph.offset(t));
  out->plan->arena_bytes = subgraph.layout().arena_bytes - subgraph.scratch_bytes();
  out->plan->lower_bound = subgraph.layout().lower_bound;
  return Status();
}

}  // namespace

Status PlanModel(const AlignedBytes& file, CpuFeatures features, schema::ModelT* model) {
  const schema::Model& source = *schema::GetModel(file.data());
  for (size_t i = 0; i < model->subgraphs.size(); ++i) {
    schema::SubgraphT* subgraph = model->subgraphs[i].get();
    if (!IsStatic(*subgraph)) continue;
    MICRORT_RETURN_IF_ERROR(
        PlanSubgraph(source, *source.subgraphs()->Get(static_cast<unsigned>(i)), features, subgraph));
  }
  return Status();
}

}  // namespace micrort::plan
