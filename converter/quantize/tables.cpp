#include "converter/quantize/tables.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/rotary_tables.h"
#include "converter/quantize/spectra.h"
#include "converter/quantize/weight_only.h"

namespace micrort::quantize {
namespace {

constexpr size_t kData = 0;  // of Gather

bool MayBeTable(const ir::Value& value) {
  return value.is_constant() && value.dtype == DType::kFloat32 && value.rank() >= 2 && value.elements() > 0 &&
         value.elements() / value.shape[0] >= kMinWeightsPerChannel;
}

bool PicksRows(const ir::Node& node, size_t input) {
  return node.code == schema::OpCode::Gather && input == kData && node.as<schema::GatherOptionsT>().axis == 0;
}

// Each row is a channel.
Layer AsLayer(const ir::Graph& graph, ir::ValueId table) {
  Layer layer;
  layer.weights = table;
  layer.place = kData;
  layer.channels = graph.value(table).shape[0];
  layer.weights_per_channel = graph.value(table).elements() / layer.channels;
  return layer;
}

class TableStore {
 public:
  TableStore(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions, const WeightCorrection& tools,
             Report* report)
      : graph_(graph), asked_(asked), exceptions_(exceptions), tools_(tools), report_(*report) {
    for (const auto& node : graph->nodes) nodes_.insert(node.get());
    // Sums of a row's elements mean nothing.
    tools_.correction.balance = false;
    tools_.moments = nullptr;
    tools_.dynamic_inputs = false;
    tools_.stored = &stored_;
  }

  void Store(const Table& table) {
    std::vector<ir::Node*> gathers;
    std::copy_if(table.gathers.begin(), table.gathers.end(), std::back_inserter(gathers),
                 [&](const ir::Node* node) { return Reads(node, kData, table.value); });
    const bool is_read_as_floats =
        std::any_of(table.layers.begin(), table.layers.end(),
                    [&](const ir::Node* node) { return Reads(node, Layer::kWeights, table.value); });
    if (gathers.empty() || is_read_as_floats || KeepsRotations(table.value, gathers)) return;
    ir::ValueId stored = WeightsOfRows(table);
    if (stored == ir::kNoValue) {
      StoreAlone(gathers.front(), table.value);
      stored = gathers.front()->inputs[kData];
    }
    for (ir::Node* gather : gathers) gather->inputs[kData] = stored;
  }

 private:
  // Rewrites for int8 may have taken nodes away.
  bool Reads(const ir::Node* node, size_t input, ir::ValueId value) const {
    return nodes_.count(node) != 0 && node->has_input(input) && node->inputs[input] == value;
  }

  // An angle that is rounded turns all that a position says, and such tables are small.
  bool KeepsRotations(ir::ValueId table, const std::vector<ir::Node*>& gathers) const {
    return asked_ != LayerType::kFloat16 && exceptions_.count(gathers.front()->name) == 0 &&
           HoldsRotations(graph_->value(table));
  }

  // The stored weights of a layer whose output channels are rows of the table; kNoValue if there is none.
  ir::ValueId WeightsOfRows(const Table& table) const {
    for (const ir::Node* layer : table.tied) {
      if (nodes_.count(layer) == 0) continue;
      const ir::Value& weights = graph_->value(layer->inputs[Layer::kWeights]);
      if (weights.is_constant() &&
          (weights.dtype != DType::kInt4 || weights.quantization.zero_points.empty()))
        return layer->inputs[Layer::kWeights];
    }
    return ir::kNoValue;
  }

  void StoreAlone(ir::Node* gather, ir::ValueId table) {
    const Layer layer = AsLayer(*graph_, table);
    const auto exception = exceptions_.find(gather->name);
    const LayerType type = exception == exceptions_.end() ? asked_ : exception->second;
    std::string why;
    if (exception == exceptions_.end()) why = WhyHalf(*graph_, *gather, layer, type, {}, tools_);
    if (why.empty()) {
      why = StoreLayer(graph_, gather, layer, type, tools_);
      if (why.empty() && type != asked_) why = AsAsked(type);
    } else if (tools_.integers_only) {
      why = "float32: outliers leave int8 too few steps, and the target has no halves";
    } else {
      const std::string why_float = StoreLayer(graph_, gather, layer, LayerType::kFloat16, tools_);
      if (!why_float.empty()) why = why_float;
    }
    if (!why.empty()) report_.exceptions.push_back({gather->name, schema::EnumNameOpCode(gather->code), why});
  }

  ir::Graph* graph_;
  const LayerType asked_;
  const LayerTypes& exceptions_;
  WeightCorrection tools_;
  StoredWeights stored_;
  Report& report_;
  std::set<const ir::Node*> nodes_;
};

}  // namespace

std::vector<Table> FindTables(const ir::Graph& graph) {
  std::map<ir::ValueId, Table> tables;
  std::set<ir::ValueId> others(graph.outputs.begin(), graph.outputs.end());
  for (const auto& node : graph.nodes) {
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      const ir::ValueId id = node->inputs[i];
      if (id == ir::kNoValue || !MayBeTable(graph.value(id))) continue;
      Table& table = tables[id];
      table.value = id;
      if (PicksRows(*node, i)) {
        table.gathers.push_back(node.get());
      } else if (const auto layer = DescribeLayer(graph, *node); layer && i == Layer::kWeights) {
        table.layers.push_back(node.get());
        if (layer->channel_axis == 0) table.tied.push_back(node.get());
      } else {
        others.insert(id);
      }
    }
  }
  std::vector<Table> found;
  for (auto& [id, table] : tables) {
    if (!table.gathers.empty() && others.count(id) == 0) found.push_back(std::move(table));
  }
  return found;
}

namespace {

bool KeepsElements(schema::OpCode code) {
  using schema::OpCode;
  return code == OpCode::Unary || code == OpCode::Binary || code == OpCode::Reshape || code == OpCode::Cast ||
         code == OpCode::Softmax;
}

}  // namespace

ScoredTables::ScoredTables(const ir::Graph& graph, const std::vector<Table>& tables)
    : is_score_(graph.value_count(), false) {
  for (const Table& table : tables) shapes_.insert(graph.value(table.value).shape);
  if (shapes_.empty()) return;
  for (const ir::ValueId id : graph.outputs) is_score_[static_cast<size_t>(id)] = true;
  const ir::Graph::Uses uses = graph.ComputeUses();
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (!KeepsElements((*node)->code) || !is_score_[static_cast<size_t>((*node)->outputs[0])]) continue;
    for (const ir::ValueId id : (*node)->inputs) {
      if (id != ir::kNoValue && uses.single_consumer(id) != nullptr)
        is_score_[static_cast<size_t>(id)] = true;
    }
  }
}

bool ScoredTables::IsScoredBy(const ir::Node& node, const Layer& layer) const {
  return node.code == schema::OpCode::MatMul && is_score_[static_cast<size_t>(node.outputs[0])] &&
         shapes_.count({layer.channels, layer.weights_per_channel}) != 0;
}

void StoreTables(ir::Graph* graph, const std::vector<Table>& tables, LayerType asked,
                 const LayerTypes& exceptions, const WeightCorrection& tools, Report* report) {
  TableStore store(graph, asked, exceptions, tools, report);
  for (const Table& table : tables) store.Store(table);
}

}  // namespace micrort::quantize
