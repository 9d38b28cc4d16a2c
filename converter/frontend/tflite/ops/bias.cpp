#include "converter/frontend/tflite/ops/bias.h"

#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/ir/source_quantization.h"

namespace micrort::frontend::tflite {

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
