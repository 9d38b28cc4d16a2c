#include "runtime/ops/scatter_rule.h"

#include "runtime/ops/moved_data.h"

namespace micrort {

static_assert(kScatterReductionCount == static_cast<int>(schema::ScatterReduction::MAX) + 1);
static_assert(static_cast<int>(ScatterReduction::kMul) == static_cast<int>(schema::ScatterReduction::Mul));
static_assert(static_cast<int>(ScatterReduction::kMin) == static_cast<int>(schema::ScatterReduction::Min));

Status ParseScatterReduction(schema::ScatterReduction from, ScatterReduction* to) {
  if (from > schema::ScatterReduction::MAX) {
    return MICRORT_ERROR(kInvalidModel, "scatter reduction %d does not exist", static_cast<int>(from));
  }
  *to = static_cast<ScatterReduction>(from);
  return Status();
}

Status PrepareScatter(PrepareContext& context, ScatterReduction reduction, const Shape& updates_shape,
                      ScatterRule* rule) {
  const Tensor& data = context.input(kScatterData);
  const Tensor& updates = context.input(kScatterUpdates);
  if (updates.dtype != data.dtype || updates.shape != updates_shape) {
    return MICRORT_ERROR(kInvalidModel, "expected updates of %s with shape %s, found %s with %s",
                         Name(data.dtype), ShapeString(updates_shape).c_str(), Name(updates.dtype),
                         ShapeString(updates.shape).c_str());
  }
  *rule = {reduction, data.dtype};
  if (reduction != ScatterReduction::kNone && SelectCombine(data.dtype) == nullptr) {
    return MICRORT_ERROR(kUnsupported, "scattering %s with a reduction", Name(data.dtype));
  }
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, data.shape));
  // The other inputs are read while the output is written.
  if (&updates != &data && &context.input(kScatterIndices) != &data) context.AllowInPlace(0, kScatterData);
  return Status();
}

}  // namespace micrort
