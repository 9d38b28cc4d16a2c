// A Conv2D with a group for every input channel is a DepthwiseConv2D.

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

// [O,KH,KW,1] to [KH,KW,O].
ir::ValueId DepthwiseWeights(ir::Graph& graph, ir::ValueId id) {
  const ir::Value& weights = graph.value(id);
  const Order order = {3, 1, 2, 0};
  ir::Value reordered = Reordered(weights, order);
  reordered.data = std::make_shared<const ir::Bytes>(ReorderedData(weights, order));
  reordered.shape.erase(reordered.shape.begin());
  reordered.dim_names.clear();
  reordered.source_order.clear();
  reordered.in_source = false;
  if (reordered.quantization.axis > 0) --reordered.quantization.axis;
  if (reordered.source_quantization.axis > 0) --reordered.source_quantization.axis;
  return graph.AddValue(std::move(reordered));
}

schema::DepthwiseConv2DOptionsT DepthwiseOptions(const schema::Conv2DOptionsT& conv) {
  schema::DepthwiseConv2DOptionsT options;
  options.stride_h = conv.stride_h;
  options.stride_w = conv.stride_w;
  options.dilation_h = conv.dilation_h;
  options.dilation_w = conv.dilation_w;
  options.pad_top = conv.pad_top;
  options.pad_left = conv.pad_left;
  options.pad_bottom = conv.pad_bottom;
  options.pad_right = conv.pad_right;
  options.activation = conv.activation;
  options.compute = conv.compute;
  return options;
}

bool ToDepthwise(const Site& site) {
  ir::Node& node = site.node;
  const auto& conv = node.as<schema::Conv2DOptionsT>();
  const ir::Value& weights = site.input(1);
  if (!weights.is_constant() || weights.rank() != 4 || weights.shape[3] != 1 || conv.groups <= 1)
    return false;
  if (weights.shape[0] % conv.groups != 0) return false;

  node.inputs[1] = DepthwiseWeights(site.graph, node.inputs[1]);
  auto options = DepthwiseOptions(conv);
  node.code = schema::OpCode::DepthwiseConv2D;
  node.options.Set(std::move(options));
  return true;
}

}  // namespace

Status TurnConvIntoDepthwise(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Conv2D}, ToDepthwise);
  return Status();
}

}  // namespace micrort::passes
