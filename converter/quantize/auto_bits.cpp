#include "converter/quantize/auto_bits.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "converter/observe/progress.h"
#include "converter/quantize/int4_budget.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/model_loss.h"
#include "converter/quantize/rotary_tables.h"
#include "converter/quantize/spectra.h"
#include "converter/quantize/tables.h"
#include "converter/quantize/weight_memo.h"
#include "converter/quantize/weight_only.h"

namespace micrort::quantize {
namespace {

// Of a text these are 1024 tokens, and 128 to compare layers.
constexpr size_t kSamples = 8, kRoughSamples = 1;
// Samples without tokens are mostly single answers.
constexpr size_t kSamplesPerText = 3;

class BitsTrial {
 public:
  explicit BitsTrial(const BitsInputs& inputs)
      : inputs_(inputs),
        rough_loss_(SamplesOf(inputs, kRoughSamples), inputs.features),
        loss_(SamplesOf(inputs, kSamples), inputs.features) {}

  Status RunFloat() {
    MICRORT_RETURN_IF_ERROR(rough_loss_.RunFloat(*inputs_.module));
    return loss_.RunFloat(*inputs_.module);
  }
  const char* measure() const { return loss_.measure(); }
  int64_t Bytes(const LayerTypes& types) { return ConstantBytes(*With(types)); }
  Status RoughLoss(const LayerTypes& types, double* loss) { return rough_loss_.Of(With(types), loss); }
  Status Loss(const LayerTypes& types, double* loss) { return loss_.Of(With(types), loss); }

  void Store(const LayerTypes& types, ir::Graph* graph, Report* report) {
    WeightCorrection tools = inputs_.tools;
    tools.correction.memo = &memo_;
    StoreWeights(graph, LayerType::kInt4Weights, types, tools, report);
  }

 private:
  static LossSamples SamplesOf(const BitsInputs& inputs, size_t texts) {
    const ir::Graph& graph = *inputs.module->graphs[0];
    return {inputs.samples, inputs.labels, PredictsTokens(graph) ? texts : texts * kSamplesPerText,
            !graph.states.empty()};
  }

  std::unique_ptr<ir::Graph> With(const LayerTypes& types) {
    std::unique_ptr<ir::Graph> graph = inputs_.module->graphs[0]->Clone();
    Report report;
    Store(types, graph.get(), &report);
    return graph;
  }

  const BitsInputs& inputs_;
  WeightMemo memo_;
  ModelLoss rough_loss_, loss_;
};

// Layers and tables whose type is searched for. Layers around spectra, and tables of rotations, keep what
// other rules give them.
std::vector<std::string> SearchedLayers(const ir::Graph& graph, const LayerTypes& fixed) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const ir::Node& node) {
    if (fixed.count(node.name) == 0 && seen.insert(node.name).second) names.push_back(node.name);
  };
  const auto add_layers = [&](const ir::Graph& part) {
    const Spectra spectra = LayersAroundSpectra(part);
    for (const auto& node : part.nodes) {
      if (DescribeLayer(part, *node) && spectra.count(node.get()) == 0) add(*node);
    }
    for (const Table& table : FindTables(part)) {
      if (table.layers.empty() && !HoldsRotations(part.value(table.value))) add(*table.gathers.front());
    }
  };
  add_layers(graph);
  for (const auto& body : ir::BodiesIn(graph)) add_layers(*body);
  return names;
}

const char* WhyWider(LayerType type) {
  switch (type) {
    case LayerType::kFloat32:
      return "float32: less costs more accuracy here than --max-loss allows";
    case LayerType::kFloat16:
      return "half: integers cost more accuracy here than --max-loss allows";
    case LayerType::kInt8:
    case LayerType::kInt8Weights:
      return "int8 weights: 4 bits cost more accuracy here than --max-loss allows";
    case LayerType::kInt4Weights:
    case LayerType::kInt16x8:
      break;
  }
  return "";
}

void ExplainBits(const std::vector<std::string>& searched, const LayerTypes& types, Report* report) {
  const std::set<std::string> names(searched.begin(), searched.end());
  for (Exception& exception : report->exceptions) {
    const auto found = types.find(exception.node);
    if (found == types.end() || names.count(exception.node) == 0) continue;
    if (exception.reason == AsAsked(found->second)) exception.reason = WhyWider(found->second);
  }
}

}  // namespace

Status ChooseBits(const BitsInputs& inputs, ir::Graph* graph, FoundBits* found, Report* report) {
  BitsTrial trial(inputs);
  MICRORT_RETURN_IF_ERROR(trial.RunFloat());
  found->measure = trial.measure();
  const LayerType eight = inputs.tools.dynamic_inputs ? LayerType::kInt8 : LayerType::kInt8Weights;
  BitsSearch search;
  search.layers = SearchedLayers(*graph, *inputs.fixed);
  search.types = {LayerType::kFloat32, LayerType::kFloat16, eight, LayerType::kInt4Weights};
  search.fixed = *inputs.fixed;
  search.max_loss = inputs.max_loss;
  // Mostly int8 keeps the loss, and one layer after the other is tried in 4 bits.
  observe::Progress progress("searching", search.layers.size() + 16, inputs.progress);
  search.bytes = [&](const LayerTypes& types) { return trial.Bytes(types); };
  search.rough_loss = [&](const LayerTypes& types, double* loss) {
    progress.Advance();
    return trial.RoughLoss(types, loss);
  };
  search.loss = [&](const LayerTypes& types, double* loss) {
    progress.Advance();
    return trial.Loss(types, loss);
  };
  MICRORT_RETURN_IF_ERROR(SearchBits(search, found));
  trial.Store(found->types, graph, report);
  ExplainBits(search.layers, found->types, report);
  return Status();
}

}  // namespace micrort::quantize
