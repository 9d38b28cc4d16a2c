#include "converter/quantize/half_activations.h"

#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/narrow_rewrite.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

class HalfType final : public NarrowType {
 public:
  const char* suffix() const override { return "_half"; }
  void SetType(ir::ValueId, ir::Value* value) const override { value->dtype = DType::kFloat16; }
  ir::Value Constant(ir::ValueId, const ir::Value& constant) const override { return *ToHalf(constant); }
  schema::OptionsUnion ToNarrow() const override { return Cast(); }
  schema::OptionsUnion ToFloat() const override { return Cast(); }
  void Change(ir::Graph*, ir::Node* node, Int8Role role, bool) const override {
    if (role == Int8Role::kLayer) SetWeightCompute(node, schema::WeightCompute::Half);
  }

 private:
  static schema::OptionsUnion Cast() {
    schema::OptionsUnion options;
    options.Set(schema::CastOptionsT());
    return options;
  }
};

bool MultipliesHalves(const ir::Graph& graph, const ir::Node& node) {
  if (node.code == schema::OpCode::ConvTranspose2D) return false;
  const ir::Value& weights = graph.value(node.inputs[Layer::kWeights]);
  return weights.is_constant() && weights.dtype == DType::kFloat16 &&
         graph.value(node.inputs[Layer::kX]).dtype == DType::kFloat32;
}

// Beside layers, what keeps numbers as large as they are: the operators that have an int8 form. Of those,
// linear resizing, reductions and operators of the user's own have none of halves.
Int8Role HalfRoleOf(const ir::Graph& graph, const ir::Node& node) {
  switch (node.code) {
    case schema::OpCode::Custom:
    case schema::OpCode::Reduce:
      return Int8Role::kNone;
    case schema::OpCode::Resize:
      if (node.as<schema::ResizeOptionsT>().mode != schema::ResizeMode::Nearest) return Int8Role::kNone;
      break;
    default:
      break;
  }
  if (IsLayer(node.code)) return MultipliesHalves(graph, node) ? Int8Role::kLayer : Int8Role::kNone;
  const Int8Role role = RoleOf(graph, node);
  if (role == Int8Role::kNone) return role;
  for (const size_t i : NarrowInputs(node, role)) {
    const ir::Value& value = graph.value(node.inputs[i]);
    if (value.is_constant() && !ToHalf(value)) return Int8Role::kNone;
  }
  return role;
}

}  // namespace

size_t StoreActivationsAsHalf(ir::Graph* graph) {
  NarrowPlan plan;
  for (const auto& node : graph->nodes) {
    const Int8Role role = HalfRoleOf(*graph, *node);
    if (role != Int8Role::kNone) plan[node.get()] = role;
  }
  NarrowRegions(*graph).RemoveAlone(&plan);
  RewriteToNarrow(graph, plan, HalfType());
  return plan.size();
}

}  // namespace micrort::quantize
