#include "converter/plan/state_program.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "converter/custom/custom_ops.h"
#include "converter/emit/build_model.h"
#include "converter/ir/budget.h"
#include "converter/plan/fit_arena.h"
#include "kernels/base/target.h"
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
    } else if (step.removed && step.concat_axis >= 0) {
      stated->concats.push_back(node);
    } else if (!step.removed && step.candidate.input >= 0 && step.in_place[0] == step.candidate.input) {
      stated->in_place.push_back(node);
    }
  }
}

uint32_t Block(size_t offset) { return static_cast<uint32_t>(offset / kAlignment); }

void Take(PlacedItems placed, Span<const PlanItem> items, size_t buffers, ProgramMemory* memory) {
  memory->offsets = std::move(placed.offsets);
  memory->layout = placed.layout;
  memory->buffer_bytes = 0;
  for (size_t b = 0; b < buffers; ++b) {
    memory->buffer_bytes = std::max(memory->buffer_bytes, memory->offsets[b] + items[b].bytes);
  }
}

// Where everything lies: as a device would find it, or as a longer search does, if that is smaller.
Status PlaceOffline(const Subgraph& subgraph, Span<PlanItem> items, ProgramMemory* memory) {
  const size_t buffers = subgraph.program().buffers.size();
  PlacedItems placed;
  MICRORT_RETURN_IF_ERROR(PlaceItems(items, buffers, &placed));
  MICRORT_RETURN_IF_ERROR(PlaceProgram(subgraph.program(), subgraph.file_plan(), memory));
  if (placed.layout.arena_bytes < memory->layout.arena_bytes) Take(std::move(placed), items, buffers, memory);
  return Status();
}

// How often a run reads or writes each byte of an item: every step its inputs and outputs once, the caller
// those of the graph. What a step reads and writes goes through its scratch.
std::vector<uint64_t> TouchesOf(const Program& program, Span<const PlanItem> items) {
  std::vector<uint64_t> touches(items.size(), 0);
  const auto touch = [&](int32_t view) {
    if (view < 0) return uint64_t{0};
    ++touches[static_cast<size_t>(program.view(view).buffer)];
    return static_cast<uint64_t>(program.arena_bytes(view));
  };
  for (const int32_t view : program.inputs) touch(view);
  for (const int32_t view : program.outputs) touch(view);
  for (const Step& step : program.steps) {
    if (step.removed) continue;
    uint64_t bytes = 0;
    for (const int32_t view : step.inputs) bytes += touch(view);
    for (const int32_t view : step.outputs) bytes += touch(view);
    const size_t scratch = program.buffers.size() + static_cast<size_t>(step.node);
    if (items[scratch].bytes != 0) touches[scratch] = 2 + bytes / items[scratch].bytes;
  }
  return touches;
}

Status PlaceInRegionsOf(const Subgraph& subgraph, Span<const PlanItem> items, RegionPlan* regions,
                        ProgramMemory* memory) {
  PlacedItems placed;
  MICRORT_RETURN_IF_ERROR(PlaceInRegions(items, TouchesOf(subgraph.program(), items), regions, &placed));
  Take(std::move(placed), items, subgraph.program().buffers.size(), memory);
  return Status();
}

void StatePlaces(Span<const PlanItem> items, size_t buffers, Span<const size_t> offsets,
                 schema::ProgramT* stated) {
  for (size_t i = 0; i < items.size(); ++i) {
    (i < buffers ? stated->offsets : stated->scratch_offsets)
        .push_back(items[i].bytes == 0 ? 0 : Block(offsets[i]));
  }
}

// States the program of each subgraph, the entry or a body, as its memory is laid out.
class Statement final : public Placer {
 public:
  Statement(const std::string& target_name, const ProgramTarget& target, Span<const Subgraph> subgraphs,
            RegionPlan* regions)
      : target_name_(target_name),
        target_(target),
        subgraphs_(subgraphs),
        regions_(regions),
        stated_(subgraphs.size()) {}

