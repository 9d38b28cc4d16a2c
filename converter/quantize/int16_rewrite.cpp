#include "converter/quantize/int16_rewrite.h"

#include <algorithm>
#include <cmath>

#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_layer.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/narrow_rewrite.h"

namespace micrort::quantize {
namespace {

class Int16Type final : public NarrowType {
 public:
  Int16Type(const Quantizations& quantization, const LayerConstants& constants)
      : quantization_(quantization), constants_(constants) {}

  const char* suffix() const override { return "_int16"; }

  void SetType(ir::ValueId original, ir::Value* value) const override {
    value->dtype = DType::kInt16;
    value->quantization = quantization_.at(original);
  }

  ir::Value Constant(ir::ValueId id, const ir::Value& constant) const override {
    const ir::Quantization& quantization = quantization_.at(id);
    std::vector<int16_t> integers(static_cast<size_t>(constant.elements()));
    const float* x = constant.as<float>();
    for (size_t i = 0; i < integers.size(); ++i) {
      const double q = std::round(static_cast<double>(x[i]) / static_cast<double>(quantization.scales[0]));
      integers[i] = static_cast<int16_t>(std::clamp(q, double{INT16_MIN}, double{INT16_MAX}));
    }
    const auto* bytes = reinterpret_cast<const uint8_t*>(integers.data());
    ir::Value out = constant;
    out.dtype = DType::kInt16;
    out.quantization = quantization;
    out.data = std::make_shared<const ir::Bytes>(ir::Bytes(bytes, bytes + integers.size() * sizeof(int16_t)));
    return out;
  }

  schema::OptionsUnion ToNarrow() const override {
    schema::OptionsUnion options;
    options.Set(schema::QuantizeOptionsT());
    return options;
  }
  schema::Rounding NarrowRounding() const override { return schema::Rounding::Tflite; }

  // To which ScaleCasts() adds the scale.
  schema::OptionsUnion ToFloat() const override {
    schema::OptionsUnion options;
    options.Set(schema::CastOptionsT());
    return options;
  }
  bool LayersGiveFloats() const override { return false; }

  void Change(ir::Graph* graph, ir::Node* node, Int8Role role, bool) const override {
    if (RoundsInt16(*node)) node->rounding = schema::Rounding::Tflite;
    if (role != Int8Role::kLayer) return;
    const ir::ValueId x = node->inputs[Layer::kX];
    const auto means = constants_.means->find(graph->value(x).name);
    LayerInput input = {
        quantization_.at(x).scales[0], means == constants_.means->end() ? nullptr : &means->second,
        MomentsFor({constants_.correction, constants_.moments}, graph->value(node->inputs[Layer::kWeights]))};
    input.bias = DType::kInt64;
    QuantizeLayerConstants(graph, node, input, constants_.correction, &stored_);
  }

 private:
  const Quantizations& quantization_;
  const LayerConstants& constants_;
  mutable StoredWeights stored_;
};

// A Cast of quantized int16 gives their integers: they become what these stand for.
void ScaleCasts(ir::Graph* graph) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph->nodes) {
    nodes.push_back(std::move(node));
    ir::Node& cast = *nodes.back();
    if (cast.code != schema::OpCode::Cast) continue;
    const ir::Value& from = graph->value(cast.inputs[0]);
    if (from.dtype != DType::kInt16 || from.quantization.empty()) continue;
    const float scale = from.quantization.scales[0];
    ir::Value integers = graph->value(cast.outputs[0]);
    integers.name += "_integers";
    integers.in_source = false;
    auto product = std::make_unique<ir::Node>();
    product->name = cast.name;
    product->code = schema::OpCode::Binary;
    schema::BinaryOptionsT options;
    options.kind = schema::BinaryKind::Mul;
    product->options.Set(std::move(options));
    product->outputs = cast.outputs;
    cast.outputs[0] = graph->AddValue(std::move(integers));
    product->inputs = {cast.outputs[0], graph->AddConstantOf<float>(cast.name + "_scale", {}, {scale})};
    nodes.push_back(std::move(product));
  }
  graph->nodes = std::move(nodes);
}

}  // namespace

std::map<ir::ValueId, ir::ValueId> RewriteToInt16(ir::Graph* graph, const NarrowPlan& plan,
                                                  const Quantizations& quantization,
                                                  const LayerConstants& constants) {
  std::map<ir::ValueId, ir::ValueId> widened =
      RewriteToNarrow(graph, plan, Int16Type(quantization, constants));
  ScaleCasts(graph);
  return widened;
}

}  // namespace micrort::quantize
