#include "converter/quantize/int4_budget.h"

#include <algorithm>
#include <set>

#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

// Scales of int4 are mostly halves.
int64_t BytesOf(const ir::Value& value) {
  const size_t scale = value.dtype == DType::kInt4 ? sizeof(uint16_t) : sizeof(float);
  return static_cast<int64_t>(value.data->size() + value.quantization.scales.size() * scale);
}

// What 8 bits and a scale a channel take more.
int64_t ExtraBytes(const ir::Graph& graph, const Int4Layer& layer) {
  const ir::Value& before = graph.value(layer.inputs[Layer::kWeights]);
  const ir::Value& now = graph.value(layer.node->inputs[Layer::kWeights]);
  return before.elements() + now.shape[0] * static_cast<int64_t>(sizeof(float)) - BytesOf(now);
}

void PutBack(const Int4Layer& layer) {
  layer.node->inputs = layer.inputs;
  if (layer.node->code == schema::OpCode::MatMul)
    layer.node->as<schema::MatMulOptionsT>().transpose_b = layer.transpose_b;
}

}  // namespace

int64_t ConstantBytes(const ir::Graph& graph) {
  std::set<ir::ValueId> constants;
  for (const auto& node : graph.nodes) {
    for (const ir::ValueId id : node->inputs) {
      if (id != ir::kNoValue && graph.value(id).is_constant()) constants.insert(id);
    }
  }
  int64_t bytes = 0;
  for (const ir::ValueId id : constants) bytes += BytesOf(graph.value(id));
  return bytes;
}

std::vector<ir::Node*> TakeBackMostSensitive(ir::Graph* graph, std::vector<Int4Layer> layers,
                                             int64_t float_bytes) {
  const auto most = static_cast<int64_t>(kMostInt4Bytes * static_cast<double>(float_bytes));
  int64_t left = most - ConstantBytes(*graph);
  const auto gain = [&](const Int4Layer& layer) {
    return layer.noise / static_cast<double>(std::max<int64_t>(ExtraBytes(*graph, layer), 1));
  };
  std::stable_sort(layers.begin(), layers.end(),
                   [&](const Int4Layer& a, const Int4Layer& b) { return gain(a) > gain(b); });
  std::vector<ir::Node*> taken;
  for (const Int4Layer& layer : layers) {
    const int64_t extra = ExtraBytes(*graph, layer);
    if (extra > left) continue;
    left -= extra;
    PutBack(layer);
    taken.push_back(layer.node);
  }
  return taken;
}

}  // namespace micrort::quantize
