#include "converter/quantize/weight_only.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "converter/quantize/int4_budget.h"
#include "converter/quantize/int4_weights.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/spectra.h"
#include "converter/quantize/tables.h"
#include "converter/quantize/weight_memo.h"

namespace micrort::quantize {

std::string WhyNotDynamic(const ir::Node& node, const Layer& layer, const WeightCorrection& tools) {
  if (node.code == schema::OpCode::ConvTranspose2D) return "transposed convolution";
  if (node.code == schema::OpCode::Recurrent) return "recurrent";
  if (layer.weights_per_channel > kMaxInt8Sum) return "sums too long for 32 bits";
  if (!tools.integers_only && layer.multiply_adds < kMinWorkPerDynamicActivation * layer.activations) {
    return "too few multiply-adds to pay for quantizing its input";
  }
  return "";
}

namespace {

// Layers of smaller weights would lose bits, or all of them.
constexpr float kLeastNormalHalf = 0x1p-14f;

std::string StoreAsHalf(ir::Graph* graph, ir::Node* node, const Layer& layer,
                        const PtqCorrection& correction) {
  const ir::Value& weights = graph->value(layer.weights);
  const float largest = LargestOf(weights.as<float>(), static_cast<size_t>(weights.elements()), 0.0f);
  if (largest > 0.0f && largest < kLeastNormalHalf)
    return "weights are below float16's normal numbers, 6.1e-05";
  const auto store = [&] { return ToHalf(weights); };
  std::optional<ir::Value> half =
      correction.memo == nullptr ? store() : correction.memo->Half(weights, store);
  if (!half) return "a weight is over float16's largest value, 65504";
  node->inputs[layer.place] = graph->AddValue(std::move(*half));
  return "";
}

// "" where int8 holds the weights well enough.
std::string WhyTooCoarse(const ir::Value& weights, const Layer& layer, const PtqCorrection& correction) {
  if (!WhyNoScales(weights).empty()) return "";  // such a layer has no integers at all
  const std::vector<float> widest = SymmetricScales(LargestPerChannel(weights, layer.channel_axis));
  double snr = Int8WeightSnr(weights, layer.channel_axis, widest);
  if (!(snr < kLeastWeightSnr)) return "";
  snr = Int8WeightSnr(weights, layer.channel_axis, WeightScales(weights, layer.channel_axis, correction));
  if (!(snr < kLeastWeightSnr)) return "";
  char text[96];
  std::snprintf(text, sizeof text, "half: outliers would leave the other weights %.0f dB in int8", snr);
  return text;
}

std::string StoreAsInt8(ir::Graph* graph, ir::Node* node, const Layer& layer, const WeightCorrection& tools) {
  if (!tools.integers_only && layer.weights_per_channel < kMinWeightsPerChannel)
    return "a scale a channel would take the bytes saved";
  const StoredWeights::Key key = {layer.weights, layer.channel_axis};
  const StoredWeights::Entry* found = tools.stored->Find(key);
  if (found == nullptr) {
    const ir::Value weights = graph->value(layer.weights);
    if (std::string why = WhyNoScales(weights); !why.empty()) return why;
    const std::vector<float> scales = WeightScales(weights, layer.channel_axis, tools.correction);
    StoredWeights::Entry* const entry = &tools.stored->entries[key];
    const auto quantize = [&] {
      WeightMemo::Integers integers = {scales, {}, {}};
      const auto adjust = [&](const RoundedLayer& rounded) {
        integers.mean_errors = AdjustWeights(rounded, tools.correction, MomentsFor(tools, weights));
      };
      integers.value = QuantizeAdjusted(weights, layer.channel_axis, scales, adjust);
      return integers;
    };
    WeightMemo* const memo = tools.correction.memo;
    WeightMemo::Integers integers =
        memo == nullptr ? quantize() : memo->Quantized(weights, layer.channel_axis, false, scales, quantize);
    entry->mean_errors = std::move(integers.mean_errors);
    entry->value = graph->AddValue(std::move(integers.value));
    found = entry;
  }
  node->inputs[layer.place] = found->value;
  TakeOffBias(graph, node, found->mean_errors);
  SetWeightCompute(node, schema::WeightCompute::Float);
  return "";
}

// Layers that int4 cannot hold still get smaller.
std::string StoreAsInt4OrInt8(ir::Graph* graph, ir::Node* node, const Layer& layer, WeightCorrection tools,
                              std::optional<double>* noise) {
  tools.dynamic_inputs = tools.dynamic_inputs && WhyNotDynamic(*node, layer, tools).empty();
  const std::string why = StoreAsInt4(graph, node, layer, tools, noise);
  const std::string why_float = why.empty() ? "" : StoreAsInt8(graph, node, layer, tools);
  if (why.empty()) {
    if (tools.dynamic_inputs) SetWeightCompute(node, DynamicComputeOfInt4(*graph, *node));
    return "";
  }
  if (why_float.empty() && tools.dynamic_inputs) SetWeightCompute(node, schema::WeightCompute::DynamicInt8);
  return why_float.empty() ? "int8 weights: " + why : why_float;
}

bool IsInteger(LayerType type) { return type != LayerType::kFloat32 && type != LayerType::kFloat16; }

// The layers of one graph, without bodies.
class GraphWeights {
 public:
  GraphWeights(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions, const WeightCorrection& tools,
               Report* report)
      : graph_(graph),
        asked_(asked),
        exceptions_(exceptions),
        tools_(tools),
        report_(*report),
        spectra_(LayersAroundSpectra(*graph)),
        float_bytes_(ConstantBytes(*graph)) {
    tools_.stored = &stored_;
  }

