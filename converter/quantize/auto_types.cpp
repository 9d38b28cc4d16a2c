#include "converter/quantize/auto_types.h"

#include <algorithm>
#include <set>

#include "converter/cost/node_cost.h"
#include "converter/emit/serialize.h"
#include "converter/observe/progress.h"
#include "converter/observe/runner.h"
#include "converter/passes/passes.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/split_activation.h"
#include "converter/quantize/static_int8.h"
#include "converter/quantize/weight_memo.h"
#include "tools/io/tensor_floats.h"

namespace micrort::quantize {
namespace {

// Without labels; so many tell a network's noise well enough.
constexpr size_t kSamplesForNoise = 24;

using Outputs = std::vector<std::vector<float>>;  // of one sample

class Trial {
 public:
  explicit Trial(const AutoInputs& inputs) : inputs_(inputs) {
    const size_t all = inputs.samples->size();
    const size_t count = inputs.labels ? all : std::min(all, kSamplesForNoise);
    for (size_t i = 0; i < count; ++i) samples_.push_back(&(*inputs.samples)[i * all / count]);
  }

  Status RunFloat() { return Run(*inputs_.module, &expected_); }

  // Times follow from shapes and types: no bias is corrected.
  Status Time(const LayerTypes& types, double* microseconds) {
    PtqCorrection correction = inputs_.correction;
    correction.bias = false;
    const std::unique_ptr<ir::Graph> graph = Quantized(types, correction);
    *microseconds = cost::GraphMicroseconds(*graph, inputs_.device);
    return Status();
  }

  Status Loss(const LayerTypes& types, double* loss) {
    ir::Module module;
    module.source_format = inputs_.module->source_format;
    module.graphs.push_back(Quantized(types, inputs_.correction));
    for (size_t i = 1; i < inputs_.module->graphs.size(); ++i)
      module.graphs.push_back(inputs_.module->graphs[i]->Clone());
    std::vector<Outputs> found;
    MICRORT_RETURN_IF_ERROR(Run(module, &found));
    *loss = inputs_.labels ? LostAnswers(found) : WorstNoise(found);
    return Status();
  }

 private:
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

  Status Run(const ir::Module& module, std::vector<Outputs>* outputs) const {
    AlignedBytes file;
    MICRORT_RETURN_IF_ERROR(emit::EmitModule(module, &file));
    observe::Runner runner;
    MICRORT_RETURN_IF_ERROR(runner.Load(file, inputs_.features, nullptr));
    for (const observe::Sample* sample : samples_) {
      MICRORT_RETURN_IF_ERROR(runner.Run(*sample));
      outputs->emplace_back();
      for (size_t i = 0; i < runner.interpreter().output_count(); ++i)
        outputs->back().push_back(io::ToFloats(runner.interpreter().output(i)));
    }
    return Status();
  }

  double WorstNoise(const std::vector<Outputs>& found) const {
    double worst = 0.0;
    for (size_t o = 0; o < expected_[0].size(); ++o) {
      double signal = 0.0, noise = 0.0;
      for (size_t s = 0; s < expected_.size(); ++s) {
        for (size_t i = 0; i < expected_[s][o].size() && i < found[s][o].size(); ++i) {
          const double e = static_cast<double>(expected_[s][o][i]);
          const double error = e - static_cast<double>(found[s][o][i]);
          signal += e * e;
          noise += error * error;
        }
      }
      if (noise > 0.0) worst = std::max(worst, noise / std::max(signal, noise * 1e-6));
    }
    return worst;
  }

  double RightAnswers(const std::vector<Outputs>& outputs) const {
    double right = 0.0;
    for (size_t s = 0; s < outputs.size(); ++s) {
      const std::vector<float>& scores = outputs[s][0];
      right += std::max_element(scores.begin(), scores.end()) - scores.begin() == (*inputs_.labels)[s];
    }
    return right;
  }

  double LostAnswers(const std::vector<Outputs>& found) const {
    return (RightAnswers(expected_) - RightAnswers(found)) / static_cast<double>(samples_.size());
  }

  const AutoInputs& inputs_;
  WeightMemo memo_;
  std::vector<const observe::Sample*> samples_;
  std::vector<Outputs> expected_;
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
