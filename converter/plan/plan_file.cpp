#include "converter/plan/plan_file.h"

#include <algorithm>
#include <map>
#include <utility>

#include "converter/custom/custom_ops.h"
#include "converter/emit/build_model.h"
#include "converter/ir/budget.h"
#include "converter/plan/fit_arena.h"
#include "micrort/algorithm_chooser.h"
#include "runtime/interpreter/kept_state.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/program/plan_items.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort::plan {
namespace {

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

// The ways to compute every layer, as the runtime finds them; takes the cheapest.
class OptionLog final : public AlgorithmChooser {
 public:
  Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
    *choice = layer.cheapest;
    std::vector<ScratchOption>& options = log_[layer.layer];
    if (!options.empty()) return Status();
    for (const AlgorithmInfo& info : layer.algorithms) options.push_back({info.scratch_bytes, info.cost});
    std::stable_sort(options.begin(), options.end(),
                     [](const ScratchOption& a, const ScratchOption& b) { return a.cost < b.cost; });
    // What is neither cheaper nor smaller than another is no option.
    size_t kept = 1;
    for (size_t i = 1; i < options.size(); ++i) {
      if (options[i].scratch_bytes < options[kept - 1].scratch_bytes) options[kept++] = options[i];
    }
    options.resize(kept);
    return Status();
  }

  std::vector<ScratchOption> Of(const PrepareResult& prepared) const {
    const auto found = log_.find(prepared.layer);
    if (prepared.layer == 0 || found == log_.end()) return {};
    std::vector<ScratchOption> options = found->second;
    // The operator may compute the layer several times.
    const double times = options[0].cost > 0 ? prepared.cost / options[0].cost : 1;
    for (ScratchOption& option : options) option.cost *= times;
    return options;
  }

 private:
  mutable std::map<uint64_t, std::vector<ScratchOption>> log_;
};

// Items are the tensors, then the scratch of operators; the file states the tensors alone.
Status StatePlan(Span<const PlanItem> items, size_t tensors, const PlacedItems& placed,
                 schema::MemoryPlanT* plan) {
  for (size_t t = 0; t < tensors; ++t) {
    const bool in_arena = items[t].bytes != 0;
    plan->offsets.push_back(in_arena ? static_cast<int64_t>(placed.offsets[t]) : kNoOffset);
    plan->arena_bytes =
        std::max<uint64_t>(plan->arena_bytes, in_arena ? placed.offsets[t] + items[t].bytes : 0);
  }
  size_t lower_bound = 0;
  MICRORT_RETURN_IF_ERROR(ComputeLowerBound({items.data(), tensors}, &lower_bound));
  plan->lower_bound = lower_bound;
  return Status();
}

class EntryPlan {
 public:
  EntryPlan(const PlanOptions& options, schema::ModelT* model, PlanReport* report)
      : options_(options), model_(model), entry_(model->subgraphs[0].get()), report_(report) {}

  Status Run(const schema::Model& file) {
    MICRORT_RETURN_IF_ERROR(InitSubgraphs(file, CurrentOps(), &subgraphs_));
    Subgraph& entry = subgraphs_[0];
    const std::vector<Shape> shapes = InputShapes(*entry_);
    PrepareTarget target = {options_.features, options_.threads, &log_};
    target.control = ir::CurrentBudget();
    MICRORT_RETURN_IF_ERROR(entry.Prepare({shapes.data(), shapes.size()}, {}, target));
    if (!options_.max_arena) {
      MICRORT_RETURN_IF_ERROR(TakeInPlaceCandidates(entry.file_plan(), &entry.program()));
    }
    MICRORT_RETURN_IF_ERROR(BuildPlanItems(entry.program(), &items_));
    tensors_ = entry.graph().tensors.size();
    PlacedItems placed;
    if (options_.max_arena) {
      MICRORT_RETURN_IF_ERROR(Fit(*options_.max_arena, &placed));
    } else {
      MICRORT_RETURN_IF_ERROR(PlaceItems(items_, tensors_, &placed));
    }
    entry_->plan = std::make_unique<schema::MemoryPlanT>();
    const Program& program = entry.program();
    if (std::any_of(program.steps.begin(), program.steps.end(), IsInPlaceAtCost)) {
      model_->schema_version = std::max(model_->schema_version, emit::kSchemaVersionOfConvInPlace);
    }
    return StatePlan(items_, tensors_, placed, entry_->plan.get());
  }