  Status Place(const Subgraph& subgraph, ProgramMemory* memory) override {
    FixedArray<PlanItem> items;
    MICRORT_RETURN_IF_ERROR(BuildPlanItems(subgraph.program(), &items));
    const bool in_regions = regions_ != nullptr && !regions_->regions.empty();
    MICRORT_RETURN_IF_ERROR(in_regions ? PlaceInRegionsOf(subgraph, items, regions_, memory)
                                       : PlaceOffline(subgraph, items, memory));
    // What is computed while planning is planned for this machine, too.
    if (subgraph.target().features != target_.features) return Status();
    auto stated = std::make_unique<schema::ProgramT>();
    stated->target = target_name_;
    stated->workers = static_cast<uint32_t>(subgraph.target().workers);
    for (const Shape& shape : subgraph.graph().input_shapes) {
      for (int d = 0; d < shape.rank; ++d) stated->input_shapes.push_back(static_cast<int32_t>(shape[d]));
    }
    StateNodes(subgraph.graph(), stated.get());
    StateRewrites(subgraph.program(), stated.get());
    StatePlaces(items, subgraph.program().buffers.size(), memory->offsets, stated.get());
    Add(static_cast<size_t>(&subgraph - subgraphs_.begin()), std::move(stated));
    return Status();
  }

  void AddTo(schema::ModelT* model) {
    for (size_t i = 0; i < stated_.size(); ++i) {
      auto& programs = model->subgraphs[i]->programs;
      std::move(stated_[i].begin(), stated_[i].end(), std::back_inserter(programs));
    }
  }

 private:
  using Programs = std::vector<std::unique_ptr<schema::ProgramT>>;

  // A device takes the first one that it finds.
  void Add(size_t subgraph, std::unique_ptr<schema::ProgramT> stated) {
    Programs& programs = stated_[subgraph];
    const auto same = std::find_if(programs.begin(), programs.end(), [&](const auto& other) {
      return other->workers == stated->workers && other->input_shapes == stated->input_shapes;
    });
    if (same != programs.end()) {
      *same = std::move(stated);
    } else {
      programs.push_back(std::move(stated));
    }
  }

  const std::string& target_name_;
  const ProgramTarget& target_;
  const Span<const Subgraph> subgraphs_;
  RegionPlan* const regions_;
  std::vector<Programs> stated_;  // by subgraph
};

}  // namespace

Status StateProgram(const AlignedBytes& file, const std::string& target_name, const ProgramTarget& target,
                    schema::ModelT* model, RegionPlan* regions) {
  const schema::Model& source = *schema::GetModel(file.data());
  const schema::Subgraph& graph = *source.subgraphs()->Get(0);
  if (DependsOnValues(graph)) return Status();
  FixedArray<Subgraph> subgraphs;
  MICRORT_RETURN_IF_ERROR(InitSubgraphs(source, CurrentOps(), &subgraphs));
  Statement statement(target_name, target, subgraphs, regions);
  for (Subgraph& subgraph : subgraphs) subgraph.UsePlacer(&statement);
  FixedArray<Shape> caller_shapes, shapes;
  MICRORT_RETURN_IF_ERROR(DefaultInputShapes(graph, &caller_shapes));
  MICRORT_RETURN_IF_ERROR(WithStateShapes(graph, caller_shapes, &shapes));
  PrepareTarget prepared_for = {target.features, target.workers};
  prepared_for.control = ir::CurrentBudget();
  Subgraph& entry = subgraphs[0];
  if (Status s = entry.Prepare(shapes, {}, prepared_for); !s.ok()) return IsDynamic(graph) ? Status() : s;
  // Microcontrollers run each operator by itself.
  MICRORT_RETURN_IF_ERROR(entry.Rewrite((target.features & kCpuMicrocontroller) == 0));
  MICRORT_RETURN_IF_ERROR(entry.Plan());
  statement.AddTo(model);
  model->schema_version = std::max(model->schema_version, emit::kSchemaVersionOfPrograms);
  return Status();
}

}  // namespace micrort::plan
