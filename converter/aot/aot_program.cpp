#include "converter/aot/aot_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "converter/custom/custom_ops.h"
#include "converter/ir/budget.h"
#include "converter/plan/fit_arena.h"
#include "runtime/interpreter/input_shapes.h"
#include "runtime/interpreter/kept_state.h"
#include "runtime/plan/check_plan.h"
#include "runtime/program/plan_items.h"

namespace micrort::aot {
namespace {

// Data decide no sizes of graphs that operators run.
Status CheckBodies(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.skipped) continue;
    for (const Body* body : node.Bodies()) {
      if (!SubgraphOf(*body).is_planned()) continue;  // it never runs
      const Graph& inner = SubgraphOf(*body).graph();
      for (const Node& step : inner.nodes) {
        if (step.skipped || !step.data_dependent) continue;
        return step.Explain(MICRORT_ERROR(
            kUnsupported, "data decide its sizes, which C++ in a graph of '%.100s' cannot do yet",
            node.registration->name));
      }
      MICRORT_RETURN_IF_ERROR(CheckBodies(inner));
    }
  }
  return Status();
}

}  // namespace

bool HasOpenBatch(const schema::Subgraph& graph, size_t input) {
  const Shape shape = ShapeOf(InputTensor(graph, input));
  return shape.rank > 0 && shape[0] < 0;
}

Status AotProgram::Init(const AlignedBytes& file, const AotTarget& target, int batch,
                        ConstantPool* constants) {
  target_ = target;
  batch_ = batch;
  constants_ = constants;
  const schema::Model& source = *schema::GetModel(file.data());
  const schema::Subgraph& graph = *source.subgraphs()->Get(0);
  MICRORT_RETURN_IF_ERROR(InitSubgraphs(source, CurrentOps(), &subgraphs_));
  FixedArray<Shape> caller_shapes, shapes;
  MICRORT_RETURN_IF_ERROR(DefaultInputShapes(graph, &caller_shapes));
  // Other sizes that rules of the file allow would be a guess.
  for (size_t i = 0; i < caller_shapes.size(); ++i) {
    const Shape declared = ShapeOf(InputTensor(graph, i));
    for (int d = 0; d < declared.rank; ++d) {
      if (declared[d] < 0) caller_shapes[i][d] = d == 0 ? batch : 1;
    }
  }
  MICRORT_RETURN_IF_ERROR(CheckInputShapes(graph, caller_shapes));
  MICRORT_RETURN_IF_ERROR(WithStateShapes(graph, caller_shapes, &shapes));
  PrepareTarget prepared_for = {target.features, target.threads};
  prepared_for.control = ir::CurrentBudget();
  Subgraph& entry = subgraphs_[0];
  MICRORT_RETURN_IF_ERROR(entry.Prepare(shapes, {}, prepared_for));
  MICRORT_RETURN_IF_ERROR(CheckBodies(entry.graph()));
  LeaveInputsAlone();
  MICRORT_RETURN_IF_ERROR(entry.Rewrite(true));
  return Place();
}

// A caller may give memory of its own for them, which is only read.
void AotProgram::LeaveInputsAlone() {
  subgraphs_[0].program().reads_inputs_only = true;
  for (Step& step : subgraphs_[0].program().steps) {
    const auto is_input = [&](int input) {
      return input >= 0 && static_cast<size_t>(input) < step.inputs.size() &&
             InputIndex(*this, step.inputs[static_cast<size_t>(input)]) >= 0;
    };
    for (int8_t& input : step.in_place) input = is_input(input) ? int8_t{-1} : input;
    if (is_input(step.candidate.input)) step.candidate = InPlaceCandidate();
  }
}

Status AotProgram::Place() {
  FixedArray<PlanItem> items;
  MICRORT_RETURN_IF_ERROR(BuildPlanItems(program(), &items));
  plan::PlacedItems placed;
  MICRORT_RETURN_IF_ERROR(plan::PlaceItems(items, program().buffers.size(), &placed));
  offsets_ = std::move(placed.offsets);
  arena_bytes_ = placed.layout.arena_bytes;
  entry_ = AotGraph(&subgraphs_[0], offsets_, 0, {inputs().begin(), inputs().end()});
  return CheckPlan(items, offsets_, arena_bytes_);
}

Status AotProgram::PlaceStates(size_t arena_bytes) {
  KeptState checked;
  MICRORT_RETURN_IF_ERROR(checked.Init(*graph().model, subgraphs_[0]));
  const schema::Subgraph& source = graph_source();
  for (size_t k = 0; k < StateCount(source); ++k) {
    StateValue state;
    state.value = program().inputs[inputs().size() + k];
    state.computed = program().outputs[outputs().size() + k];
    state.offset = arena_bytes + kept_bytes_;
    const schema::State& declared = *source.states()->Get(static_cast<uint32_t>(k));
    state.is_cache = declared.kind() == schema::StateKind::Cache;
    const uint32_t initial = declared.initial();
    if (initial != 0) state.initial = BytesOfBuffer(*graph().model, initial).data();
    kept_bytes_ += AlignUp(tensor(state.value).bytes(), kAlignment);
    states_.push_back(state);
  }
  for (const int32_t view : outputs()) {
    if (!IsConstantResult(*this, view) || !copies_.emplace(view, arena_bytes + kept_bytes_).second) continue;
    kept_bytes_ += AlignUp(tensor(view).bytes(), kAlignment);
  }
  PlaceComputedAgain(arena_bytes);
  return Status();
}

void AotProgram::PlaceComputedAgain(size_t arena_bytes) {
  for (const Step& step : program().steps) {
    if (step.removed) continue;
    for (const int32_t view : step.outputs) {
      if (tensor(view).contents != Contents::kExample) continue;
      computed_again_.emplace(view, arena_bytes + kept_bytes_);
      kept_bytes_ += AlignUp(tensor(view).bytes(), kAlignment);
    }
  }
}

const StateValue* AotProgram::FindState(int32_t view) const {
  for (const StateValue& state : states_) {
    if (state.value == view || (state.is_cache && state.computed == view)) return &state;
  }
  return nullptr;
}

bool IsConstantResult(const AotProgram& program, int32_t view) {
  return InputIndex(program, view) < 0 && !program.IsInArena(view) && program.FindState(view) == nullptr;
}

int InputIndex(const AotProgram& program, int32_t view) {
  const auto found = std::find(program.inputs().begin(), program.inputs().end(), view);
  return found == program.inputs().end() ? -1 : static_cast<int>(found - program.inputs().begin());
}

Status AotProgram::AddPacked(const Node& node, int slot, size_t* offset) {
  const auto key = std::make_pair(&node, slot);
  if (const auto found = packed_.find(key); found != packed_.end()) {
    *offset = found->second;
    return Status();
  }
  AlignedBytes bytes(node.prepared.packed[slot].bytes);
  const PackContext context = {node.inputs, node.state, slot, bytes.data()};
  if (Status s = node.registration->pack(context); !s.ok()) return node.Explain(s);
  *offset = constants_->Add(bytes.data(), bytes.size());
  packed_.emplace(key, *offset);
  return Status();
}

}  // namespace micrort::aot
