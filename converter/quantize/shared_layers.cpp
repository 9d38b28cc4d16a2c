#include "converter/quantize/shared_layers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

constexpr int64_t kBytesOfAChannel = sizeof(int32_t);

// Names of the values that layers of the same weights read and write.
struct Sharing {
  std::vector<std::string> inputs, outputs;
  int64_t channels = 0;  // of all of them
};

std::map<ir::ValueId, Sharing> FindSharing(const ir::Graph& graph, const NarrowPlan& plan) {
  std::map<ir::ValueId, Sharing> by_weights;
  for (const auto& node : graph.nodes) {
    const auto planned = plan.find(node.get());
    if (planned == plan.end() || planned->second != Int8Role::kLayer) continue;
    const std::optional<Layer> layer = DescribeLayer(graph, *node);
    if (!layer) continue;
    Sharing& sharing = by_weights[layer->weights];
    sharing.inputs.push_back(graph.value(node->inputs[Layer::kX]).name);
    sharing.outputs.push_back(graph.value(node->outputs[0]).name);
    sharing.channels += layer->channels;
  }
  return by_weights;
}

void ShareRange(const std::vector<std::string>& names, observe::Ranges* ranges) {
  observe::Range all;
  for (const std::string& name : names) {
    const auto found = ranges->find(name);
    if (found == ranges->end()) continue;
    all.min = std::min(all.min, found->second.min);
    all.max = std::max(all.max, found->second.max);
  }
  for (const std::string& name : names) {
    const auto found = ranges->find(name);
    if (found != ranges->end()) found->second = all;
  }
}

// Nothing where one of them has no means, or other channels.
void ShareMeans(const std::vector<std::string>& names, observe::Means* means) {
  std::vector<double> sums;
  for (const std::string& name : names) {
    const auto found = means->find(name);
    if (found == means->end()) return;
    if (sums.empty()) sums.resize(found->second.size());
    if (sums.size() != found->second.size()) return;
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += found->second[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(names.size());
  for (const std::string& name : names) (*means)[name] = sums;
}

}  // namespace

void ShareStatistics(const ir::Graph& graph, const NarrowPlan& plan, LayerStatistics* statistics) {
  for (const auto& [weights, sharing] : FindSharing(graph, plan)) {
    if (sharing.inputs.size() < 2 || sharing.channels * kBytesOfAChannel <= graph.value(weights).elements())
      continue;
    ShareRange(sharing.inputs, &statistics->ranges);
    ShareRange(sharing.outputs, &statistics->ranges);
    ShareMeans(sharing.inputs, &statistics->means);
  }
}

}  // namespace micrort::quantize
