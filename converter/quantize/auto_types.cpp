#include "converter/quantize/auto_types.h"

#include <algorithm>
#include <set>

#include "converter/cost/node_cost.h"
#include "converter/observe/progress.h"
#include "converter/passes/passes.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/model_loss.h"
#include "converter/quantize/split_activation.h"
#include "converter/quantize/static_int8.h"
#include "converter/quantize/weight_memo.h"

namespace micrort::quantize {
namespace {

// Without labels; so many tell a network's noise well enough.
constexpr size_t kSamplesForNoise = 24;

class Trial {
 public:
  explicit Trial(const AutoInputs& inputs) : inputs_(inputs), loss_(SamplesOf(inputs), inputs.features) {}

  Status RunFloat() { return loss_.RunFloat(*inputs_.module); }

  const char* measure() const { return loss_.measure(); }

  // Times follow from shapes and types: no bias is corrected.
  Status Time(const LayerTypes& types, double* microseconds) {
    PtqCorrection correction = inputs_.correction;
    correction.bias = false;
    const std::unique_ptr<ir::Graph> graph = Quantized(types, correction);
    *microseconds = cost::GraphMicroseconds(*graph, inputs_.device);
    return Status();
  }

  Status Loss(const LayerTypes& types, double* loss) {
    return loss_.Of(Quantized(types, inputs_.correction), loss);
  }

 private:
  static LossSamples SamplesOf(const AutoInputs& inputs) {
    return {inputs.samples, inputs.labels ? &*inputs.labels : nullptr, kSamplesForNoise,
            !inputs.module->graphs[0]->states.empty()};
  }

  std::unique_ptr<ir::Graph> Quantized(const LayerTypes& types, PtqCorrection correction) {
    correction.memo = &memo_;
    std::unique_ptr<ir::Graph> graph = inputs_.module->graphs[0]->Clone();
    SplitForInt16(types, graph.get());
    Report report;
    QuantizeStatically(graph.get(), *inputs_.calibration, correction, types, inputs_.poor, &report);
    TakeEqualSlopes(graph.get());
    bool changed = false;
    // It only ever says ok.
    (void)passes::FuseActivation(*graph, &changed);
    return graph;
  }

  const AutoInputs& inputs_;
  WeightMemo memo_;
  ModelLoss loss_;
};

// Layers that have a form in int16 by themselves, once residuals and slopes are those of other operators.
std::set<std::string> WideLayers(const ir::Graph& graph) {
  const std::unique_ptr<ir::Graph> split = graph.Clone();
  SplitForInt16(split.get());
  std::set<std::string> wide;
  for (const auto& node : split->nodes) {
    if (CanBeInt8Layer(*split, *node) && Int16RoleOf(*split, *node) == Int8Role::kLayer)
      wide.insert(node->name);
  }
  return wide;
}

}  // namespace

Status ChooseTypes(const AutoInputs& inputs, FoundTypes* found) {
  Trial trial(inputs);
  MICRORT_RETURN_IF_ERROR(trial.RunFloat());
  found->measure = trial.measure();
  const ir::Graph& graph = *inputs.module->graphs[0];
  TypeSearch search;
  for (const auto& node : graph.nodes) {
    if (CanBeInt8Layer(graph, *node)) search.layers.push_back(node->name);
  }
  search.wide = WideLayers(graph);
  search.integers_only = inputs.poor.all;
  search.fixed = *inputs.fixed;
  search.max_loss = inputs.max_loss;
  // Every layer alone, its time and its loss in each type; what follows is not known beforehand.
  observe::Progress progress("searching", 2 * (search.layers.size() + search.wide.size()) + 3,
                             inputs.progress);
  search.time = [&](const LayerTypes& types, double* microseconds) {
    progress.Advance();
    return trial.Time(types, microseconds);
  };
  search.loss = [&](const LayerTypes& types, double* loss) {
    progress.Advance();
    return trial.Loss(types, loss);
  };
  return SearchTypes(search, found);
}

void Explain(const FoundTypes& found, Report* report) {
  const std::set<std::string> slow(found.slow.begin(), found.slow.end());
  const std::set<std::string> harmful(found.harmful.begin(), found.harmful.end());
  const std::set<std::string> wide(found.wide.begin(), found.wide.end());
  for (Exception& exception : report->exceptions) {
    if (slow.count(exception.node) != 0) exception.reason = "int8 is not estimated to be faster";
    if (harmful.count(exception.node) != 0)
      exception.reason = "int8 here costs more accuracy than --max-loss allows";
    if (wide.count(exception.node) != 0)
      exception.reason = "int16x8: int8 here costs more accuracy than --max-loss allows";
  }
}

}  // namespace micrort::quantize
