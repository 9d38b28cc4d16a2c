#include "converter/frontend/tflite/ops/hybrid.h"

#include <utility>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "converter/ir/source_quantization.h"

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

Result<ir::ValueId> ReadBias(OpContext& c, size_t i, size_t x, size_t weights) {
  const ir::ValueId given = c.input(i);
  if (given == ir::kNoValue || c.value(given).dtype == DType::kFloat32) return given;
  ir::Quantization of_x, of_weights;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sums, c.ConstantIntegers(i));
  // Weights may be absent where their bias is not.
  if (c.op.has_input(x)) MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.tensor(x), &of_x));
  if (c.op.has_input(weights)) MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.tensor(weights), &of_weights));
  const size_t scales = of_weights.scales.size();
  if (of_x.scales.size() != 1 || scales == 0 || (scales != 1 && scales != sums.size()))
    return Invalid("bias {} without a quantization, and input or weights without one", i);
  std::vector<float> floats(sums.size());
  for (size_t k = 0; k < sums.size(); ++k)
    floats[k] = static_cast<float>(sums[k]) * (of_x.scales[0] * of_weights.scales[scales == 1 ? 0 : k]);
  const ir::ValueId bias = c.build.Constant(c.value(given).shape, floats);
  c.build.graph().value(bias).source_integers = ir::SourceIntegers(sums);
  return bias;
}

}  // namespace micrort::frontend::tflite
