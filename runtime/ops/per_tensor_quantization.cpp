#include "runtime/ops/per_tensor_quantization.h"

#include <cmath>

#include "kernels/base/has_int16.h"

namespace micrort {

Status CheckScales(const Tensor& t) {
  for (size_t i = 0; i < t.quantization.count; ++i) {
    const float scale = t.quantization.scale(i);
    if (!(scale > 0) || !std::isfinite(scale)) {
      return MICRORT_ERROR(kInvalidModel, "'%s': scale %g must be finite and positive", t.name,
                           static_cast<double>(scale));
    }
  }
  return Status();
}

Status ReadPerTensor(const Tensor& t, float* scale, int32_t* zero_point) {
  if (t.quantization.count != 1) {
    return MICRORT_ERROR(kInvalidModel, "'%s': expected one scale for the %s tensor, found %zu", t.name,
                         Name(t.dtype), t.quantization.count);
  }
  MICRORT_RETURN_IF_ERROR(CheckScales(t));
  *scale = t.quantization.scale();
  *zero_point = t.quantization.zero_point();
  if (kHasInt16 && t.dtype == DType::kInt32) return Status();
  const bool is_wide = kHasInt16 && t.dtype == DType::kInt16;
  const int32_t lowest = is_wide ? INT16_MIN : t.dtype == DType::kUInt8 ? 0 : INT8_MIN;
  if (*zero_point >= lowest && *zero_point <= lowest + (is_wide ? UINT16_MAX : UINT8_MAX)) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%s': zero point %d is not a value of %s", t.name,
                       static_cast<int>(*zero_point), Name(t.dtype));
}

Status ReadSymmetric(const Tensor& t, float* scale) {
  int32_t zero_point = 0;
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(t, scale, &zero_point));
  if (zero_point == 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%s': zero point %d of an %s tensor must be 0", t.name,
                       static_cast<int>(zero_point), Name(t.dtype));
}

}  // namespace micrort