 private:
  static bool IsInPlaceAtCost(const Step& step) {
    return step.candidate.input >= 0 && step.in_place[0] == step.candidate.input;
  }

  // Outputs lie over inputs, which takes time, only where nothing else is small enough.
  Status Fit(uint64_t max_arena, PlacedItems* placed) {
    size_t states = 0;
    MICRORT_RETURN_IF_ERROR(StateArenaBytes(subgraphs_[0].source(), &states));
    const uint64_t left = max_arena - std::min<uint64_t>(states, max_arena);
    const size_t limit = static_cast<size_t>(left / kAlignment * kAlignment);
    ArenaFit fit;
    Status status = FitArena(Request(limit), &fit);
    if (status.code() == StatusCode::kUnsupported) {
      Subgraph& entry = subgraphs_[0];
      MICRORT_RETURN_IF_ERROR(TakeInPlaceCandidates(entry.file_plan(), items_, &entry.program()));
      MICRORT_RETURN_IF_ERROR(BuildPlanItems(entry.program(), &items_));
      status = FitArena(Request(limit), &fit);
    }
    if (!status.ok())
      return status.WithPrefix("--max-arena %llu", static_cast<unsigned long long>(max_arena));
    *placed = std::move(fit.placed);
    report_->given_up = fit.given_up;
    report_->loss = fit.loss;
    LimitScratch(*placed, limit);
    return Status();
  }

  FitRequest Request(size_t limit) {
    FitRequest request;
    request.items = items_;
    request.tensors = tensors_;
    request.limit = limit;
    for (const Node& node : subgraphs_[0].graph().nodes) request.options.push_back(log_.Of(node.prepared));
    for (const Step& step : subgraphs_[0].program().steps) {
      const auto node = static_cast<size_t>(step.node);
      if (IsInPlaceAtCost(step)) request.options[node] = {InPlace(step)};
    }
    return request;
  }

  // With room for the tables of other instruction sets, whose tiles are wider.
  ScratchOption InPlace(const Step& step) const {
    constexpr size_t kMargin = 4096;
    const Node& node = subgraphs_[0].graph().nodes[static_cast<size_t>(step.node)];
    return {step.scratch_bytes + kMargin, node.prepared.cost};
  }

  // On every device, to what is free at each operator with the tensors where they are now.
  void LimitScratch(const PlacedItems& placed, size_t limit) {
    for (size_t op = 0; op < entry_->operators.size(); ++op) {
      entry_->operators[op]->max_scratch =
          static_cast<int64_t>(LargestGap(items_, placed.offsets, tensors_, static_cast<int32_t>(op), limit));
    }
    model_->schema_version = std::max(model_->schema_version, emit::kSchemaVersionOfMaxScratch);
  }

  const PlanOptions& options_;
  schema::ModelT* const model_;
  schema::SubgraphT* const entry_;
  PlanReport* const report_;
  OptionLog log_;
  FixedArray<Subgraph> subgraphs_;
  FixedArray<PlanItem> items_;
  size_t tensors_ = 0;
};

}  // namespace

Status PlanModel(const AlignedBytes& file, const PlanOptions& options, schema::ModelT* model,
                 PlanReport* report) {
  if (!IsStatic(*model->subgraphs[0])) return Status();
  return EntryPlan(options, model, report).Run(*schema::GetModel(file.data()));
}

}  // namespace micrort::plan
