#include "runtime/ops/moved_data.h"

#include <cstring>

namespace micrort {

Status ResolveAxis(int64_t axis, int rank, int* resolved) {
  if (axis < -rank || axis >= rank) {
    return MICRORT_ERROR(kInvalidModel, "axis %lld is outside rank %d", static_cast<long long>(axis), rank);
  }
  *resolved = static_cast<int>(axis < 0 ? axis + rank : axis);
  return Status();
}

bool SameQuantization(const QuantizationView& a, const QuantizationView& b) {
  if (a.count != b.count || a.axis != b.axis) return false;
  for (size_t i = 0; i < a.count; ++i) {
    if (std::memcmp(&a.scales[i], &b.scales[i], sizeof(float)) != 0) return false;
    if (a.zero_point(i) != b.zero_point(i)) return false;
  }
  return true;
}

Status SetMovedOutput(PrepareContext& context, const Shape& shape) {
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, context.input(0).dtype, shape));
  const QuantizationView& in = context.input(0).quantization;
  const QuantizationView& out = context.output(0).quantization;
  if (in.count == 1 && out.count == 1 && !SameQuantization(in, out)) {
    return MICRORT_ERROR(kInvalidModel, "expected the input's quantization (%g, %d), found (%g, %d)",
                         static_cast<double>(in.scale()), in.zero_point(), static_cast<double>(out.scale()),
                         out.zero_point());
  }
  return Status();
}

void AllowInPlaceIfSame(PrepareContext& context, const StridedCopy& copy) {
  if (copy.block_bytes == context.input(0).bytes() && context.input(0).bytes() == context.output(0).bytes()) {
    context.AllowInPlace(0, 0);
  }
}

void RunMove(const RunContext& context, const CopyCall& call) {
  RunCopyCall(call, context.input(0).data, context.output(0).data, *context.parallel);
}

}  // namespace micrort
