#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "converter/cost/node_cost.h"
#include "converter/report/findings.h"
#include "converter/report/layer_type.h"
#include "converter/report/quality.h"

namespace micrort::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// An error jumps where it costs so much of a signal that was at most so clean, in dB: good 8-bit layers have
// 30 to 45.
constexpr double kJump = 10.0, kClean = 40.0;

// Noise over signal.
double NoiseOf(double snr) { return std::isnan(snr) ? kInfinity : std::pow(10.0, -snr / 10.0); }
double SnrOf(double noise) { return noise == 0.0 ? kInfinity : -10.0 * std::log10(noise); }

// Collects the nodes of the converted graph, which may be several for one of the source, into its rows.
class LayerJudge {
 public:
  LayerJudge(const QualityInputs& inputs, const Baseline& baseline)
      : graph_(*inputs.graph),
        features_(inputs.features),
        baseline_(baseline),
        noise_(graph_.value_count(), 0.0) {
    for (const ComparedTensor& tensor : *inputs.compared) compared_[tensor.name] = &tensor;
    for (const quantize::Exception& e : inputs.summary->quantization.exceptions) kept_[e.node] = e.reason;
  }

  std::vector<LayerQuality> Layers() {
    for (const auto& node : graph_.nodes) Visit(*node);
    for (LayerQuality& row : rows_) Finish(&row);
    return std::move(rows_);
  }

 private:
  void Visit(const ir::Node& node) {
    LayerQuality* row = RowOf(node);
    row->microseconds += cost::NodeMicroseconds(graph_, node, features_);
    double noise = 0.0;
    for (const ir::ValueId id : node.inputs) {
      if (id != ir::kNoValue) noise = std::max(noise, noise_[static_cast<size_t>(id)]);
    }
    for (const ir::ValueId id : node.outputs) {
      const auto it = compared_.find(graph_.value(id).name);
      noise_[static_cast<size_t>(id)] = it == compared_.end() ? noise : NoiseOf(it->second->similarity.Snr());
      if (it != compared_.end()) TakeFigures(*it->second, graph_.value(id), row);
    }
  }

  LayerQuality* RowOf(const ir::Node& node) {
    const auto [it, is_new] = row_of_.try_emplace(node.name, rows_.size());
    if (is_new) {
      rows_.emplace_back();
      LayerQuality& row = rows_.back();
      row.position = it->second;
      row.node = node.name;
      row.op = schema::EnumNameOpCode(node.code);
      row.computes = ComputeType(graph_, node);
      for (const ir::ValueId id : node.inputs) {
        if (id != ir::kNoValue)
          row.input_snr = std::min(row.input_snr, SnrOf(noise_[static_cast<size_t>(id)]));
      }
    }
    return &rows_[it->second];
  }

  static void TakeFigures(const ComparedTensor& compared, const ir::Value& value, LayerQuality* row) {
    row->tensor = compared.name;
    row->is_compared = true;
    row->similarity = compared.similarity;
    row->clipped_share = compared.clipped_share;
    row->values = BarsOf(compared.values);
    row->is_int8 = value.dtype == DType::kInt8 && value.quantization.scales.size() == 1;
    if (!row->is_int8) return;
    const double scale = static_cast<double>(value.quantization.scales[0]);
    const int zero_point = value.quantization.zero_points.empty() ? 0 : value.quantization.zero_points[0];
    row->range_low = scale * (-128 - zero_point);
    row->range_high = scale * (127 - zero_point);
  }

  void Finish(LayerQuality* row) const {
    if (row->is_compared) {
      const double noise = NoiseOf(row->snr());
      row->damage = std::isinf(noise) ? noise : std::max(0.0, noise - NoiseOf(row->input_snr));
    }
    if (const auto it = kept_.find(row->node); it != kept_.end()) row->kept_float = it->second;
    const auto it = baseline_.nodes.find(row->node);
    if (it == baseline_.nodes.end()) return;
    row->float_microseconds = it->second.microseconds;
    row->weights = it->second.weights;
  }

  const ir::Graph& graph_;
  const CpuFeatures features_;
  const Baseline& baseline_;
  std::unordered_map<std::string, const ComparedTensor*> compared_;
  std::unordered_map<std::string, std::string> kept_;
  std::unordered_map<std::string, size_t> row_of_;  // by node
  std::vector<double> noise_;                       // by value
  std::vector<LayerQuality> rows_;
};

bool Jumps(const LayerQuality& layer) {
  if (!layer.is_compared) return false;
  const double snr = layer.snr();
  return std::isnan(snr) || std::min(layer.input_snr, kClean) - snr >= kJump;
}

}  // namespace

Quality Judge(const QualityInputs& inputs, Baseline baseline) {
  Quality quality;
  quality.model = inputs.model;
  quality.verified_on = inputs.verified_on;
  quality.summary = *inputs.summary;
  quality.task = *inputs.task;
  quality.baseline = std::move(baseline);
  quality.microseconds = cost::GraphMicroseconds(*inputs.graph, inputs.features);
  quality.layers = LayerJudge(inputs, quality.baseline).Layers();
  for (const ir::ValueId id : inputs.graph->outputs) {
    for (const ComparedTensor& tensor : *inputs.compared) {
      if (tensor.name == inputs.graph->value(id).name) quality.outputs.push_back(tensor);
    }
  }
  const auto jump = std::find_if(quality.layers.begin(), quality.layers.end(), Jumps);
  if (jump != quality.layers.end()) quality.first_jump = jump->position;
  quality.findings = Find(quality, *inputs.warnings);
  return quality;
}

std::vector<size_t> ByDamage(const Quality& quality) {
  std::vector<size_t> order(quality.layers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const LayerQuality &x = quality.layers[a], &y = quality.layers[b];
    return x.is_compared != y.is_compared ? x.is_compared : x.damage > y.damage;
  });
  return order;
}

}  // namespace micrort::report