  void Store() {
    std::vector<Table> tables = FindTables(*graph_);
    scored_.emplace(*graph_, tables);
    const auto tied = std::stable_partition(tables.begin(), tables.end(),
                                            [](const Table& table) { return table.layers.empty(); });
    const std::vector<Table> others(tied, tables.end());
    tables.erase(tied, tables.end());
    for (const auto& node : graph_->nodes) {
      const std::optional<Layer> layer = DescribeLayer(*graph_, *node);
      if (!layer) continue;
      ++report_.layers;
      const std::shared_ptr<const ir::Bytes> floats = graph_->value(layer->weights).data;
      const std::string reason = StoreNode(node.get(), *layer);
      floats->Release();
      if (reason.empty()) {
        ++report_.quantized;
      } else {
        Except(*node, reason);
      }
    }
    StoreTables(graph_, tables, asked_, exceptions_, tools_, &report_);
    for (ir::Node* node : TakeBackMostSensitive(graph_, std::move(int4_), float_bytes_)) {
      --report_.quantized;
      const Layer layer = *DescribeLayer(*graph_, *node);
      StoreInEightBits(node, layer);
      Except(*node, "int8 weights: its outputs lose most in 4 bits");
    }
    StoreTables(graph_, others, asked_, exceptions_, tools_, &report_);
  }

 private:
  // Returns why the layer is not what was asked for.
  std::string StoreNode(ir::Node* node, const Layer& layer) {
    if (const auto it = exceptions_.find(node->name); it != exceptions_.end()) {
      const std::string why = StoreAsked(node, layer, it->second);
      return why.empty() && it->second != asked_ ? AsAsked(it->second) : why;
    }
    const bool keeps_eight_bits = KeepsEightBits(*node, layer);
    const LayerType type = keeps_eight_bits ? LayerType::kInt8Weights : asked_;
    const std::string half = WhyHalf(*graph_, *node, layer, type, spectra_, tools_);
    if (half.empty() && keeps_eight_bits) {
      const std::string why_float = StoreInEightBits(node, layer);
      return why_float.empty() ? "int8 weights: its sums are scores of a table's rows" : why_float;
    }
    if (half.empty()) return StoreAsked(node, layer, asked_);
    const std::string why_float = StoreAsHalf(graph_, node, layer, tools_.correction);
    return why_float.empty() ? half : why_float;
  }

  // A decoder chooses words by these sums, and nothing after them averages their errors. Weights that the
  // source gives in 4 bits lose nothing there.
  bool KeepsEightBits(const ir::Node& node, const Layer& layer) const {
    return asked_ == LayerType::kInt4Weights && graph_->value(layer.weights).source_quantization.group <= 0 &&
           scored_->IsScoredBy(node, layer);
  }

  std::string StoreInEightBits(ir::Node* node, const Layer& layer) {
    std::string why_float = StoreLayer(graph_, node, layer, LayerType::kInt8Weights, tools_);
    if (why_float.empty() && tools_.dynamic_inputs && WhyNotDynamic(*node, layer, tools_).empty())
      SetWeightCompute(node, schema::WeightCompute::DynamicInt8);
    return why_float;
  }

