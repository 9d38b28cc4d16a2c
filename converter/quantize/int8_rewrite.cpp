#include "converter/quantize/int8_rewrite.h"

#include "converter/quantize/int8_layer.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/narrow_rewrite.h"

namespace micrort::quantize {
namespace {

class Int8Type final : public NarrowType {
 public:
  Int8Type(const std::map<ir::ValueId, ir::Quantization>& quantization, const LayerConstants& constants)
      : quantization_(quantization), constants_(constants) {}

  const char* suffix() const override { return "_int8"; }

  void SetType(ir::ValueId original, ir::Value* value) const override {
    value->dtype = DType::kInt8;
    value->quantization = quantization_.at(original);
  }

  ir::Value Constant(ir::ValueId id, const ir::Value& constant) const override {
    return QuantizeConstant(constant, quantization_.at(id));
  }

  schema::OptionsUnion ToNarrow() const override {
    schema::OptionsUnion options;
    options.Set(schema::QuantizeOptionsT());
    return options;
  }

  schema::OptionsUnion ToFloat() const override {
    schema::OptionsUnion options;
    options.Set(schema::DequantizeOptionsT());
    return options;
  }

  void Change(ir::Graph* graph, ir::Node* node, Int8Role role, bool int8_output) const override {
    if (role == Int8Role::kLayer) QuantizeConstants(graph, node);
    // What the source model stated of a custom operator's output.
    if (int8_output && node->code == schema::OpCode::Custom) {
      for (auto& stated : node->as<schema::CustomOptionsT>().outputs) stated->dtype = schema::DType::Int8;
    }
  }

 private:
  void QuantizeConstants(ir::Graph* graph, ir::Node* node) const {
    const ir::ValueId x = node->inputs[Layer::kX];
    const auto means = constants_.means->find(graph->value(x).name);
    const LayerInput input = {
        quantization_.at(x).scales[0], means == constants_.means->end() ? nullptr : &means->second,
        MomentsFor({constants_.correction, constants_.moments}, graph->value(node->inputs[Layer::kWeights]))};
    QuantizeLayerConstants(graph, node, input, constants_.correction, &stored_);
  }

  const std::map<ir::ValueId, ir::Quantization>& quantization_;
  const LayerConstants& constants_;
  mutable StoredWeights stored_;
};

}  // namespace

void RewriteToInt8(ir::Graph* graph, const NarrowPlan& plan,
                   const std::map<ir::ValueId, ir::Quantization>& quantization,
                   const LayerConstants& constants) {
  RewriteToNarrow(graph, plan, Int8Type(quantization, constants));
}

}  // namespace micrort::quantize
