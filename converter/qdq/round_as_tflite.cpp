// Integer operators that TensorFlow Lite's reference kernels have, too, round as these do.

#include <algorithm>

#include "converter/passes/match.h"
#include "converter/qdq/integer_weights.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"
#include "converter/quantize/layer.h"
#include "kernels/elementwise/softmax_fixed.h"
#include "kernels/pool/pool.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using schema::OpCode;

bool IsInt8(const ir::Value& value) { return value.dtype == DType::kInt8 && IsPerTensor(value); }

int32_t ZeroPoint(const ir::Value& value) {
  return value.quantization.zero_points.empty() ? 0 : value.quantization.zero_points[0];
}

// A constant of a sum or product was given as integers, too.
bool MakeConstantsInt8(const Site& site) {
  std::vector<ir::ValueId> inputs = site.node.inputs;
  for (ir::ValueId& input : inputs) {
    const ir::Value& value = site.graph.value(input);
    if (IsInt8(value)) continue;
    std::optional<ir::Value> integers = WeightsAsGiven(value, -1);
    if (!integers) return false;
    input = site.graph.AddValue(std::move(*integers));
  }
  site.node.inputs = std::move(inputs);
  return true;
}

bool MayRound(const Site& site) {
  const ir::Node& node = site.node;
  if (IsLayer(node.code)) {
    return site.input(0).dtype == DType::kInt8 && !node.has_input(kLayerResidual) &&
           !node.has_input(kLayerSlopes);
  }
  switch (node.code) {
    case OpCode::Binary: {
      const auto& binary = node.as<schema::BinaryOptionsT>();
      const bool exists = binary.kind == schema::BinaryKind::Add || binary.kind == schema::BinaryKind::Sub ||
                          binary.kind == schema::BinaryKind::Mul;
      const bool clamps = binary.activation.kind() == schema::ActivationKind::None ||
                          binary.activation.kind() == schema::ActivationKind::Clip;
      return exists && clamps && MakeConstantsInt8(site);
    }
    case OpCode::Pool2D: {
      const auto& pool = node.as<schema::Pool2DOptionsT>();
      return pool.kind == schema::PoolKind::Average && !pool.count_include_pad &&
             site.input(0).quantization == site.output().quantization &&
             int64_t{pool.kernel_h} * pool.kernel_w <= kMaxTfliteTaps;
    }
    case OpCode::Softmax: {
      const auto& softmax = node.as<schema::SoftmaxOptionsT>();
      const ir::Value& x = site.input(0);
      const bool is_last = softmax.axis == -1 || softmax.axis == x.rank() - 1;
      return is_last && !softmax.log && x.shape.back() != ir::kDynamic &&
             x.shape.back() <= static_cast<int64_t>(kMaxSoftmaxFixedRow) &&
             site.output().quantization.scales[0] == kSoftmaxFixedScale &&
             ZeroPoint(site.output()) == kSoftmaxFixedZeroPoint;
    }
    default:
      return false;
  }
}

bool RoundOne(const Site& site) {
  ir::Node& node = site.node;
  if (node.rounding != schema::Rounding::Exact || node.outputs.empty() || node.inputs.empty()) return false;
  if (!IsInt8(site.output()) || !MayRound(site)) return false;
  node.rounding = schema::Rounding::Tflite;
  return true;
}

}  // namespace

Status RoundAsTflite(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, RoundOne);
  return Status();
}

}  // namespace micrort::qdq
