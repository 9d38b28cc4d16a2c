#include "converter/quantize/filter_windows.h"

#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

template <typename OptionsT>
observe::FilterWindow WindowOf(const OptionsT& options, int64_t kernel_h, int64_t kernel_w) {
  observe::FilterWindow r;
  r.kernel_h = kernel_h;
  r.kernel_w = kernel_w;
  r.stride_h = options.stride_h;
  r.stride_w = options.stride_w;
  r.dilation_h = options.dilation_h;
  r.dilation_w = options.dilation_w;
  r.pad_top = options.pad_top;
  r.pad_left = options.pad_left;
  return r;
}

// Returns a window of no sets where the operator has no window.
observe::FilterWindow FilterWindowOf(const ir::Node& node, const ir::Value& weights, const Layer& layer) {
  const std::vector<int64_t>& shape = weights.shape;
  observe::FilterWindow r;
  switch (node.code) {
    case schema::OpCode::Conv2D:
      r = WindowOf(node.as<schema::Conv2DOptionsT>(), shape[1], shape[2]);
      r.sets = node.as<schema::Conv2DOptionsT>().groups;
      r.channels = shape[3];
      return r;
    case schema::OpCode::DepthwiseConv2D:
      r = WindowOf(node.as<schema::DepthwiseConv2DOptionsT>(), shape[0], shape[1]);
      r.sets = layer.input_channels;
      return r;
    case schema::OpCode::MatMul:
      r.is_product = true;
      r.sets = weights.rank() == 2 ? 1 : 0;
      r.channels = layer.weights_per_channel;
      return r;
    default:
      r.sets = 0;
      return r;
  }
}

}  // namespace

observe::FilterWindows FilterWindowsOf(const ir::Graph& graph) {
  observe::FilterWindows windows;
  for (const auto& node : graph.nodes) {
    const std::optional<Layer> layer = DescribeLayer(graph, *node);
    if (!layer) continue;
    const ir::Value& weights = graph.value(layer->weights);
    const observe::FilterWindow window = FilterWindowOf(*node, weights, *layer);
    const bool known =
        window.sets > 0 && layer->channels % window.sets == 0 && window.depth() == layer->weights_per_channel;
    if (known) windows[weights.name] = window;
  }
  return windows;
}

}  // namespace micrort::quantize