  std::string StoreAsked(ir::Node* node, const Layer& layer, LayerType type) {
    if (type == LayerType::kInt8) return StoreDynamic(graph_, node, layer, tools_);
    if (type != LayerType::kInt4Weights) return StoreLayer(graph_, node, layer, type, tools_);
    Int4Layer before = {node, node->inputs, false, 0.0};
    if (node->code == schema::OpCode::MatMul)
      before.transpose_b = node->as<schema::MatMulOptionsT>().transpose_b;
    std::optional<double> noise;
    std::string why = StoreAsInt4OrInt8(graph_, node, layer, tools_, &noise);
    if (why.empty() && noise && exceptions_.count(node->name) == 0) {
      before.noise = *noise;
      int4_.push_back(std::move(before));
    }
    return why;
  }

  void Except(const ir::Node& node, const std::string& reason) {
    report_.exceptions.push_back({node.name, schema::EnumNameOpCode(node.code), reason});
  }

  ir::Graph* graph_;
  const LayerType asked_;
  const LayerTypes& exceptions_;
  StoredWeights stored_;
  WeightCorrection tools_;
  Report& report_;
  const Spectra spectra_;
  const int64_t float_bytes_;
  std::vector<Int4Layer> int4_;  // that may be taken back
  std::optional<ScoredTables> scored_;
};

}  // namespace

std::string WhyHalf(const ir::Graph& graph, const ir::Node& node, const Layer& layer, LayerType type,
                    const Spectra& spectra, const WeightCorrection& tools) {
  if (!IsInteger(type)) return "";
  if (const auto it = spectra.find(&node); it != spectra.end()) return it->second;
  if (type == LayerType::kInt4Weights || layer.weights_per_channel < kMinWeightsPerChannel) return "";
  const auto [it, is_new] = tools.stored->too_coarse.try_emplace(layer.weights);
  if (!is_new) return it->second;
  const ir::Value& weights = graph.value(layer.weights);
  const auto find = [&] { return WhyTooCoarse(weights, layer, tools.correction); };
  WeightMemo* const memo = tools.correction.memo;
  it->second = memo == nullptr ? find() : memo->WhyTooCoarse(weights, layer.channel_axis, find);
  return it->second;
}

std::string StoreLayer(ir::Graph* graph, ir::Node* node, const Layer& layer, LayerType type,
                       const WeightCorrection& tools) {
  std::optional<double> noise;
  switch (type) {
    case LayerType::kFloat32:
    case LayerType::kInt16x8:  // of activations, which have no form here
      return "";
    case LayerType::kFloat16:
      return StoreAsHalf(graph, node, layer, tools.correction);
    case LayerType::kInt8:
    case LayerType::kInt8Weights:
      return StoreAsInt8(graph, node, layer, tools);
    case LayerType::kInt4Weights:
      return StoreAsInt4OrInt8(graph, node, layer, tools, &noise);
  }
  return "";
}

std::string StoreDynamic(ir::Graph* graph, ir::Node* node, const Layer& layer,
                         const WeightCorrection& tools) {
  std::string reason = StoreAsInt8(graph, node, layer, tools);
  if (!reason.empty()) return reason;
  reason = WhyNotDynamic(*node, layer, tools);
  if (reason.empty()) SetWeightCompute(node, schema::WeightCompute::DynamicInt8);
  return reason;
}

namespace {

void AllowHalfIn(ir::Graph* graph) {
  for (const auto& node : graph->nodes) {
    const bool is_product = node->code == schema::OpCode::Conv2D || node->code == schema::OpCode::MatMul;
    if (!is_product || !node->has_input(Layer::kWeights)) continue;
    const ir::Value& weights = graph->value(node->inputs[Layer::kWeights]);
    const bool is_half = weights.is_constant() && weights.dtype == DType::kFloat16;
    if (is_half && graph->value(node->inputs[Layer::kX]).dtype == DType::kFloat32)
      SetWeightCompute(node.get(), schema::WeightCompute::Half);
  }
}

}  // namespace

void StoreWeights(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions,
                  const WeightCorrection& tools, Report* report) {
  // Names of constants are unique in their graph only, and nobody looked into bodies.
  for (const auto& body : ir::BodiesIn(*graph))
    GraphWeights(body.get(), asked, exceptions, {tools.correction}, report).Store();
  GraphWeights(graph, asked, exceptions, tools, report).Store();
}

void AllowHalfArithmetic(ir::Graph* graph) {
  for (const auto& body : ir::BodiesIn(*graph)) AllowHalfIn(body.get());
  AllowHalfIn(graph);
}

}  // namespace micrort::quantize
