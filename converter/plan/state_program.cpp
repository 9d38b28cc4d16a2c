#include "converter/plan/state_program.h"

#include <algorithm>
#include <utility>

#include "converter/custom/custom_ops.h"
#include "converter/emit/build_model.h"
#include "converter/ir/budget.h"
#include "converter/plan/fit_arena.h"
#include "runtime/interpreter/input_shapes.h"
#include "runtime/interpreter/kept_state.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/program/plan_items.h"

namespace micrort::plan {
namespace {

bool DependsOnValues(const schema::Subgraph& graph) {
  for (size_t i = 0; i < Ints(graph.inputs()).size(); ++i) {
    if (InputTensor(graph, i).decides_shapes()) return true;
  }
  return false;
}

bool IsDynamic(const schema::Subgraph& graph) {
  for (size_t i = 0; i < Ints(graph.inputs()).size(); ++i) {
    const Shape shape = ShapeOf(InputTensor(graph, i));
    if (std::any_of(shape.dims, shape.dims + shape.rank, [](int64_t d) { return d < 0; })) return true;
  }
  return false;
}

void StateNodes(const Graph& graph, schema::ProgramT* stated) {
  for (const Node& node : graph.nodes) stated->algorithms.push_back(node.prepared.algorithm_id);
}

void StateRewrites(const Program& program, schema::ProgramT* stated) {
  for (const Step& step : program.steps) {
    const auto node = static_cast<uint32_t>(step.node);
    if (step.call == CallKind::kConvStripes) {
      stated->stripes.insert(stated->stripes.end(), {node, static_cast<uint32_t>(step.node_end) - node});
    } else if (step.removed && step.joined_axis >= 0) {
      stated->concats.push_back(node);
    } else if (!step.removed && step.candidate.input >= 0 && step.in_place[0] == step.candidate.input) {
      stated->in_place.push_back(node);
    }
  }
}

uint32_t Block(size_t offset) { return static_cast<uint32_t>(offset / kAlignment); }

// Where everything lies: as a device would find it, or as a longer search does, if that is smaller.
Status StatePlaces(Subgraph& entry, schema::ProgramT* stated) {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(entry.program(), &items));
  const size_t buffers = entry.program().buffers.size();
  PlacedItems placed;
  MICRORT_RETURN_IF_ERROR(PlaceItems(items, buffers, &placed));
  MICRORT_RETURN_IF_ERROR(entry.Plan());
  const bool is_smaller = placed.layout.arena_bytes < entry.memory().layout.arena_bytes;
  const FixedArray<size_t>& offsets = is_smaller ? placed.offsets : entry.memory().offsets;
  for (size_t i = 0; i < items.size(); ++i) {
    (i < buffers ? stated->offsets : stated->scratch_offsets)
        .push_back(items[i].bytes == 0 ? 0 : Block(offsets[i]));
  }
  return Status();
}

}  // namespace

Status StateProgram(const AlignedBytes& file, const std::string& target_name, const ProgramTarget& target,
                    schema::ModelT* model) {
  const schema::Model& source = *schema::GetModel(file.data());
  const schema::Subgraph& graph = *source.subgraphs()->Get(0);
  if (DependsOnValues(graph)) return Status();
  FixedArray<Subgraph> subgraphs;
  MICRORT_RETURN_IF_ERROR(InitSubgraphs(source, CurrentOps(), &subgraphs));
  FixedArray<Shape> caller_shapes, shapes;
  MICRORT_RETURN_IF_ERROR(DefaultInputShapes(graph, &caller_shapes));
  MICRORT_RETURN_IF_ERROR(WithStateShapes(graph, caller_shapes, &shapes));
  PrepareTarget prepared_for = {target.features, target.workers};
  prepared_for.control = ir::CurrentBudget();
  Subgraph& entry = subgraphs[0];
  if (Status s = entry.Prepare(shapes, {}, prepared_for); !s.ok()) return IsDynamic(graph) ? Status() : s;
  MICRORT_RETURN_IF_ERROR(entry.Rewrite(true));
  auto stated = std::make_unique<schema::ProgramT>();
  stated->target = target_name;
  stated->workers = static_cast<uint32_t>(target.workers);
  for (const Shape& shape : shapes) {
    for (int d = 0; d < shape.rank; ++d) stated->input_shapes.push_back(static_cast<int32_t>(shape[d]));
  }
  StateNodes(entry.graph(), stated.get());
  StateRewrites(entry.program(), stated.get());
  MICRORT_RETURN_IF_ERROR(StatePlaces(entry, stated.get()));
  model->subgraphs[0]->programs.push_back(std::move(stated));
  model->schema_version = std::max(model->schema_version, emit::kSchemaVersionOfPrograms);
  return Status();
}

}  // namespace micrort::plan
