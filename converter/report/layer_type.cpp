#include "converter/report/layer_type.h"

#include "converter/quantize/layer.h"

namespace micrort::report {
namespace {

bool HasWeightsInput(const ir::Node& node) {
  return HasWeights(node.code) && node.has_input(quantize::Layer::kWeights);
}

}  // namespace

std::string ComputeType(const ir::Graph& graph, const ir::Node& node) {
  const DType out = node.outputs.empty() ? DType::kUnknown : graph.value(node.outputs[0]).dtype;
  if (node.inputs.empty() || node.inputs[0] == ir::kNoValue) return Name(out);
  const DType in = graph.value(node.inputs[0]).dtype;
  if (node.code == schema::OpCode::Quantize || node.code == schema::OpCode::Dequantize)
    return std::string(Name(in)) + " to " + Name(out);
  if (in == DType::kInt8 || !HasWeightsInput(node)) return Name(in);
  const DType weights = graph.value(node.inputs[quantize::Layer::kWeights]).dtype;
  if (weights == in) return Name(in);
  if (quantize::RoundsActivations(node)) return "int8, scaled at run time";
  return std::string(Name(in)) + " from " + Name(weights) + " weights";
}

}  // namespace micrort::report
