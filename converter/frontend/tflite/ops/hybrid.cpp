#include "converter/frontend/tflite/ops/hybrid.h"

#include <utility>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

bool IsHybrid(const OpContext& c, size_t x, size_t weights) {
  return c.op.has_input(x) && c.op.has_input(weights) && c.op.tensor(x).type() == fb::TensorType::Float32 &&
         IsQuantized(c.op.tensor(weights)) && HasIntegerKernels(DTypeOf(c.op.tensor(weights).type()));
}

}  // namespace

schema::WeightCompute HybridCompute(const OpContext& c, size_t x, size_t weights, bool asymmetric) {
  if (!IsHybrid(c, x, weights)) return schema::WeightCompute::Float;
  return asymmetric ? schema::WeightCompute::DynamicInt8 : schema::WeightCompute::SymmetricInt8;
}

schema::WeightCompute HybridConvCompute(const OpContext& c, size_t x, size_t weights) {
  const auto* quantization = c.op.has_input(weights) ? c.op.tensor(weights).quantization() : nullptr;
  const bool has_scales =
      quantization != nullptr && quantization->scale() != nullptr && quantization->scale()->size() > 1;
  return HybridCompute(c, x, weights, has_scales);
}

ir::ValueId LayerWeights(OpContext& c, size_t x, size_t weights) {
  if (!IsHybrid(c, x, weights) || c.op.tensor(weights).type() != fb::TensorType::UInt8)
    return c.input(weights);
  ir::Value stored = c.value(c.stored(weights));
  // An operator may give other integers than the tensor states: those without scales.
  if (!stored.is_constant() || stored.quantization.empty()) return c.input(weights);
  stored.dtype = DType::kInt8;
  stored = DequantizedConstant(stored);
  stored.name += "/real";
  return c.build.graph().AddValue(std::move(stored));
}

}  // namespace micrort::frontend::tflite
