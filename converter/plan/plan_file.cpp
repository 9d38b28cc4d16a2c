#include "converter/plan/plan_file.h"

#include <algorithm>

#include "micrort/op_resolver.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/plan/planner.h"

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

struct Candidate {
  FixedArray<size_t> offsets;
  MemoryLayout layout;
};

Status Place(Span<PlanItem> items, Candidate* candidate) {
  MICRORT_RETURN_IF_ERROR(candidate->offsets.Allocate(items.size()));
  return PlanMemory({items.data(), items.size()}, {kSearchSteps}, candidate->offsets, &candidate->layout);
}

// First the tensors alone, then scratch into the gaps: the best for devices that need less scratch than this
// one.
Status PlaceTensorsFirst(Span<PlanItem> items, size_t tensors, Candidate* candidate) {
  MICRORT_RETURN_IF_ERROR(Place({items.data(), tensors}, candidate));
  for (size_t t = 0; t < tensors; ++t) items[t].fixed_offset = static_cast<int64_t>(candidate->offsets[t]);
  const Status status = Place(items, candidate);
  for (size_t t = 0; t < tensors; ++t) items[t].fixed_offset = kNoOffset;
  return status;
}

// Items are the tensors, then the scratch of operators; the file states the tensors alone.
Status PlanItems(Span<PlanItem> items, size_t tensors, schema::MemoryPlanT* plan) {
  Candidate together, tensors_first;
  MICRORT_RETURN_IF_ERROR(PlaceTensorsFirst(items, tensors, &tensors_first));
  MICRORT_RETURN_IF_ERROR(Place(items, &together));
  const Candidate& best =
      together.layout.arena_bytes < tensors_first.layout.arena_bytes ? together : tensors_first;
  for (size_t t = 0; t < tensors; ++t) {
    const bool in_arena = items[t].bytes != 0;
    plan->offsets.push_back(in_arena ? static_cast<int64_t>(best.offsets[t]) : kNoOffset);
    plan->arena_bytes =
        std::max<uint64_t>(plan->arena_bytes, in_arena ? best.offsets[t] + items[t].bytes : 0);
  }
  size_t lower_bound = 0;
  MICRORT_RETURN_IF_ERROR(ComputeLowerBound({items.data(), tensors}, &lower_bound));
  plan->lower_bound = lower_bound;
  return Status();
}

Status PlanEntry(const schema::Model& model, CpuFeatures features, schema::SubgraphT* out) {
  FixedArray<Subgraph> subgraphs;
  MICRORT_RETURN_IF_ERROR(InitSubgraphs(model, AllOps(), &subgraphs));
  Subgraph& entry = subgraphs[0];
  const std::vector<Shape> shapes = InputShapes(*out);
  MICRORT_RETURN_IF_ERROR(entry.Prepare({shapes.data(), shapes.size()}, {}, features, 1));
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(entry.BuildItems(&items));
  out->plan = std::make_unique<schema::MemoryPlanT>();
  return PlanItems(items, entry.tensor_count(), out->plan.get());
}

}  // namespace

Status PlanModel(const AlignedBytes& file, CpuFeatures features, schema::ModelT* model) {
  schema::SubgraphT* entry = model->subgraphs[0].get();
  if (!IsStatic(*entry)) return Status();
  return PlanEntry(*schema::GetModel(file.data()), features, entry);
}

}  // namespace micrort::plan
